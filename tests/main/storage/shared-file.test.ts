import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceSharedFile } from '../../../main/storage';
import { temporaryFolder } from '../../support/temporary-folder';

test('a file that several write at once is one of them, whole, and no writer fails', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'policy.json');
  const texts = Array.from({ length: 20 }, (_, i) => `${String(i).repeat(200_000)}\n`);
  await Promise.all(texts.map((text) => replaceSharedFile(path, text)));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(folder)).toEqual(['policy.json']);
});
