import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Exhibit, exhibitSchema, type Study } from '../../../preload/contract';
import {
  COMPLEMENT_SENTENCE,
  CONTROL_SENTENCE,
  exhibitOfRuns,
  fillAtHand,
  searchesSentence,
  withAddedRuns,
  withRunsAtHand,
} from '../../../preload/contract/plans';
import { rowsOfCsv } from '../../support/by-python';
import { reportProject } from '../../support/report-project';
import { sampleExhibit } from '../../support/sample-exhibits';
import { sampleStudy } from '../../support/sample-study';
import { tinyExhibit } from '../../support/tiny-exhibit';
import { unwrap } from '../../support/unwrap';

/** As if a small language model had written the sample's journals for another benchmark. */
function otherStudy(): Study {
  const study = sampleStudy({ id: 'study-2', name: 'HumanEval', problems: 4, nodes: 6, seeds: [7] });
  const runs = study.runs.map((run) => ({ ...run, scale: 'desk' as const, benchmarkId: 'humaneval' }));
  return { ...study, scale: 'desk', runs };
}

/** Two rows, a column for each benchmark. */
function ownTable(): Exhibit {
  const { paper, models } = tinyExhibit();
  const cells = ['single', 'heterogeneous'].flatMap((row) =>
    ['study-1', 'study-2'].map((study) => ({ row, study, configuration: `${row}-${study}` })),
  );
  return exhibitSchema.parse({
    version: 1,
    id: 'our-table',
    paper,
    place: 'Table 1',
    title: 'What we have',
    models,
    configurations: cells.map(({ configuration, row, study }) => ({
      id: configuration,
      label: configuration,
      models: ['first'],
      method: 'base',
      study: { id: study, configuration: row },
    })),
    rows: [
      { id: 'single', label: 'Alone' },
      { id: 'heterogeneous', label: 'Together' },
    ],
    columns: [
      { id: 'study-1', label: 'Pocket' },
      { id: 'study-2', label: 'HumanEval' },
    ],
    cells: cells.map(({ row, study, configuration }) => ({
      row,
      column: study,
      configuration,
      measure: { kind: 'metric', metric: 'pass@1(mcts)' },
    })),
    scales: {},
  });
}

async function project(table = ownTable(), change: Partial<Study> = {}) {
  const study = { ...sampleStudy({ problems: 5, nodes: 6, seeds: [1, 2] }), ...change };
  const made = await reportProject([study, otherStudy()]);
  await mkdir(join(made.dataDir, 'exhibits'), { recursive: true });
  await writeFile(join(made.dataDir, 'exhibits', `${table.id}.json`), JSON.stringify(table));
  return made;
}

test('a table of one’s own is filled by runs at hand, a benchmark a column, each with its own scale and seeds', async () => {
  const fill = fillAtHand(ownTable());
  if (fill === null) throw new Error('It names studies');
  const { deps, reports, dataDir } = await project();
  const { result } = await unwrap(deps.fillExhibit(fill));
  expect(result.scale).toBe('own');
  expect(result.cells.map(({ ours }) => ours?.problems)).toEqual([5, 4, 5, 4]);
  expect(result.cells.map(({ atHand }) => `${atHand?.scale} ${atHand?.benchmarks} ${atHand?.seeds}`)).toEqual(
    [
      ...['pocket pocket-test-1 1,2', 'desk humaneval 7'],
      ...['pocket pocket-test-1 1,2', 'desk humaneval 7'],
    ],
  );
  // Without a paper beside it nothing is said of its numbers.
  expect(result.cells.every(({ notComparable }) => notComparable.length === 0)).toBe(true);
  // Nothing was trained, so nothing is said of trainings in another experiment.
  expect(result.sentences).toContain(COMPLEMENT_SENTENCE);
  expect(result.sentences).not.toContain(CONTROL_SENTENCE);
  expect(result.cells[0]?.atHand).toMatchObject({
    problems: 5,
    searches: [{ name: expect.stringContaining('MARS²'), nodes: 6 }],
  });
  const path = join(dataDir, 'table.csv');
  const source = { kind: 'filled-exhibit', fill } as const;
  await unwrap(reports.write({ request: { source, format: 'csv', width: 'one-column' }, path }));
  const [row] = rowsOfCsv(await readFile(path, 'utf8'));
  expect(row).toMatchObject({
    row: 'Alone',
    scale: 'pocket',
    seed_numbers: '1 2 7',
    'study-2_problems': '4',
  });
  const manifest = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  expect(manifest.command).toContain('exhibits fill our-table --out DIR');
  expect(manifest.runs).toHaveLength(6);
});

