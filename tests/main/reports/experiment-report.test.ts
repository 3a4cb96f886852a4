import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReportService } from '../../../main/reports';
import { experimentDocuments } from '../../../main/reports/logic/experiment-tables';
import { learningFigures } from '../../../main/reports/logic/learning-figures';
import { printedTable } from '../../../main/reports/logic/printed-table';
import { figureText } from '../../../main/reports/logic/reading';
import type { ReportFigure } from '../../../main/reports/logic/report-figure';
import type { ReportTable } from '../../../main/reports/logic/report-table';
import { longCsv, wideCsv } from '../../../main/reports/logic/table-csv';
import type { OutcomeFile } from '../../../main/storage';
import type {
  ExperimentLine,
  ExperimentPair,
  ExperimentResult,
  ExperimentView,
} from '../../../preload/contract';
import { COMPLEMENT_SENTENCE, differsByBothTests } from '../../../preload/contract/plans';
import { reportProject } from '../../support/report-project';
import { sampleDetails, sampleExperiment, sampleExperimentHandlers } from '../../support/sample-experiments';
import { temporaryFolder } from '../../support/temporary-folder';

const view = sampleExperiment('five-methods', 27).experiment;

function resultOf(): ExperimentResult {
  const answer = sampleExperimentHandlers([view])['experiment.result']?.({ experimentId: view.id });
  if (answer === undefined || !answer.ok) throw new Error('no result');
  return answer.value;
}

const result = resultOf();
const LINES: readonly ExperimentLine[] = view.order.rows.slice(0, 2).map(({ label }, at) => ({
  ...{ label, key: 'pass@1', part: 'evaluation', x: 'updates', seeds: 3 },
  points: [
    { x: 0, y: 0.2, low: 0.2, high: 0.2 },
    { x: 100, y: 0.4 + at / 10, low: 0.3, high: 0.5 + at / 10 },
  ],
}));
const details = await sampleDetails(view);
const { tables, figures } = experimentDocuments({ view, result, details }, LINES);
const [results, pairs, agents] = tables;

/** Rows of a CSV file by the names of its columns; prose, which has commas, is left out. */
function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text
    .replaceAll(/"[^"]*"/g, '')
    .trimEnd()
    .split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

it('has its results first, then what studies export too, and figures of results and of learning curves', () => {
  expect(tables.map(({ id }) => id)).toEqual([
    ...['results', 'pairs', 'agents'],
    ...['solves', 'gains', 'stability', 'costs', 'settings', 'breakdowns', 'breakdown-pairs'],
  ]);
  expect(figures.map(({ id }) => id)).toEqual(['results-bars', 'curves-evaluation-pass-1-updates']);
  for (const { columns, rows, id } of tables) {
    expect(new Set(columns.map((column) => column.id)).size, id).toBe(columns.length);
    for (const { cells } of rows) expect(cells, id).toHaveLength(columns.length);
  }
});

it('holds the numbers of the experiment, with intervals, seeds and their spread, as pocket scale', () => {
  if (results === undefined) throw new Error('no results');
  const labels = view.order.rows.map(({ label }) => label);
  expect(results.rows.map(({ label }) => label)).toEqual(labels);
  const numbered = results.rows.map((row, at) => ({ ...row, label: String(at) }));
  for (const row of rowsOf(wideCsv({ ...results, rows: numbered }).text)) {
    const cell = result.cells.find(
      ({ label, metric, part }) =>
        label === labels[Number(row.row)] && metric === 'pass@1(mcts)' && part === 'team',
    );
    expect(Number(row['pass@1(mcts)_team'])).toBe(cell?.value);
    expect(Number(row['pass@1(mcts)_team_low'])).toBe(cell?.low);
    expect(Number(row['pass@1(mcts)_team_seeds'])).toBe(cell?.seeds);
    expect(Number(row['pass@1(mcts)_team_seed_sd'])).toBe(cell?.seedSpread?.sd);
    expect(row.scale).toBe('pocket');
  }
});

