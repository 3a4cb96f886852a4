import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** An opening tag of a field with a path as its placeholder: of a folder, file or program on a machine. */
const FIELD = /<([A-Z]\w+)(?:(?!<[A-Z]|\/>).)*?placeholder="(?:\/|~\/)/gs;

test('every field for a path of a machine completes what is typed', async () => {
  const entries = await readdir('renderer', { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.name.endsWith('.tsx')) continue;
    const path = join(entry.parentPath, entry.name);
    for (const [, field = ''] of (await readFile(path, 'utf8')).matchAll(FIELD))
      found.push(`${path}: ${field}`);
  }
  expect(found.length).toBeGreaterThan(6);
  expect(found.filter((one) => !/: (PathInput|PathSetting)$/.test(one))).toEqual([]);
});
