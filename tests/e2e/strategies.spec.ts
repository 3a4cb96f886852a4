import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { encodeEvent } from '../../main/storage/journal-line';
import { runEventSchema } from '../../preload/contract/index';
import { PRESETS } from '../../preload/contract/plans/index';
import { launchApp } from './support/app';
import { runCli } from './support/cli';
import { readCsv } from './support/csv';
import { temporaryPocketData } from './support/pocket-data';
import { runStudy } from './support/studies';

test.describe.configure({ mode: 'serial' });

let data: Awaited<ReturnType<typeof temporaryPocketData>>;
const at = (): string[] => ['--data', data.dataDir];
const out = (name: string): string => join(data.path, name);
const BENCHMARK = 'pocket-test-1-60';
let studyId = '';

test.beforeAll(async () => {
  data = await temporaryPocketData({ rewardModel: true });
});
test.afterAll(() => data.remove());

test('every strategy searches, each in a row of one study, and all journals replay from their seeds', async () => {
  const rewardModel = { source: { kind: 'pocket', seed: 1 }, use: 'choice', weight: 0.2 } as const;
  const rows = PRESETS.map(({ id, method: { guided, ...method } }) => ({
    configuration: id,
    team: ['reader', 'tracer'] as const,
    search: { ...method, rewardModel: guided ? rewardModel : null },
  }));
  const app = await launchApp(data.dataDir);
  try {
    studyId = await runStudy(app.page, { name: 'All', problems: 2, nodes: 7, samples: 0, rows });
  } finally {
    await app.close();
  }
  expect(runCli(['export', studyId, '--what', 'nodes', '--out', out('all.csv'), ...at()]).status).toBe(0);
  const nodes = readCsv(await readFile(out('all.csv'), 'utf8'));
  const perRow = PRESETS.map(({ id }) => nodes.filter(({ configuration }) => configuration === id).length);
  expect(perRow).toEqual(PRESETS.map(() => 2 * 7));
  expect(nodes.every((node) => node.private_verdict !== '')).toBe(true);
  const verified = runCli(['verify', studyId, '--json', ...at()]);
  expect(verified.status).toBe(0);
  const trees = PRESETS.length * 2;
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ...{ trees, nodes: trees * 7, withoutDraws: 0, mismatches: [] },
  });
});

test('budgets of agents and trees are kept', async () => {
  const ran = runCli([
    'run',
    ...['--benchmark', BENCHMARK, '--problems', '2', '--nodes', '12', '--samples', '0'],
    ...['--configuration', 'team=pocket:reader{nodes=2},pocket:tracer', '--strategy', 'repeated'],
    ...['--out', out('budget'), ...at()],
  ]);
  expect(ran.status).toBe(0);
  const nodes = readCsv(await readFile(join(out('budget'), 'nodes.csv'), 'utf8'));
  expect(nodes.filter(({ agent }) => agent === 'reader')).toHaveLength(2 * 2);
  expect(nodes).toHaveLength(2 * 12);
});

test('a strategy is named in the terminal, with its reward model; a row may ask its agent in its own way', async () => {
  const ran = runCli([
    'run',
    ...['--benchmark', BENCHMARK, '--problems', '2', '--nodes', '4', '--samples', '2'],
    ...['--configuration', 'reader=pocket:reader', '--configuration', 'cool=pocket:reader{temperature=0.2}'],
    ...['--strategy', 'mars2-t-plus', '--reward-model', 'pocket', '--order', 'arrival', '--batch', '3'],
    ...['--out', out('rows'), '--json', ...at()],
  ]);
  expect(ran.stderr).toContain('Written:');
  expect(ran.status).toBe(0);
  studyId = (JSON.parse(ran.stdout) as { studyId: string }).studyId;
});

