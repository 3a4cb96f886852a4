import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantProject, projectRoot } from './planted-project';

/** What may be imported, as stubs: each exports a value and a type. */
const stub = 'export const value = 1;\nexport type Value = number;\n';
const folders = [
  ...['base', 'search', 'metrics', 'objective', 'pocket', 'storage', 'machines', 'jobs', 'grading'],
  'reconcile',
  ...['benchmarks', 'servers', 'studies', 'app'],
];
const packages = ['zod', 'electron', 'lowdb', 'react', '@lydell/node-pty'];
const stubs = Object.fromEntries([
  ...folders.map((name) => [`main/${name}/index.ts`, stub]),
  ['main/index.ts', stub],
  ['main/app/workbench.ts', stub],
  ...['main/electron/window.ts', 'main/jobs/inside.ts', 'main/jobs/logic/parser.ts'].map((path) => [
    path,
    stub,
  ]),
  ...['index.ts', 'channel-names.ts', 'folds/index.ts', 'plans/index.ts'].map((name) => [
    `preload/contract/${name}`,
    stub,
  ]),
  ...[
    'state/index.ts',
    'text/jobs.ts',
    'shared/machines/index.ts',
    'home/index.tsx',
    'widgets/index.tsx',
    'theme/index.ts',
  ].map((name) => [`renderer/${name}`, stub]),
  ['renderer/workbench-client.ts', stub],
  ['main/search/circle-b.ts', "import { planted } from './circle-a';\nexport const value = planted;\n"],
  ...packages.flatMap((name) => [
    [
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js', types: 'index.d.ts' }),
    ],
    [`node_modules/${name}/index.js`, 'module.exports = {};\n'],
    [`node_modules/${name}/index.d.ts`, 'export const value: number;\nexport type Value = number;\n'],
  ]),
]);

const value = (from: string) => `import { value } from '${from}';\nexport const planted = value;\n`;
const type = (from: string) => `import type { Value } from '${from}';\nexport type Planted = Value;\n`;

/** The one file of the preload script: both of its walls are tried in it. */
const plantedPreload = `${value('../main/base/index')}import { value as schema } from './contract/index';
export const schemas = schema;
`;

/** [file, what is planted in it, the rule that must catch it] */
const violations: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['preload/contract/planted.ts', value('../../main/base/index'), 'wall-contract'],
  ['preload/contract/planted-node.ts', value('node:fs'), 'wall-contract'],
  ['preload/contract/folds/planted.ts', value('zod'), 'wall-folds'],
  ['preload/contract/folds/planted-schema.ts', value('../index'), 'wall-folds-types-only'],
  ['preload/contract/plans/planted.ts', value('zod'), 'wall-contract-plans'],
  ['preload/contract/plans/planted-schema.ts', value('../index'), 'wall-contract-plans-types-only'],
  ['preload/index.ts', plantedPreload, 'wall-preload'],
  ['preload/index.ts', plantedPreload, 'wall-preload-types-only'],
  ['main/base/planted.ts', value('../storage/index'), 'wall-base'],
  ['main/search/planted.ts', value('node:fs'), 'wall-search'],
  ['main/search/planted-neighbour.ts', value('../metrics/index'), 'wall-search'],
  ['main/metrics/planted.ts', value('../search/index'), 'wall-metrics'],
  ['main/objective/planted.ts', value('../jobs/index'), 'wall-objective'],
  ['main/pocket/planted.ts', value('../servers/index'), 'wall-pocket'],
  ['main/grading/logic/planted.ts', value('node:path'), 'wall-logic'],
  ['main/grading/logic/planted-neighbour.ts', value('../../jobs/logic/parser'), 'wall-logic'],
  ['main/storage/planted.ts', value('../machines/index'), 'wall-storage'],
  ['main/reconcile/planted.ts', value('../storage/index'), 'wall-reconcile'],
  ['main/machines/planted.ts', value('../jobs/index'), 'wall-machines'],
  ['main/jobs/planted.ts', value('../servers/index'), 'wall-jobs'],
  ['main/grading/planted.ts', value('../studies/index'), 'wall-grading'],
  ['main/benchmarks/planted.ts', value('../studies/index'), 'wall-benchmarks'],
  ['main/grader-service/planted.ts', value('../studies/index'), 'wall-grader-service'],
  ['main/servers/planted.ts', value('../studies/index'), 'wall-servers'],
  ['main/studies/planted.ts', value('../app/index'), 'wall-studies'],
  ['main/plans/planted.ts', value('../app/index'), 'wall-plans'],
  ['main/trainings/planted.ts', value('../studies/index'), 'wall-trainings'],
  ['main/trainer/planted.ts', value('../studies/index'), 'wall-trainer'],
  ['main/exhibits/planted.ts', value('../studies/index'), 'wall-exhibits'],
  ['main/reports/planted.ts', value('../servers/index'), 'wall-reports'],
  ['main/reports/planted-benchmarks.ts', value('../benchmarks/index'), 'wall-reports-types-only'],
  ['main/electron/planted.ts', value('../studies/index'), 'wall-electron'],
  ['main/electron/planted-workbench.ts', value('../app/index'), 'wall-electron-types-only'],
  ['main/terminals/planted.ts', value('../jobs/index'), 'wall-terminals'],
  ['main/cli/planted.ts', value('../electron/window'), 'wall-cli'],
  ['main/app/planted.ts', value('../electron/window'), 'wall-app'],
  ['main/planted-entry.ts', value('./studies/index'), 'wall-entry'],
  ['main/servers/planted-electron.ts', type('electron'), 'electron-is-an-adapter'],
  ['renderer/planted-electron.ts', value('electron'), 'electron-is-an-adapter'],
  ['main/studies/planted-renderer.ts', value('../../renderer/state/index'), 'main-knows-no-renderer'],
  ['main/studies/planted-inside.ts', value('../jobs/inside'), 'front-door'],
  ['main/planted-inside.ts', value('./jobs/inside'), 'front-door-of-all'],
  ['renderer/state/planted.ts', value('../../main/base/index'), 'wall-state'],
  ['renderer/state/planted-schema.ts', value('../../preload/contract/index'), 'wall-state-types-only'],
  ['renderer/widgets/planted.ts', type('../../preload/contract/index'), 'wall-widgets'],
  ['renderer/text/planted.ts', value('../state/index'), 'wall-text'],
  ['renderer/shared/studies/planted.ts', value('../machines/index'), 'wall-shared'],
  ['renderer/widgets/planted-state.ts', value('../state/index'), 'wall-widgets'],
  ['renderer/theme/planted.ts', value('../state/index'), 'wall-theme'],
  ['renderer/run/planted.ts', value('../home/index'), 'wall-screens'],
  ['renderer/run/planted-client.ts', value('../workbench-client'), 'wall-screens'],
  ['renderer/run/planted-schema.ts', value('../../preload/contract/index'), 'wall-screens-types-only'],
  ['renderer/text/planted-schema.ts', value('../../preload/contract/index'), 'wall-text-types-only'],
  ['renderer/theme/planted-schema.ts', value('../../preload/contract/index'), 'wall-theme-types-only'],
  [
    'renderer/shared/studies/planted-schema.ts',
    value('../../../preload/contract/index'),
    'wall-shared-types-only',
  ],
  ['renderer/planted-schema.ts', value('../preload/contract/index'), 'wall-page-types-only'],
  ['renderer/planted-node.ts', value('node:fs'), 'wall-page'],
  ['main/search/circle-a.ts', value('./circle-b'), 'no-circles'],
  ['main/jobs/planted-lost.ts', value('./nowhere'), 'can-be-found'],
];

