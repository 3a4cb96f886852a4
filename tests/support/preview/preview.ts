import { mountWorkbench } from '../../../renderer/mount';
import { catchingFailures } from '../../../renderer/workbench-client';
import { createSampleWorkbench } from '../sample-workbench';
import { SCENES } from './scenes';

/** The real app over the sample: ?scene=NAME&theme=dark&live=1#/address. Looked at and photographed, never shipped. */
const query = new URLSearchParams(window.location.search);
const scene = SCENES[query.get('scene') ?? 'running'] ?? {};
const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
const sample = createSampleWorkbench({
  createdAt: new Date(Date.now() - 90_000).toISOString(),
  ...scene,
  theme,
});
mountWorkbench(catchingFailures(sample.api));
if (query.get('live') === '1') {
  const timer = setInterval(() => {
    if (!sample.play(24)) clearInterval(timer);
  }, 250);
}