test('a damaged journal behind a table of one’s own is its first caution, before what is always said', async () => {
  const fill = fillAtHand(ownTable());
  if (fill === null) throw new Error('It names studies');
  const { deps } = await project();
  const [, run] = sampleStudy({ seeds: [1, 2] }).runs.filter(
    ({ configuration }) => configuration === 'single',
  );
  const journal = deps.journal('study-1', run?.id ?? '');
  const bytes = await readFile(journal);
  const at = bytes.indexOf(0x0a) + 30;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(journal, bytes);
  const { result } = await unwrap(deps.fillExhibit(fill));
  const text = expect.stringMatching(
    /^"Quickstart": Part of the run single, seed 2 is missing\..* at line 2: /,
  );
  expect(result.cautions?.[0]).toEqual({ kind: 'damaged', studyId: 'study-1', text });
  expect(result.sentences[0]).toBe(result.cautions?.[0]?.text);
  expect(result.chips?.[0]?.text).toBe('"Quickstart": Part of the run single, seed 2 is missing');
});

test('a figure of one’s own is a paper’s, with runs at hand in its lines and one line more', async () => {
  const copy = { ...sampleExhibit('scaling-law'), id: 'our-figure' };
  const [first] = copy.series;
  if (first === undefined) throw new Error('It has lines');
  const runs = (id: string, configuration: string) => ({ id, configuration });
  const chosen = withRunsAtHand(copy, first.configuration, runs('study-1', 'heterogeneous'));
  const own = exhibitSchema.parse(withAddedRuns(chosen, runs('study-2', 'single')));
  expect(own.series.length).toBe(copy.series.length + 1);
  expect(withRunsAtHand(chosen, first.configuration, null)).toEqual(copy);
  const fill = fillAtHand(own);
  if (fill === null) throw new Error('It names studies');
  const { deps, reports, dataDir } = await project(own);
  const { exhibit, result } = await unwrap(deps.fillExhibit(fill));
  expect(exhibit.series.map(({ label }) => label)).toEqual([first.label, 'single']);
  // Six nodes a tree: a point for each.
  expect(result.series.map(({ points }) => points.length)).toEqual([6, 6]);
  const path = join(dataDir, 'figure.csv');
  const request = { source: { kind: 'filled-exhibit', fill }, format: 'csv', width: 'one-column' } as const;
  const parts = await unwrap(reports.parts(request.source));
  const figure = parts.find(({ kind }) => kind === 'figure')?.id ?? '';
  await unwrap(reports.write({ request: { ...request, part: figure }, path }));
  const lines = rowsOfCsv(await readFile(path, 'utf8'));
  expect(new Set(lines.map((line) => line.series))).toEqual(new Set([first.label, 'single']));
});

test('a column of diversity is measured of the programs at hand, once', async () => {
  // The sample’s trees have no texts of programs, so this is the measure that they have.
  const measure = { kind: 'diversity', measure: 'aec', k: null } as const;
  const metric = ownTable();
  const table = { ...metric, cells: metric.cells.map((cell) => ({ ...cell, measure })) };
  const fill = fillAtHand(table);
  if (fill === null) throw new Error('It names studies');
  const { deps, comparison } = await project(table);
  const measured = vi.spyOn(comparison, 'diversity');
  const { result } = await unwrap(deps.fillExhibit(fill));
  expect(result.cells.map(({ state, ours }) => [state.kind, ours?.seeds])).toEqual([
    ...[
      ['done', 2],
      ['done', 1],
    ],
    ...[
      ['done', 2],
      ['done', 1],
    ],
  ]);
  const [runs, how] = measured.mock.calls[0] as Parameters<typeof comparison.diversity>;
  expect(runs.map(({ label }) => label)).toEqual(['single-study-1', 'single-study-1']);
  const alone = await unwrap(comparison.diversity(runs, how));
  const expected = alone.cells.find((cell) => cell.measure === 'aec');
  expect(result.cells[0]?.ours).toMatchObject({ value: expected?.value, problems: expected?.problems });
  measured.mockClear();
  expect((await unwrap(deps.fillExhibit(fill))).result).toEqual(result);
  expect(measured).not.toHaveBeenCalled();
});

