import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { plantProject, projectRoot } from './planted-project';

const MAX_LINES = 300;

/** Files of the app with more lines than that, as "path: lines". */
function longFiles(root: string): string[] {
  return ['main', 'preload', 'renderer', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|css)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((path) => {
        const lines = readFileSync(path, 'utf8').split('\n').length - 1;
        return lines > MAX_LINES ? [`${relative(root, path)}: ${lines}`] : [];
      }),
  );
}

it('refuses a file of more than 300 lines', () => {
  const project = plantProject({
    'main/jobs/long.ts': 'export {};\n'.repeat(301),
    'main/jobs/short.ts': 'export {};\n'.repeat(300),
    'preload/index.ts': '',
    'renderer/jobs/long.module.css': '\n'.repeat(301),
    'scripts/test.mjs': '',
  });
  expect(longFiles(project.folder)).toEqual(['main/jobs/long.ts: 301', 'renderer/jobs/long.module.css: 301']);
  project.close();
});

it('finds none', () => {
  expect(longFiles(projectRoot)).toEqual([]);
});
