import { expect, it } from 'vitest';
import { type ReportCell, type ReportTable, renderTable } from '../../../main/reports';
import { comparisonFigures } from '../../../main/reports/logic/comparison-figures';
import { comparisonTables } from '../../../main/reports/logic/comparison-tables';
import { matchedPairsTable, partPairsTable } from '../../../main/reports/logic/pair-tables';
import { figureLimits, figureText } from '../../../main/reports/logic/reading';
import { resultsTable, sumsTitle } from '../../../main/reports/logic/results-table';
import { searchNotes, teamNotes } from '../../../main/reports/logic/search-notes';
import { type MetricName, runComparisonSchema } from '../../../preload/contract';
import { SAME_POLICIES_SENTENCE } from '../../../preload/contract/plans';
import { endedViews, sampleComparison } from '../../support/sample-comparison';
import { sampleStudy } from '../../support/sample-study';

const study = sampleStudy({ problems: 8, nodes: 12 });
const views = endedViews(study);
const answer = sampleComparison(
  study.runs.map(({ id }) => ({ runId: id })),
  {
    studies: [study],
    viewOf: (_studyId, runId) => views.get(runId) ?? null,
    prices: { currency: 'EUR', perGpuHour: 2, perMillionTokens: 1 },
  },
);
if (!answer.ok) throw new Error(answer.error.message);
const comparison = runComparisonSchema.parse(answer.value);
const tables = new Map(comparisonTables(comparison).map((table) => [table.id, table]));

function tableOf(id: string): ReportTable {
  const table = tables.get(id);
  if (table === undefined) throw new Error(`no table ${id}`);
  return table;
}

/** What stands in a column of every row. */
function valuesIn(id: string, column: string): (number | string | null)[] {
  const table = tableOf(id);
  const at = table.columns.findIndex((one) => one.id === column);
  return table.rows.map(({ cells }) => shownBy(cells[at]));
}

function shownBy(cell: ReportCell | undefined): number | string | null {
  if (cell === undefined) throw new Error('a row has fewer cells than columns');
  if (cell.kind === 'text') return cell.text;
  return cell.kind === 'number' ? cell.value : (cell.ours?.value ?? null);
}

it('every row of every table has a cell for every column', () => {
  for (const { columns, rows, id } of tables.values()) {
    for (const { cells } of rows) expect(cells, id).toHaveLength(columns.length);
    expect(new Set(columns.map((column) => column.id)).size, id).toBe(columns.length);
  }
});

it("every figure says in its picture and beside its data what limits it: a team's built-in lead, and one seed", () => {
  const limits =
    'The families of pocket policies were made to complement each other: where several agents lead over one alone, that is built in. One seed: the chance of training is not shown.';
  const figures = comparisonFigures(comparison);
  expect(figures.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['lines', 'bars', 'grid']));
  for (const figure of figures) expect(figureText(figure), figure.id).toContain(limits);

  expect(figureLimits(['Some values have one seed: the intervals cover the choice of problems.'])).toEqual([
    'Some values have one seed: the chance of training is not shown.',
  ]);
  expect(figureLimits([SAME_POLICIES_SENTENCE])).toEqual([
    'All seeds have the same policies: the chance of training is not shown.',
  ]);
  expect(figureLimits(['Each interval is for one value.'])).toEqual([]);
});

