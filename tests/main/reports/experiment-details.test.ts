import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReportService } from '../../../main/reports';
import { experimentDocuments } from '../../../main/reports/logic/experiment-tables';
import { printedTable } from '../../../main/reports/logic/printed-table';
import type { ReportTable } from '../../../main/reports/logic/report-table';
import { longCsv, wideCsv } from '../../../main/reports/logic/table-csv';
import { benchmarkSchema, type ExperimentDetails, type ExperimentView } from '../../../preload/contract';
import { reportProject } from '../../support/report-project';
import {
  sampleDetails,
  sampleDone,
  sampleExperiment,
  sampleExperimentHandlers,
} from '../../support/sample-experiments';
import { temporaryFolder } from '../../support/temporary-folder';

const whole = sampleExperiment('five-methods', 40, { kind: 'done' }).experiment;

function documentsOf(view: ExperimentView, details: ExperimentDetails) {
  const answer = sampleExperimentHandlers([view])['experiment.result']?.({ experimentId: view.id });
  if (answer === undefined || !answer.ok) throw new Error('no result');
  return experimentDocuments({ view, result: answer.value, details }, []);
}

const details = await sampleDetails(whole);
const { tables } = documentsOf(whole, details);

function tableOf(id: string, of: readonly ReportTable[] = tables): ReportTable {
  const table = of.find((one) => one.id === id);
  if (table === undefined) throw new Error(`no table ${id}`);
  return table;
}

/** A table of a CSV file by the names of its columns; labels with commas are not among those that are asked for. */
function rowsOf(id: string, of = tables): Record<string, string>[] {
  const [head = '', ...lines] = wideCsv(tableOf(id, of))
    .text.replaceAll(/"[^"]*"/g, 'quoted')
    .trimEnd()
    .split('\n');
  const names = head.split(',');
  expect(new Set(names.filter((name) => name !== 'quoted')).size).toBe(
    names.filter((name) => name !== 'quoted').length,
  );
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
}

it('has what teams add with its effect size and tests, and the stability of each agent', () => {
  const gains = rowsOf('gains');
  expect(gains).toHaveLength(details.gains.length);
  for (const [at, { best01, team01, difference, pHolm }] of details.gains.entries()) {
    expect(Number(gains[at]?.over_best)).toBe(difference);
    expect(difference).toBeCloseTo(team01 - best01, 10);
    expect(gains[at]).toMatchObject({ p_holm: String(pHolm), separable: pHolm < 0.05 ? 'yes' : 'no' });
    expect(gains[at]).toHaveProperty('odds_ratio_low');
  }
  const stable = tableOf('stability');
  expect(stable.columns.map(({ label }) => label)).toEqual(expect.arrayContaining(['2 of 4', '4 of 4']));
  expect(stable.rows.map(({ group, label }) => [group, label])).toEqual(
    tableOf('agents').rows.map(({ group, label }) => [group, label]),
  );
});

it('says beside each table at which scale, on what, with which N and seeds it was measured', () => {
  for (const id of ['solves', 'gains', 'stability', 'costs', 'settings', 'breakdowns', 'breakdown-pairs']) {
    const { caption, notes } = printedTable(tableOf(id));
    expect(caption, id).toMatch(
      /Pocket scale: [26]0 problems of the pocket test split \(problem seed 5\), N = 60 nodes a tree, seeds 11\u201315/,
    );
    const said = notes.join(' ');
    expect(said, id).toContain('were made to complement each other');
    expect(said, id).toContain('GRPO: each policy alone');
    expect(said, id).toContain('nothing is said about large models');
  }
});

it('has a row a method in each part of the problems, with the values of a count by hand', () => {
  const rows = rowsOf('breakdowns');
  expect(rows).toHaveLength(3 * whole.order.rows.length);
  const hard = rows.find(({ row, part }) => row === 'RS\u00b2' && part === 'hard');
  const runs = sampleDone(whole).filter(({ label }) => label === 'RS\u00b2');
  // Of the sample every third problem, from the third on, is hard.
  const passed = runs.flatMap(({ evaluation }) =>
    (evaluation.teams.at(-1)?.problems ?? []).flatMap(({ chosenPasses }, at) =>
      at % 3 === 2 ? [Number(chosenPasses)] : [],
    ),
  );
  expect(passed).toHaveLength(5 * 20);
  expect(Number(hard?.['pass@1(mcts)_team'])).toBeCloseTo(
    passed.reduce((sum, one) => sum + one, 0) / 100,
    10,
  );
  expect(hard).toMatchObject({
    by: 'difficulty',
    'pass@1(mcts)_team_problems': '20',
    benchmark: 'the pocket test split (problem seed 5)',
  });
  const notes = printedTable(tableOf('breakdowns')).notes.join(' ');
  expect(notes).toContain('over problems and seeds');
  expect(notes).toContain('in the table "breakdown-pairs"');
});

it('calls a difference in a part significant only where both tests find it, and says which family was corrected', () => {
  const rows = rowsOf('breakdown-pairs');
  expect(rows).toHaveLength(details.partPairs.length);
  const found = rows.map(({ p_holm: holm, p_seeds: seeds, p_problems: problems, separable }) => {
    expect(separable).toBe(Number(holm) < 0.05 ? 'yes' : 'no');
    expect(Number(holm)).toBeGreaterThanOrEqual(Math.max(Number(problems), seeds === '' ? 1 : Number(seeds)));
    return Number(problems) < 0.05 ? separable : 'not over problems';
  });
  // Some differ over problems alone, or this would show nothing.
  expect(new Set(found)).toContain('no');
  const table = tableOf('breakdown-pairs');
  const notes = printedTable(table).notes.join(' ');
  expect(notes).toContain('Of 8 methods only the differences from the first are tested in parts.');
  expect(notes).toContain('correction for all pairs in all parts of a grouping');
  expect(table.method).toContain('over the pairs in all parts of a grouping');
});

