import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../..');

/** A folder with the layout of this repository, in which violations are planted; gone after `close()`. */
export function plantProject(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'mars2-walls-'));
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}