it('the results say how large a difference had to be, and sums over several seeds say so in their title', () => {
  const { analysis } = comparison;
  const [first] = analysis.pairs;
  if (first === undefined) throw new Error('pairs');
  const differing = { ...first, test: { ...first.test, onlyFirst: 2, onlySecond: 1 } };
  const notesWith = (detectable: readonly (number | null)[], ...others: readonly MetricName[]): string => {
    const main = others.length === 0 ? 'pass@1(mcts)' : 'pass@n';
    const pairs = [
      ...others.map((metric) => ({ ...differing, metric, detectable: 0.031 })),
      ...detectable.map((one) => ({ ...differing, metric: main as MetricName, detectable: one })),
    ];
    return resultsTable({ ...analysis, pairs }, []).notes.join(' ');
  };
  expect(notesWith([0.9, null, 0.8125])).toContain(
    'had to be to be detected: here for Pass@1(MCTS) 81.3 points or more, depending on the pair of configurations; a smaller one may be there unseen.',
  );
  // Another metric, whose pairs differ less, does not speak for the main one.
  expect(notesWith([0.33], 'pass@1', 'pass@1(mcts)')).toContain(
    'here for Pass@1(MCTS) 3.1 points, depending',
  );
  expect(notesWith([0.19, 0.33])).toContain('here for Pass@1(MCTS) 19.0 to 33.0 points, depending');
  expect(notesWith([0.9], 'pass@1')).toContain('here for Pass@1 3.1 points, depending');
  expect(notesWith([null])).toContain('Even a true difference of 100 points of Pass@1(MCTS) would not have');
  expect(sumsTitle('Sums', analysis)).toBe('Sums');
  const rows = analysis.rows.map((row) => ({ ...row, seeds: [1, 2] }));
  expect(sumsTitle('Sums', { rows })).toBe("Sums, summed over the seeds (SD: of each seed's own number)");
});

it('every table and figure names the search and, where names do not say it, the agents', () => {
  const search =
    'MARS²-T, partial credit (AB-MCTS-A: Beta beliefs, agents by Thompson sampling, no depth guidance; answer: of the programs that pass the most public tests, the latest)';
  const agents =
    'Agents. single: reader; homogeneous: reader as solver + reader as refiner; heterogeneous: reader + tracer.';
  for (const { notes, id } of tables.values())
    expect(notes, id).toEqual(expect.arrayContaining([`Search: ${search}.`, agents]));
  for (const figure of comparisonFigures(comparison)) {
    expect(figureText(figure), figure.id).toContain(agents);
    expect(figureText(figure).includes(`Search: ${search}.`), figure.id).toBe(
      !figure.id.startsWith('pass-k'),
    );
  }
  const varied = { ...comparison, searches: ['MARS²-T', 'MARS²-T', 'Repeated sampling'] };
  expect(searchNotes(varied)).toEqual([
    'Search. single, homogeneous: MARS²-T; heterogeneous: Repeated sampling.',
  ]);
  const rows = comparison.analysis.rows.map((row) => ({ ...row, configuration: `${row.team}, base` }));
  expect(teamNotes({ analysis: { ...comparison.analysis, rows } })).toEqual([]);
});

it('of more than six configurations parts and equal budgets say that the first alone is compared', () => {
  const { analysis } = comparison;
  const [row] = analysis.rows;
  const rows = Array.from({ length: 7 }, (_, at) => ({ ...row, configuration: `c${at}` }));
  const seven = { ...comparison, analysis: { ...analysis, rows } as typeof analysis };
  const note = 'Of 7 configurations only the differences from the first, "c0", are compared here.';
  expect(matchedPairsTable(seven).notes).toContain(note);
  expect(partPairsTable(seven.analysis).notes).toContain(note);
  expect(JSON.stringify([...tables.values()])).not.toContain('are compared here');
});

it('holds the numbers of the comparison', () => {
  const { analysis, solves, shapes, contributions } = comparison;
  const names = analysis.rows.map(({ configuration }) => configuration);
  expect(tableOf('results').rows.map(({ label }) => label)).toEqual(names);
  const passAtN = analysis.rows.map(
    ({ cells }) => cells.find(({ metric }) => metric === 'pass@n')?.value ?? null,
  );
  expect(valuesIn('results', 'pass@n')).toEqual(passAtN);
  expect(valuesIn('pairs', 'difference')).toEqual(analysis.pairs.map(({ difference }) => difference));
  expect(valuesIn('pairs', 'p_holm')).toEqual(analysis.pairs.map(({ test }) => test.pHolm));
  const [first = ''] = names;
  expect(valuesIn('solves', first)).toEqual(solves.problems.map(({ cells }) => cells[0]?.solved01 ?? null));
  expect(valuesIn('shapes', 'mean_depth')).toEqual(shapes.map(({ meanDepth }) => meanDepth));
  expect(valuesIn('costs', 'candidates')).toEqual(analysis.costs.map(({ candidates }) => candidates));
  expect(valuesIn('costs', 'money')).toEqual(analysis.costs.map(({ money }) => money?.amount ?? null));
  const tokens = contributions.flatMap(({ agents }) => agents.map((agent) => agent.tokens));
  expect(valuesIn('contributions', 'tokens')).toEqual(tokens);
});