it('has a row a problem: what the team solves in print, in files what it found and the agents alone as well', () => {
  const rows = rowsOf('solves');
  expect(rows).toHaveLength(60);
  const runs = sampleDone(whole).filter(({ label }) => label === 'Base');
  const own = runs.map(({ evaluation }) =>
    evaluation.teams.map(({ problems }) => Number(problems[7]?.chosenPasses)),
  );
  const [reader, tracer, team] = [0, 1, 2].map((at) => own.reduce((sum, one) => sum + (one[at] ?? 0), 0) / 5);
  expect(Number(rows[7]?.Base)).toBeCloseTo(team ?? -1, 10);
  expect(Number(rows[7]?.['Base alone'])).toBeCloseTo(((reader ?? 0) + (tracer ?? 0)) / 2, 10);
  expect(rows[7]).toMatchObject({
    row: 'pocket/test/7',
    difficulty: 'medium',
    benchmark: 'pocket',
    problems: '60',
  });
  const { columns, notes } = printedTable(tableOf('solves'));
  expect(columns.map(({ label }) => label)).not.toContain('Base alone');
  expect(notes.join(' ')).toContain('The answer is of the tree of the team.');
  expect(notes.join(' ')).toMatch(/if every method has finished it. Solved by all methods: \d+/);
});

it('has a row a method with what its trainings took, and says what is not in it', () => {
  const [base, grpo] = rowsOf('costs');
  expect(base).toMatchObject({ trainings: '5', seconds: '400', gpu_seconds: '0', samples: '0' });
  expect(Number(grpo?.samples)).toBe(5 * 300 * 128 * 2);
  expect(Number(grpo?.evaluation_programs)).toBe(5 * 60 * (2 * (16 + 60) + 60));
  const long = longCsv(tableOf('costs')).text;
  expect(long).toContain('GPU-seconds');
  const notes = printedTable(tableOf('costs')).notes.join(' ');
  for (const said of ['training and the evaluation at its end', 'Tokens are not recorded', 'not tested']) {
    expect(notes).toContain(said);
  }
});

it('has the settings in which methods differ, a column a method', () => {
  const table = tableOf('settings');
  expect(table.columns.map(({ label }) => label)).toEqual(whole.order.rows.map(({ label }) => label));
  expect(table.rows.map(({ label }) => label)).toEqual(['method', 'updates']);
  expect(table.rows[1]?.cells.map((cell) => (cell.kind === 'text' ? cell.text : ''))).toContain('150');
});

it('says of an unfinished experiment which seeds each method has', async () => {
  const view = sampleExperiment('five-methods', 27).experiment;
  const { tables: so } = documentsOf(view, await sampleDetails(view));
  expect(printedTable(tableOf('solves', so)).notes.join(' ')).toContain(
    'Seeds so far, of 5: Base 4, Vanilla GRPO 4',
  );
  expect(rowsOf('costs', so)[0]).toMatchObject({ seeds: '4', seed_numbers: '11 12 13 14', trainings: '4' });
});

it('takes the outlines of its benchmark into a bundle, of the problems that were evaluated, so that parts are there too', async () => {
  const tiny = sampleExperiment('tiny', 6, { kind: 'done' }).experiment;
  const project = await reportProject([]);
  const folder = join(project.dataDir, 'experiments', tiny.id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'experiment.json'), JSON.stringify({ id: tiny.id }));
  const benchmark = benchmarkSchema.parse({
    ...{ id: 'pocket', name: 'Ours', version: '1', digest: 'd', problems: 90, source: 'x', scale: 'own' },
    ...{ importedAt: '2026-01-01T00:00:00.000Z', notes: [] },
    limits: { cpuSeconds: 1, wallSeconds: 1, memoryBytes: 1, processes: 1, outputBytes: 1 },
  });
  const outline = ['0', '59', '60'].map((at) => ({
    ...{ id: `pocket/test/${at}`, title: at, difficulty: null, date: null, platform: null },
    ...{ publicTests: 1, bytes: 1 },
  }));
  const experiments = {
    ...project.deps.experiments,
    list: () => [tiny],
    details: async () => ({ ok: true as const, value: await sampleDetails(tiny) }),
    result: async () =>
      sampleExperimentHandlers([tiny])['experiment.result']?.({ experimentId: tiny.id }) as never,
  };
  const reports = createReportService({
    ...project.deps,
    experiments,
    library: { list: () => [benchmark], outline: async () => ({ ok: true, value: outline }) },
  });
  const path = join(await temporaryFolder(), 'x.mars2.zip');
  const source = { kind: 'experiment' as const, experimentId: tiny.id };
  expect(await reports.writeBundle({ source, path })).toMatchObject({ ok: true });
  const other = await reportProject([]);
  const saved: unknown[] = [];
  const theirs = createReportService({
    ...other.deps,
    outlines: { save: async ({ benchmark: { id }, problems }) => void saved.push(id, problems) },
  });
  expect(await theirs.openBundle(path)).toMatchObject({ ok: true });
  expect(saved).toEqual(['pocket', outline.slice(0, 2)]);
});
