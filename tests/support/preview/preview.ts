import { mountWorkbench } from '../../../renderer/mount';
import { catchingFailures } from '../../../renderer/workbench-client';
import { createSampleWorkbench } from '../sample-workbench';
import { SCENES } from './scenes';

/** The real app over the sample: ?scene=NAME&theme=dark&live=1&away=HOURS#/address. Looked at and photographed, never shipped. */
const query = new URLSearchParams(window.location.search);
const { events = [], ...scene } = SCENES[query.get('scene') ?? 'running'] ?? {};
const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
const away = Number(query.get('away'));
// Last used so many hours ago: Home lists what ended since.
if (away > 0) localStorage.setItem('looks.home.visit', `0 ${Date.now() - away * 3_600_000}`);
else localStorage.removeItem('looks.home.visit');
const sample = createSampleWorkbench({
  createdAt: new Date(Date.now() - 90_000).toISOString(),
  ...scene,
  theme,
});
mountWorkbench(catchingFailures(sample.api));
sample.emit(...events);
if (query.get('live') === '1') {
  const timer = setInterval(() => {
    if (!sample.play(24)) clearInterval(timer);
  }, 250);
}
