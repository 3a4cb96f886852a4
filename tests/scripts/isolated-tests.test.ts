import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isolatedTests, slowTests } from '../../vitest.config';

/** What a test can do to its process that the next file in it would meet. */
const changesItsProcess =
  /\b(vi\.mock|vi\.stubGlobal|process\.(chdir|umask|sete?[ug]id|setgroups)|process\.env\.\w+ = )\b/;

it('test files that change their process run in one of their own', () => {
  const root = resolve(import.meta.dirname, '..', '..');
  const files = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(learner|main|preload|renderer|scripts|walls)\/.*\.test\.tsx?$/.test(name))
    .map((name) => `tests/${name}`)
    .filter((name) => !name.endsWith('isolated-tests.test.ts'));
  const changing = files.filter((name) => changesItsProcess.test(readFileSync(join(root, name), 'utf8')));
  expect(changing.sort()).toEqual([...isolatedTests].sort());
});

it('every test file that is begun first is there', () => {
  expect(slowTests.filter((path) => !existsSync(path))).toEqual([]);
});
