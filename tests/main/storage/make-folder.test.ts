import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../main/storage/index';
import { temporaryFolder } from '../../support/temporary-folder';

test('makes all that leads to a folder, and is content with one that is there', async () => {
  const path = join(await temporaryFolder(), 'a', 'b', 'c');
  await makeFolder(path);
  await makeFolder(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

test('a file at the path is an error, not a folder', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.skipIf(!existsSync('/proc/self'))(
  'a file system that takes no folders is an error that comes at once',
  async () => {
    await expect(makeFolder('/proc/no-such-folder')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