test('a row of a table may be added for runs at hand, measured as its others, under a name that is free', () => {
  const table = ownTable();
  const again = withAddedRuns(withAddedRuns(table, { id: 's', configuration: 'single' }), {
    ...{ id: 't', configuration: 'single' },
  });
  expect(exhibitSchema.safeParse(again).success).toBe(true);
  expect(again.rows.map(({ id }) => id)).toEqual(['single', 'heterogeneous', 'single-2', 'single-3']);
  expect(again.cells.slice(-2).map(({ column, measure }) => [column, measure])).toEqual(
    table.columns.map(({ id }) => [id, { kind: 'metric', metric: 'pass@1(mcts)' }]),
  );
  expect(again.series).toEqual([]);
});

test('a study that its file does not name fills no row of another scale', async () => {
  const fill = fillAtHand(ownTable());
  if (fill === null) throw new Error('It names studies');
  const { deps } = await project();
  const [first, ...others] = fill.filled;
  const changed = { ...fill, filled: [{ ...first, configuration: 'homogeneous' }, ...others] };
  expect(await deps.fillExhibit(changed as typeof fill)).toMatchObject({
    ok: false,
    error: { code: 'bad-input' },
  });
});

test('a study that is not here is named', async () => {
  const table = ownTable();
  const gone = {
    ...table,
    configurations: table.configurations.map((one) => ({
      ...one,
      study: { id: 'study-9', configuration: 'single' },
    })),
  };
  const { deps } = await project(gone);
  const fill = fillAtHand(gone);
  if (fill === null) throw new Error('It names studies');
  expect(await deps.fillExhibit(fill)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('study-9') },
  });
});

test('a table of all runs of a study needs no scales, and is filled in full', async () => {
  const configurations = ['single', 'heterogeneous'];
  const table = exhibitOfRuns({ id: 'study-1', name: 'Two teams', configurations });
  const { scales: _, ...written } = { ...table, id: 'two-teams' };
  const own = exhibitSchema.parse(written);
  expect(own).toEqual({ ...table, id: 'two-teams' });
  const fill = fillAtHand(own);
  if (fill === null) throw new Error('It names studies');
  const { deps } = await project(own);
  const { exhibit, result } = await unwrap(deps.fillExhibit(fill));
  expect(exhibit.rows.map(({ label }) => label)).toEqual(configurations);
  expect(result.cells.map(({ ours }) => ours?.problems)).toEqual([5, 5, 5, 5]);
  expect(exhibit.cells.map(({ measure }) => (measure.kind === 'metric' ? measure.metric : ''))).toEqual([
    ...['pass@1(mcts)', 'pass@n'],
    ...['pass@1(mcts)', 'pass@n'],
  ]);
  expect(result.series.map(({ points }) => points.length)).toEqual([6, 6]);
});

test('rows that search in different ways are named with their searches, a group at once where it is alike', () => {
  const row = (id: string, group: string) => ({ id, label: `N of ${id}`, group });
  const rows = [row('a', 'reader'), row('b', 'reader'), row('c', 'team'), row('d', 'team')];
  const filledBy = (...names: string[]) =>
    rows.map(({ id }, at) => ({
      row: id,
      atHand: {
        ...{ scale: 'pocket' as const, seeds: [1], benchmarks: [], models: [] },
        searches: [{ name: names[at] ?? '', nodes: 8 * (at + 1) }],
      },
    }));
  expect(searchesSentence(rows, filledBy('MARS²-T', 'MARS²-T', 'MARS²-T', 'MARS²-T'))).toBeNull();
  expect(searchesSentence(rows, filledBy('Repeated', 'Repeated', 'MARS²-T', 'AB-MCTS-A'))).toBe(
    'The rows differ in how they search: reader by Repeated; team, N of c by MARS²-T; team, N of d by AB-MCTS-A. A difference between them is not of their models alone.',
  );
});