it('says of each table on what it was measured, with how many seeds, and what its metrics count', () => {
  for (const table of tables.slice(0, 3)) {
    const { caption, notes, columns, rows } = printedTable(table);
    const said = notes.join(' ');
    expect(caption, table.id).toContain(
      'problems of the pocket test split (problem seed 5), N = 60 nodes a tree',
    );
    // 27 of 40 trainings are done: rows have three or four of five seeds.
    const at = columns.findIndex(({ label }) => label === 'Seeds');
    expect(rows[0]?.cells[at]?.text, table.id).toBe('4 of 11\u201315');
    expect(said, table.id).toMatch(/Pass@1( alone)?: share of independent first attempts/);
    expect(said, table.id).toContain('DA@10');
    expect(said, table.id).toMatch(
      /The families of pocket policies(, e\.g\. reader and tracer,)? were made to complement each other/,
    );
  }
  for (const row of rowsOf(wideCsv(results as ReportTable).text)) {
    expect(row).toMatchObject({ benchmark: 'the pocket test split (problem seed 5)', nodes_per_tree: '60' });
  }
  const [, first] = longCsv(results as ReportTable).text.split('\n');
  expect(first).toContain('for which some program of the search tree');
  expect(first).toContain('all agents in one tree. Search: MARS²-T (AB-MCTS-A: Beta beliefs,');
});

it('says in each figure on what it was measured, with which seeds, and what it cannot say', () => {
  const trained = learningFigures(
    view,
    LINES.map((line) => ({ ...line, part: 'train' as const })),
  );
  const [bars, curves] = [figures[0] as ReportFigure, figures[1] as ReportFigure];
  expect(figureText(curves)).toContain(
    'Pocket scale: 100 problems of the pocket test split (problem seed 5), 3 of the seeds 11\u201315.',
  );
  expect(figureText(trained[0] as ReportFigure)).toContain('1000 problems of the pocket train split');
  expect(figureText(bars)).toContain('Search: MARS²-T (');
  expect(figureText(curves)).toContain('Bands: from the lowest to the highest seed, which is no interval.');
  for (const figure of [bars, curves, ...trained]) {
    expect(figureText(figure)).toContain(
      'The families of pocket policies were made to complement each other',
    );
    expect(figureText(figure)).toContain('means over the seeds');
    expect(figureText(figure)).toContain('GRPO: each policy alone');
    expect(figureText(figure)).toContain('share of');
  }
});

/** The same result with these p of every pair. */
const withP = (p: Pick<ExperimentPair, 'pHolm'>): ExperimentResult => ({
  ...result,
  pairs: result.pairs.map((pair) => ({ ...pair, ...p })),
});

it.each([
  { pHolm: 0.05, found: false },
  { pHolm: 0.0499, found: true },
])('marks a corrected p of $pHolm alike in tables, notes and files', (one) => {
  const [table, differences] = experimentDocuments({ view, result: withP(one), details }, []).tables;
  if (table === undefined || differences === undefined) throw new Error('no tables');
  const printed = printedTable(table);
  const cells = printed.rows.flatMap((row) => row.cells);
  const at = table.columns.findIndex(({ id }) => id === 'pass@1(mcts)_team');
  const own = table.rows.flatMap(({ cells }) => cells[at] ?? []);
  const rivals = own.flatMap((cell) => (cell.kind === 'estimate' && !cell.best ? [cell] : []));
  expect(rivals.length).toBeGreaterThan(0);
  expect(new Set(rivals.map((cell) => cell.test?.isSignificant))).toEqual(new Set([one.found]));
  expect(cells.some(({ marks }) => marks.includes('\u2020'))).toBe(!one.found);
  expect(printed.notes.join(' ').includes('values without a mark differ significantly')).toBe(one.found);
  expect(printed.notes.join(' ')).toContain(
    'significant where p < 0.05: the larger p of sign flips over problems',
  );
  const against = rowsOf(wideCsv(table).text).map((row) => row['pass@1(mcts)_team_comparison']);
  expect(against.some((text) => text?.startsWith('significantly lower'))).toBe(one.found);
  const significant = rowsOf(wideCsv(differences).text).map((row) => row.separable);
  expect(new Set(significant)).toEqual(new Set([one.found ? 'yes' : 'no']));
});

it('names the tests under the table of differences, in print', () => {
  if (pairs === undefined) throw new Error('no pairs');
  const notes = printedTable(pairs).notes.join(' ');
  expect(notes).toContain('p over problems: sign-flip test');
  expect(notes).toContain('p over seeds: paired t test');
});