/** One of each that the walls let through. */
const allowed: readonly (readonly [path: string, text: string])[] = [
  ['preload/contract/lawful.ts', value('zod')],
  ['preload/contract/folds/lawful.ts', type('../index')],
  [
    'main/search/lawful.ts',
    value('../base/index') + type('../../preload/contract/index').replaceAll('Planted', 'Other'),
  ],
  ['main/storage/lawful.ts', value('node:fs')],
  ['main/storage/lawful-database.ts', value('lowdb')],
  ['main/machines/lawful.ts', value('@lydell/node-pty')],
  ['main/jobs/lawful.ts', value('../machines/index')],
  ['main/jobs/lawful-core.ts', value('../reconcile/index')],
  ['main/jobs/lawful-logic.ts', value('./logic/parser')],
  ['main/studies/lawful.ts', value('../search/index')],
  ['main/electron/lawful.ts', value('electron')],
  ['main/electron/lawful-workbench.ts', type('../app/index')],
  ['main/app/lawful.ts', value('../studies/index')],
  ['renderer/state/lawful.ts', value('../../preload/contract/folds/index')],
  ['renderer/run/lawful.tsx', value('../state/index')],
  ['renderer/run/lawful-plan.ts', value('../../preload/contract/plans/index')],
  ['renderer/run/lawful-type.ts', type('../../preload/contract/index')],
  ['renderer/widgets/lawful.tsx', value('react')],
];

const reportSchema = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

describe('the walls', () => {
  it('have each a violation here', () => {
    const { forbidden } = createRequire(import.meta.url)(join(projectRoot, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const planted = new Set(violations.map(([, , rule]) => rule));
    expect(forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});

describe('a planted import is refused', () => {
  let found: { readonly from: string; readonly rule: { readonly name: string } }[] = [];
  let close = () => {};

  beforeAll(() => {
    const planted = [...violations, ...allowed].map(([path, text]) => [path, text]);
    const project = plantProject({ ...stubs, ...Object.fromEntries(planted) });
    close = project.close;
    const program = join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const config = join(projectRoot, '.dependency-cruiser.cjs');
    const args = [program, '--config', config, '--output-type', 'json', 'main', 'preload', 'renderer'];
    const answer = spawnSync(process.execPath, args, {
      cwd: project.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    found = reportSchema.parse(JSON.parse(answer.stdout)).summary.violations;
  });
  afterAll(() => close());

  const rulesAgainst = (path: string) =>
    found.filter(({ from }) => from === path).map(({ rule }) => rule.name);

  it.each(violations)('%s', (path, _text, rule) => {
    expect(rulesAgainst(path)).toContain(rule);
  });

  it.each(allowed)('and an allowed one is not: %s', (path) => {
    expect(rulesAgainst(path)).toEqual([]);
  });
});