test('a changed draw in a journal is found and named', async () => {
  const folder = join(data.dataDir, 'studies', studyId);
  const name = (await readdir(folder)).find((file) => file.endsWith('.jsonl'));
  if (name === undefined) throw new Error('The study has no journal');
  const path = join(folder, name);
  const text = await readFile(path, 'utf8');
  const changed = withOtherDraw(text);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
  const verified = runCli(['verify', studyId, ...at()]);
  expect(verified.status).toBe(1);
  expect(verified.stdout).toContain('node 0');
  await writeFile(path, text);
  expect(runCli(['verify', studyId, ...at()]).status).toBe(0);
});

/** The first stored draw is changed, and the line's checksum recomputed, so that no other check notices. */
function withOtherDraw(text: string): string {
  let done = false;
  return text
    .split('\n')
    .map((line) => {
      if (done || !line.includes('"values":[')) return line;
      done = true;
      const { sum: _sum, ...event } = JSON.parse(
        line.replace(/"values":\[[^,\]]+/, '"values":[0.123456'),
      ) as {
        readonly sum: string;
      };
      return encodeEvent(runEventSchema.parse(event)).toString('utf8').trimEnd();
    })
    .join('\n');
}

test('private tests run again give the same verdicts', () => {
  const again = runCli(['studies', 'regrade', studyId, '--json', ...at()]);
  expect(again.status).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ changed: [], faults: 0, kept: { id: 'regrade-1' } });
});

test('a re-grade counts once it is chosen, and verify proves it', () => {
  const set = (grading: string) => runCli(['studies', 'set', studyId, '--grading', grading, ...at()]);
  expect(set('regrade-1').stderr).toContain('Private verdicts count as re-graded on');
  expect(runCli(['studies', 'regrade', studyId, '--list', ...at()]).stdout).toMatch(/regrade-1 .*\(counts\)/);
  const verified = runCli(['verify', studyId, '--programs', '20', ...at()]);
  expect(verified.stderr).toContain('The re-grade, which counts:');
  expect(verified.status).toBe(0);
  expect(set('first').stderr).toContain('Private verdicts count as first graded.');
});

test('the diversity of a study is shown, with its judge', () => {
  const measured = runCli(['studies', 'diversity', studyId, ...at()]);
  expect(measured.status).toBe(0);
  expect(measured.stdout).toContain('vendi');
  expect(measured.stdout).toContain('reader');
});

test('differences and MARTI score files are exported', async () => {
  const pairs = runCli(['export', studyId, '--what', 'pairs', '--out', out('pairs.csv'), ...at()]);
  expect(pairs.status).toBe(0);
  expect(readCsv(await readFile(out('pairs.csv'), 'utf8')).length).toBeGreaterThan(0);
  const marti = runCli(['export', studyId, '--what', 'marti', '--out', out('marti'), ...at()]);
  expect(marti.stderr).toContain('written');
  const scores = await readFile(join(out('marti'), 'all_public_scores.csv'), 'utf8');
  expect(scores.split('\n')[0]).toBe('prompt_id,node_idx,public_score');
});

test('invalid options are reported, and nothing runs', () => {
  const run = (...args: string[]) =>
    runCli(['run', '--benchmark', BENCHMARK, '--out', out('no'), ...args, ...at()]);
  const team = ['--configuration', 'a=pocket:reader'];
  const magic = run(...team, '--strategy', 'magic');
  const offered = /--strategy is (.+), not "magic"/.exec(magic.stderr)?.[1];
  expect(offered?.split(/, | or /)).toEqual(PRESETS.map(({ id }) => id));
  expect(magic.status).toBe(2);
  expect(run(...team, '--strategy', 'refine', '--beliefs', 'beta').stderr).toContain('--beliefs');
  expect(run('--configuration', 'a=pocket:reader{hot=1}').stderr).toContain('is not allowed in the braces');
  expect(run(...team, '--reward-use', 'score').stderr).toContain('need --reward-model');
  expect(run(...team, '--from', '2030-01-01').stderr).toContain('No problem');
  expect(run(...team, '--tree-tokens', '0').status).toBe(2);
});