it('marks what the tests do not find different from the best', () => {
  if (results === undefined) throw new Error('no results');
  const at = results.columns.findIndex(({ id }) => id === 'pass@1(mcts)_team');
  const values = result.cells.filter(({ metric, part }) => metric === 'pass@1(mcts)' && part === 'team');
  const best = values.toSorted((a, b) => b.value - a.value)[0];
  for (const { label, cells } of results.rows) {
    const cell = cells[at];
    if (cell?.kind !== 'estimate') throw new Error('no estimate');
    const pair = result.pairs.find(
      ({ metric, part, first, second }) =>
        metric === 'pass@1(mcts)' &&
        part === 'team' &&
        [first, second].includes(label) &&
        [first, second].includes(best?.label ?? ''),
    );
    const isBest = cell.ours?.value === best?.value;
    expect(cell.best, label).toBe(isBest);
    if (!isBest)
      expect(cell.test?.isSignificant, label).toBe(pair === undefined ? null : differsByBothTests(pair));
  }
  expect(printedTable(results).notes.join(' ')).toContain("SD: standard deviation of the seeds' own values.");
});

it('prints differences of rates as points, and those of algorithms in a column of their own', () => {
  if (pairs === undefined || agents === undefined) throw new Error('no pairs');
  expect(pairs.rows).toHaveLength(result.pairs.length);
  const [points, algorithms] = ['difference', 'difference_algorithms'].map((name) =>
    pairs.columns.findIndex(({ id }) => id === name),
  );
  for (const [row, { metric, difference }] of result.pairs.entries()) {
    const own = pairs.rows[row]?.cells[(metric === 'da@k' ? algorithms : points) ?? -1];
    expect(own?.kind === 'estimate' ? own.ours?.value : null).toBe(difference);
  }
  const ofAgents = result.cells.filter(({ part, metric }) => part === 'agent' && metric === 'pass@1');
  expect(agents.rows.map(({ group, label }) => [group, label])).toEqual(
    ofAgents.map(({ label, agentId }) => [label, agentId]),
  );
});

/** Reports about the experiment, from these files. */
async function reportsOf(files: readonly OutcomeFile[]) {
  const project = await reportProject([]);
  return createReportService({
    ...project.deps,
    experiments: {
      ...project.deps.experiments,
      list: () => [{ ...view, state: { kind: 'done' } }],
      result: async () => ({ ok: true, value: result }),
      details: async () => ({ ok: true, value: details }),
      lines: async () => ({ ok: true, value: LINES }),
      outcomeFiles: async () => files,
    },
  });
}

it('is not exported, in no format, from damaged results, and the refusal names the file', async () => {
  const source = { kind: 'experiment' as const, experimentId: view.id };
  const whole = { stepId: '0', title: 'Base, seed 11', path: '/there/0.json', damage: null };
  const reports = await reportsOf([
    whole,
    { ...whole, title: 'Base, seed 12', path: '/there/8.json', damage: 'it is not JSON' },
  ]);
  const path = join(await temporaryFolder(), 'x');
  const answers = [
    await reports.write({ request: { source, format: 'csv', width: 'one-column' }, path }),
    await reports.write({ request: { source, format: 'all', width: 'one-column' }, path }),
    await reports.writeBundle({ source, path }),
    await reports.bundleContents(source),
  ];
  for (const answer of answers) {
    expect(answer.ok ? '' : answer.error.message).toBe(
      'Nothing is exported: the results of "Base, seed 12" cannot be used (/there/8.json: it is not JSON).',
    );
  }
});

it('is written in every format, with a manifest that names what was asked for and its trainings', async () => {
  const outcome = join(await temporaryFolder(), '0.json');
  await writeFile(outcome, 'measured');
  const reports = await reportsOf([{ stepId: '0', title: 'Base, seed 11', path: outcome, damage: null }]);
  const path = await temporaryFolder();
  const source = { kind: 'experiment' as const, experimentId: view.id };
  const request = { source, format: 'all' as const, width: 'one-column' as const };
  const written = await reports.write({ request, path });
  expect(written.ok).toBe(true);
  expect((await readdir(join(path, 'tables'))).filter((name) => name.startsWith('results'))).toEqual([
    'results.csv',
    'results.json',
    'results.long.csv',
    'results.md',
    'results.tex',
  ]);
  expect(await readdir(join(path, 'figures'))).toEqual(
    expect.arrayContaining([
      'results-bars.one-column.pdf',
      'curves-evaluation-pass-1-updates.one-column.svg',
    ]),
  );
  const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
  expect(manifest.command).toContain(`export ${view.id} --format all`);
  expect(manifest.experiment).toMatchObject({ id: view.id, request: { seeds: view.order.seeds } });
  const [first, second] = manifest.experiment.trainings;
  const sha256 = createHash('sha256').update('measured').digest('hex');
  expect(first.outcome).toEqual({ name: 'outcomes/0.json', bytes: 8, sha256 });
  expect(second.outcome).toBeNull();
  expect(manifest.limits).toEqual([COMPLEMENT_SENTENCE, expect.stringContaining('pocket scale')]);
  const drawn = await readFile(join(path, 'tables', 'results.md'), 'utf8');
  expect(drawn).toContain('of the pocket test split (problem seed 5), N = 60 nodes a tree');
  const figure = await readFile(join(path, 'figures', 'results-bars.csv'), 'utf8');
  expect(figure).toContain('pocket test split');
  expect(await reports.parts({ ...source, experimentId: 'nothing' })).toMatchObject({
    ok: false,
    error: { message: 'There is no experiment nothing.' },
  });
});

