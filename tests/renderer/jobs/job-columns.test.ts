import { expect, it } from 'vitest';
import { withoutFolders } from '../../../renderer/jobs/job-columns';

it.each([
  ['/usr/bin/node /opt/app/out/main/model-server.js --port 8100', 'node model-server.js --port 8100'],
  ["exec '/home/lab/my data/run.py' --out=/tmp/a/b", "exec 'my data/run.py' --out=b"],
  ['ls / /tmp/ && echo a/b', 'ls / /tmp/ && echo a/b'],
])('the list shows %s as %s', (commandLine, shown) => {
  expect(withoutFolders(commandLine)).toBe(shown);
});