test('a study that was extended after its results were seen says so in the table that it fills, and in its files', async () => {
  const table = ownTable();
  const added = { seeds: [2], problems: 0, nodes: null, configurations: [] };
  const extensions = [{ at: '2026-01-02T00:00:00.000Z', afterResults: true, ...added }];
  const { deps, reports, dataDir } = await project(table, { extensions });
  const fill = fillAtHand(table);
  if (fill === null) throw new Error('It names studies');
  const { result } = await unwrap(deps.fillExhibit(fill));
  const said = /^".+": The study was extended .* they do not account for looking 2 times/;
  expect(result.sentences.filter((sentence) => said.test(sentence))).toHaveLength(1);
  const path = join(dataDir, 'table.md');
  const source = { kind: 'filled-exhibit', fill } as const;
  await unwrap(reports.write({ request: { source, format: 'markdown', width: 'one-column' }, path }));
  expect(await readFile(path, 'utf8')).toContain('they do not account for looking 2 times');
  // Its figure is shown without the table.
  const picture = { source, format: 'svg', part: 'bars', width: 'two-columns' } as const;
  await unwrap(reports.write({ request: picture, path: join(dataDir, 'bars.svg') }));
  expect(await readFile(join(dataDir, 'bars.svg'), 'utf8')).toContain('Intervals after looking 2 times');
});

test('a line says that its study was extended after its results were seen; lines of other studies do not', async () => {
  const added = { seeds: [2], problems: 0, nodes: null, configurations: [] };
  const extensions = [{ at: '2026-01-02T00:00:00.000Z', afterResults: true, ...added }];
  const legendOf = async (studyId: string) => {
    const all = exhibitOfRuns({ id: studyId, name: 'Ours', configurations: ['single'] });
    const other = withAddedRuns(all, { id: 'study-2', configuration: 'single' });
    const own = { ...other, rows: [], columns: [], cells: [] };
    const { reports, dataDir } = await project(own, { extensions });
    const fill = fillAtHand(own);
    if (fill === null) throw new Error('It names studies');
    const source = { kind: 'filled-exhibit', fill } as const;
    const path = join(dataDir, 'curves.json');
    const request = { source, format: 'json', part: 'curves', width: 'one-column' } as const;
    await unwrap(reports.write({ request, path }));
    return JSON.parse(await readFile(path, 'utf8')).legend.join('\n');
  };
  expect(await legendOf('study-1')).toMatch(
    /^".+": Intervals after looking 2 times, which they do not account for\.$/m,
  );
  expect(await legendOf('study-2')).not.toContain('after looking');
});

test('a table without the row of a removed study is not complete, and can be exported', async () => {
  const table = ownTable();
  const [first, ...others] = table.configurations;
  const gone = { ...first, study: { id: 'study-9', configuration: 'single' } } as typeof first;
  const own = { ...table, configurations: [gone, ...others].flatMap((one) => one ?? []) };
  const { deps, reports, dataDir } = await project(own);
  const fill = fillAtHand(own);
  if (fill === null) throw new Error('It names studies');
  const { result } = await unwrap(deps.fillExhibit(fill));
  const said = 'Not complete: 1 of 4 values is missing. Alone in Pocket: There is no study study-9.';
  expect([result.complete, result.cautions?.[0]?.text]).toEqual([false, said]);
  const path = join(dataDir, 'table.csv');
  const source = { kind: 'filled-exhibit', fill } as const;
  await unwrap(reports.write({ request: { source, format: 'csv', width: 'one-column' }, path }));
  const [row] = rowsOfCsv(await readFile(path, 'utf8'));
  expect(row).toMatchObject({ complete: 'no', about_table: expect.stringContaining(said) });
});