it('has a manifest beside the CSV files of its own command, too', async () => {
  const project = await reportProject([]);
  const reports = createReportService({
    ...project.deps,
    experiments: {
      ...project.deps.experiments,
      list: () => [view],
      exportCsv: async (_, kind) => ({ ok: true, value: { text: `${kind}\n`, rows: 0 } }),
    },
  });
  const path = join(await temporaryFolder(), 'pairs.csv');
  expect(await reports.writeExperimentCsv({ experimentId: view.id, kind: 'pairs', path })).toEqual({
    ok: true,
    value: { path, rows: 0, bytes: 6 },
  });
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  expect(manifest).toMatchObject({
    command: `npm run -s cli -- experiments export ${view.id} --what pairs --out FILE`,
    files: [{ name: 'pairs.csv', bytes: 6 }],
    methods: [expect.stringContaining('seeds and problems drawn independently')],
    limits: [COMPLEMENT_SENTENCE, expect.stringContaining('pocket scale')],
    experiment: { id: view.id },
  });
  expect(await reports.check(path)).toMatchObject({
    ok: true,
    value: { files: [{ state: 'same' }] },
  });
});

it('goes to another lab in a bundle, which lists it read-only and works out the same tables', async () => {
  const project = await reportProject([]);
  const folder = join(project.dataDir, 'experiments', view.id);
  await mkdir(join(folder, 'outcomes'), { recursive: true });
  await writeFile(join(folder, 'experiment.json'), JSON.stringify({ id: view.id }));
  await writeFile(join(folder, 'outcomes', '0.json'), '{}');
  const done: ExperimentView = { ...view, state: { kind: 'done' } };
  const source = { kind: 'experiment' as const, experimentId: view.id };
  const own = (list: readonly ExperimentView[]) => ({
    list: () => list,
    result: async () => ({ ok: true as const, value: result }),
    details: async () => ({ ok: true as const, value: details }),
    lines: async () => ({ ok: true as const, value: LINES }),
  });
  const reports = createReportService({
    ...project.deps,
    experiments: { ...project.deps.experiments, ...own([done]) },
  });
  const path = join(await temporaryFolder(), 'x.mars2.zip');
  expect(await reports.bundleContents(source)).toMatchObject({ ok: true });
  expect(await reports.writeBundle({ source, path })).toMatchObject({ ok: true });
  const busy = createReportService({
    ...project.deps,
    experiments: { ...project.deps.experiments, ...own([{ ...view, state: { kind: 'running' } }]) },
  });
  expect(await busy.writeBundle({ source, path })).toMatchObject({ ok: false, error: { code: 'conflict' } });

  const other = await reportProject([]);
  const adopted: string[] = [];
  const theirs: ExperimentView[] = [];
  const lab = createReportService({
    ...other.deps,
    experiments: {
      ...other.deps.experiments,
      ...own(theirs),
      adopt: async (id, from, bundle) => {
        adopted.push(id, bundle, ...(await readdir(from)).sort());
        theirs.push(done);
        return { ok: true, value: null };
      },
    },
  });
  expect(await lab.openBundle(path)).toMatchObject({
    ok: true,
    value: { experimentIds: [view.id], differing: [], tables: 10 },
  });
  expect(adopted).toEqual([view.id, view.order.name, 'experiment.json', 'outcomes']);
  expect(await lab.openBundle(path)).toMatchObject({ ok: false, error: { code: 'conflict' } });
});