it('in each metric one configuration is the best, and exactly those that share a letter with it are marked', () => {
  const { analysis } = comparison;
  for (const [at, { id }] of tableOf('results').columns.entries()) {
    const cells = tableOf('results').rows.flatMap(({ cells: row, label }) => {
      const cell = row[at];
      return cell?.kind === 'estimate' ? [{ label, ...cell }] : [];
    });
    if (cells.length === 0) continue;
    const best = cells.filter((cell) => cell.best);
    expect(best).toHaveLength(1);
    expect(best[0]?.ours?.value).toBe(Math.max(...cells.map(({ ours }) => ours?.value ?? 0)));
    const letters = new Map(
      analysis.groupings
        .find(({ metric }) => metric === id)
        ?.letters.map((one) => [one.configuration, new Set(one.letters)]),
    );
    const ofBest = letters.get(best[0]?.label ?? '') ?? new Set();
    for (const { label, test } of cells) {
      const shared = [...(letters.get(label) ?? [])].some((letter) => ofBest.has(letter));
      expect(test?.isSignificant === false, `${id} ${label}`).toBe(shared && label !== best[0]?.label);
    }
  }
});

it('of equal highest values each is bold, none as the only one', () => {
  const { analysis } = comparison;
  const [at, metric] = [tableOf('results').columns.findIndex(({ id }) => id === 'pass@n'), 'pass@n'];
  const rows = analysis.rows.map((row, place) => ({
    ...row,
    // Rounding noise is no difference.
    cells: row.cells.map((cell) =>
      cell.metric !== metric || place > 1 ? cell : { ...cell, value: place === 0 ? 0.1 + 0.2 + 0.6 : 0.9 },
    ),
  }));
  const [table] = comparisonTables({ ...comparison, analysis: { ...analysis, rows } });
  const best = table?.rows.map(({ cells }) => cells[at]?.kind === 'estimate' && cells[at].best);
  expect(best?.slice(0, 2)).toEqual([true, true]);
  expect(best?.slice(2).some(Boolean)).toBe(false);
  const printed = renderTable(table as ReportTable, 'markdown').toString();
  expect(printed.match(/\*\*90\.0\*\*/g)).toHaveLength(2);
});

it('a figure for every measure and axis that has a curve, each configuration at its place', () => {
  const { analysis, configurations } = comparison;
  const figures = comparisonFigures(comparison);
  const kinds = new Set(analysis.curves.map(({ measure, axis }) => `${measure} ${axis}`));
  const lines = figures.flatMap((figure) => (figure.kind === 'lines' ? [figure] : []));
  expect(lines).toHaveLength(kinds.size);
  for (const { series } of lines) {
    for (const { label, position } of series) expect(configurations[position]).toBe(label);
  }
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
});

it('who solves what stands from the easiest problem to the hardest', () => {
  const grid = comparisonFigures(comparison).find(({ kind }) => kind === 'grid');
  if (grid?.kind !== 'grid') throw new Error('no grid');
  const means = (grid.rows[0]?.shares ?? []).map((_, at) => {
    const shares = grid.rows.flatMap(({ shares: row }) => row[at] ?? []);
    return shares.reduce((sum, one) => sum + one, 0) / shares.length;
  });
  expect(means).toHaveLength(8);
  expect([...means].sort((a, b) => b - a)).toEqual(means);
});
