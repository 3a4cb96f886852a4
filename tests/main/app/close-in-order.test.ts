import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appLog } from '../../../main/app/app-log';
import { closeInOrder } from '../../../main/app/close-in-order';
import { lockDataDir } from '../../../main/storage';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

test('where services cannot be closed, the others are, the data folder is free again, and each error is logged and told', async () => {
  const dataDir = await temporaryFolder();
  const lock = await unwrap(lockDataDir(dataDir));
  const log = appLog(dataDir);
  const closed: string[] = [];
  const closing = closeInOrder(
    [
      ['tasks', () => closed.push('tasks')],
      ['studies', () => Promise.reject(new Error('the disk is full'))],
      [
        'jobs',
        () => {
          throw new Error('a listener failed');
        },
      ],
      ['grader', async () => closed.push('grader')],
      ['data folder', () => lock.dispose()],
    ],
    (name, error) => log.write('error', `closing ${name}`, error),
  );
  await expect(closing).rejects.toThrow(
    'Not everything could be closed: studies: the disk is full; jobs: a listener failed',
  );
  expect(closed).toEqual(['tasks', 'grader']);
  const logged = await readFile(join(dataDir, 'app.log'), 'utf8');
  expect(logged).toMatch(
    /error closing studies: Error: the disk is full[\s\S]*error closing jobs: Error: a listener/,
  );
  await unwrap(lockDataDir(dataDir)).then((again) => again.dispose());
});
