import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantProject, projectRoot } from './planted-project';

const lintFiles = ['biome.json', 'scripts/lint/pure-no-chance.grit', 'scripts/lint/one-door-to-main.grit'];
const pureFolders = [
  ...[
    'preload/contract',
    'preload/contract/folds',
    'main/base',
    'main/search',
    'main/metrics',
    'main/objective',
  ],
  ...['main/pocket', 'main/jobs/logic', 'main/grading/logic'],
];
const clock = 'export const now = Date.now();\n';
const chance = 'export const chance = Math.random();\n';

const planted: Record<string, string> = {
  ...Object.fromEntries(
    pureFolders.flatMap((folder) => [
      [`${folder}/clock.ts`, clock],
      [`${folder}/chance.ts`, chance],
    ]),
  ),
  'main/base/new-date.ts': 'export const today = new Date();\n',
  'main/base/global-date.ts': 'export const now = globalThis.Date.now();\n',
  'main/base/unpacked.ts': 'const { random } = Math;\nexport const chance = random();\n',
  'main/jobs/clock.ts': clock,
  'main/jobs/chance.ts': chance,
  'main/jobs/any.ts': 'export const anything = (value: any): unknown => value;\n',
  'main/jobs/NotKebab.ts': 'export const name = 1;\n',
  'main/jobs/default.ts': 'export default 1;\n',
  'main/jobs/adrift.ts':
    'const work = async (): Promise<number> => 3;\nexport function go(): void {\n  work();\n}\n',
  'main/jobs/long.ts': `export function long(): void {\n${'  console.log();\n'.repeat(101)}}\n`,
  'renderer/run/door.ts': 'export const api = window.workbench;\n',
  'renderer/workbench-client.ts': 'export const api = window.workbench;\n',
};

const reportSchema = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

describe('a planted line is refused by lint', () => {
  let found: z.infer<typeof reportSchema>['diagnostics'] = [];
  let close = () => {};

  beforeAll(() => {
    const configuration = lintFiles.map((path) => [path, readFileSync(join(projectRoot, path), 'utf8')]);
    const project = plantProject({ ...planted, ...Object.fromEntries(configuration) });
    close = project.close;
    const program = join(projectRoot, 'node_modules/@biomejs/biome/bin/biome');
    const args = [
      program,
      'lint',
      '--reporter=json',
      '--max-diagnostics=none',
      'main',
      'preload',
      'renderer',
    ];
    const answer = spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' });
    found = reportSchema.parse(JSON.parse(answer.stdout)).diagnostics;
  });
  afterAll(() => close());

  const rulesAgainst = (path: string) =>
    found.filter(({ location }) => location.path === path).map(({ category }) => category);

  it.each(pureFolders)('a clock in %s', (folder) => {
    expect(rulesAgainst(`${folder}/clock.ts`)).toContain('lint/style/noRestrictedGlobals');
  });

  it.each(pureFolders)('chance in %s', (folder) => {
    expect(rulesAgainst(`${folder}/chance.ts`)).toContain('plugin');
  });

  it.each([
    ['main/base/new-date.ts', 'lint/style/noRestrictedGlobals'],
    ['main/base/global-date.ts', 'plugin'],
    ['main/base/unpacked.ts', 'plugin'],
    ['main/jobs/any.ts', 'lint/suspicious/noExplicitAny'],
    ['main/jobs/NotKebab.ts', 'lint/style/useFilenamingConvention'],
    ['main/jobs/default.ts', 'lint/style/noDefaultExport'],
    ['main/jobs/adrift.ts', 'lint/nursery/noFloatingPromises'],
    ['main/jobs/long.ts', 'lint/complexity/noExcessiveLinesPerFunction'],
    ['renderer/run/door.ts', 'plugin'],
  ])('%s', (path, rule) => {
    expect(rulesAgainst(path)).toContain(rule);
  });

  it.each(['main/jobs/clock.ts', 'main/jobs/chance.ts', 'renderer/workbench-client.ts'])(
    'but not %s',
    (path) => {
      expect(rulesAgainst(path)).toEqual([]);
    },
  );
});
