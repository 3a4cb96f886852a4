import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { jobColumns, withoutFolders } from '../../../renderer/jobs/job-columns';
import { sampleJob } from '../../support/sample-jobs';

it.each([
  ['/usr/bin/node /opt/app/out/main/model-server.js --port 8100', 'node model-server.js --port 8100'],
  ["exec '/home/lab/my data/run.py' --out=/tmp/a/b", "exec 'my data/run.py' --out=b"],
  ['ls / /tmp/ && echo a/b', 'ls / /tmp/ && echo a/b'],
])('the list shows %s as %s', (commandLine, shown) => {
  expect(withoutFolders(commandLine)).toBe(shown);
});

it('the list says behind its name what a job is for, and cuts a long name before its end', () => {
  const columns = jobColumns({
    nameOf: (id) => id,
    gpusOf: () => '',
    purposeOf: ({ purpose }) => ({ kind: purpose, of: { name: 'Quickstart', path: '/studies/study-1' } }),
    now: 0,
    stalledMinutes: null,
  });
  // A column of it would be a dash in most rows.
  expect(columns.map(({ id }) => id)).not.toContain('purpose');
  const shown = (change: Parameters<typeof sampleJob>[0]) =>
    renderToStaticMarkup(columns[0]?.cell(sampleJob(change)));
  expect(shown({ name: 'reader', purpose: 'training' })).toMatch(/>reader<.*>training of Quickstart</);
  expect(shown({ name: 'MARTI, Qwen3-8B, batch 512', purpose: 'command' })).toMatch(
    /<span>MARTI, Qwen3-8B,<\/span><span> batch 512<\/span><\/span><\/b><\/span>$/,
  );
});
