import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantProject, projectRoot } from './planted-project';

/** What pure code must not know: [title, a line that uses it]. */
const forbidden: readonly (readonly [name: string, line: string])[] = [
  ['process', 'export const planted = process.pid;\n'],
  ['document', 'export const planted = document.title;\n'],
  ['set-timeout', 'export const planted = setTimeout(() => {}, 1);\n'],
  ['console', "console.log('planted');\nexport {};\n"],
  ['node-fs', "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n"],
  ['abort-controller', 'export const planted = new AbortController();\n'],
  ['crypto', 'export const planted = crypto.randomUUID();\n'],
];
const pureFolders = ['base', 'search', 'metrics', 'objective', 'pocket', 'grading/logic'].map(
  (name) => `main/${name}`,
);
const innocent = 'export const planted: readonly number[] = [1].toSorted();\n';

/** [file, the program that must refuse it] for the walls between the hosts. */
const hosts: readonly (readonly [path: string, line: string, program: string])[] = [
  ['main/planted-page.ts', 'export const planted = document.title;\n', 'main'],
  ['renderer/planted-node.ts', 'export const planted = process.pid;\n', 'renderer'],
];

const planted = {
  ...Object.fromEntries(forbidden.map(([name, line]) => [`main/base/${name}.ts`, line])),
  ...Object.fromEntries(forbidden.map(([name, line]) => [`preload/contract/${name}.ts`, line])),
  ...Object.fromEntries(pureFolders.map((folder) => [`${folder}/a-process.ts`, forbidden[0]?.[1] ?? ''])),
  ...Object.fromEntries(hosts),
  'main/base/innocent.ts': innocent,
  'preload/contract/innocent.ts': innocent,
};

describe('a planted line is refused by the types', () => {
  const complaints = new Map<string, string>();
  let close = () => {};

  beforeAll(() => {
    const programs = readdirSync(projectRoot).filter((name) => /^tsconfig.*\.json$/.test(name));
    const configuration = programs.map((name) => [name, readFileSync(join(projectRoot, name), 'utf8')]);
    const project = plantProject({ ...planted, ...Object.fromEntries(configuration) });
    close = project.close;
    // The real packages: a program that let @types/node in would find it.
    symlinkSync(join(projectRoot, 'node_modules'), join(project.folder, 'node_modules'));
    for (const program of ['contract', 'pure', 'main', 'renderer'])
      complaints.set(program, check(project.folder, program));
  });
  afterAll(() => close());

  it.each(forbidden)('%s in a pure folder', (name) => {
    expect(complaints.get('pure')).toContain(`main/base/${name}.ts(`);
  });

  it.each(forbidden)('%s in the contract', (name) => {
    expect(complaints.get('contract')).toContain(`preload/contract/${name}.ts(`);
  });

  it.each(pureFolders)('process in %s', (folder) => {
    expect(complaints.get('pure')).toContain(`${folder}/a-process.ts(`);
  });

  it.each(hosts)('%s', (path, _line, program) => {
    expect(complaints.get(program)).toContain(`${path}(`);
  });

  it.each(['pure', 'contract'])('but not an innocent line (%s)', (program) => {
    expect(complaints.get(program)).not.toContain('innocent.ts(');
  });
});

/** Errors stand as "path(line,column): error TS...". Nothing is written: the outputs would land in node_modules. */
function check(folder: string, program: string): string {
  const tsc = join(projectRoot, 'node_modules/typescript-7/bin/tsc');
  const outputs = [
    '--outDir',
    join(folder, 'types', program),
    '--tsBuildInfoFile',
    join(folder, 'types', `${program}.json`),
  ];
  const args = [tsc, '-p', `tsconfig.${program}.json`, '--pretty', 'false', ...outputs];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
}
