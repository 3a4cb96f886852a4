import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`);

/** Every path in backquotes that names a place of this repository. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:main|renderer|preload|tests|scripts|resources|docs)\/[^`\s*{<]*?)\/?`/g)].map(
    ([, path = '']) => path,
  );

describe.each(['docs/architecture.md', 'docs/security.md', 'CONTRIBUTING.md'])('%s', (document) => {
  it('names only files and folders that exist', () => {
    const missing = pathsIn(read(document)).filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const text = read('docs/architecture.md');

  it.each([...foldersIn('main'), ...foldersIn('renderer')])('says what is in %s', (folder) => {
    expect(pathsIn(text)).toContain(folder);
  });

  it('names for each folder of main a file to start at that exists', () => {
    const rows = [...text.matchAll(/^\| `(main\/[a-z-]+)` \| .* \| (.*) \|$/gm)];
    expect(rows.length).toBe(foldersIn('main').length);
    for (const [, folder = '', starts = ''] of rows) {
      for (const [, file = ''] of starts.matchAll(/`([^`]+)`/g)) {
        const path = join(root, folder, file);
        expect(existsSync(path), `${folder}/${file}`).toBe(true);
        expect(statSync(path).size).toBeGreaterThan(0);
      }
    }
  });
});
