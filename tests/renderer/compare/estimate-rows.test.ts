import { describe, expect, test } from 'vitest';
import type { Analysis, MetricCell } from '../../../preload/contract';
import { basisOf, estimateRows, factColumns, orderedRows } from '../../../renderer/compare/estimate-rows';
import { groupByValue } from '../../../renderer/compare/settings-section';
import { measuredMetrics } from '../../../renderer/text/metrics';
import { sampleAnalysis } from '../../support/sample-records';

function cell(change: Partial<MetricCell> = {}): MetricCell {
  return {
    metric: 'pass@n',
    value: 0.5,
    low: 0.4,
    high: 0.6,
    problems: 40,
    candidates: 960,
    faults: 0,
    ...change,
  };
}

function analysisOf(cells: Readonly<Record<string, readonly MetricCell[]>>): Analysis {
  return sampleAnalysis({
    rows: Object.entries(cells).map(([configuration, own]) => ({
      configuration,
      team: 'reader',
      scale: 'pocket',
      seeds: [1, 2, 3, 4],
      nodesPerTree: 24,
      distinctShare: 0.815,
      cells: [...own],
    })),
    groupings: [{ metric: 'pass@n', letters: [{ configuration: 'a', letters: 'ab' }] }],
  });
}

const rows = ['a', 'b', 'c'].map((name) => ({ name, color: name }));

const EMPTY = {
  hues: [0, 1, 2],
  configurations: ['a', 'b', 'c'],
  solves: { configurations: [], problems: [], byAll: 0, byNone: 0, byOneAlone: [] },
  gains: [],
  cutoffs: [],
  matched: [],
  contributions: [],
  shapes: [],
  searches: [],
  differences: [],
  cautions: [],
};

describe('the table of a comparison', () => {
  const analysis = analysisOf({
    a: [cell({ value: 0.2 })],
    b: [cell({ value: 0.9 })],
    c: [cell({ value: 0, problems: 0 })],
  });

  test('keeps the order of the choice, or puts the highest value first and what has none last', () => {
    expect(orderedRows(rows, analysis, 'given')).toBe(rows);
    expect(orderedRows(rows, analysis, 'pass@n').map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  });

  test('has no column Pass@10 where no configuration took ten samples', () => {
    expect(measuredMetrics(analysis).map(({ id }) => id)).not.toContain('pass@10');
    const finished = { ...analysisOf({ a: [cell()] }), complete: true };
    expect(measuredMetrics(finished).map(({ id }) => id)).toEqual(['pass@n']);
    const ten = analysisOf({ a: [cell({ metric: 'pass@10' })] });
    expect(measuredMetrics(ten).map(({ id }) => id)).toContain('pass@10');
  });

  test('shows letters, n, N, the number of many seeds and the share of different programs', () => {
    const [a, , c] = estimateRows({ ...EMPTY, analysis }, rows);
    expect(a?.cells.find((one) => one !== null)).toMatchObject({ value: 0.2, letters: 'ab' });
    expect(a?.facts).toEqual(['40', '24', { text: '4', hint: 'seeds 1, 2, 3, 4' }, '82']);
    expect(c?.facts).toEqual(['–', '–', '–', '–']);
    expect(c?.cells.every((one) => one === null)).toBe(true);
  });

  test('names the scale of a row only where the table has several', () => {
    const note = (scales: readonly ('own' | 'pocket')[]) =>
      estimateRows(
        {
          ...EMPTY,
          analysis: {
            ...analysis,
            rows: analysis.rows.map((row, at) => ({ ...row, scale: scales[at] ?? 'pocket' })),
          },
        },
        rows,
      ).map((row) => row.note);
    expect(note([])).toEqual(['reader', 'reader', 'reader']);
    expect(note(['pocket', 'own'])).toEqual(['reader, pocket', 'reader, own', 'reader, pocket']);
  });

  test('has a column of the noise of the grader where some run was graded again: the value that moved most', () => {
    expect(factColumns(analysis).map(({ label }) => label)).toEqual([
      'Problems',
      'Nodes',
      'Seeds',
      'Distinct %',
    ]);
    const regraded = analysisOf({
      a: [
        cell({ graderNoise: { graded: 10, changed: 1, shift: 0.01 } }),
        cell({ metric: 'pass@1', graderNoise: { graded: 10, changed: 1, shift: -0.025 } }),
      ],
      b: [cell()],
    });
    expect(factColumns(regraded).at(-1)?.label).toBe('Noise');
    const [a, b] = estimateRows({ ...EMPTY, analysis: regraded }, rows);
    expect([a?.facts.at(-1), b?.facts.at(-1)]).toEqual(['2.5', '–']);
  });

  test('says that the interval of several seeds is over them, too', () => {
    expect(basisOf(cell({}))).toBe('95 % interval over 40 problems, 960 candidates');
    expect(basisOf(cell({ seedSpread: { sd: 0.02, min: 0.1, max: 0.2 } }))).toBe(
      '95 % interval over 40 problems and the seeds, 960 candidates',
    );
  });

  test('says how much of a value could be noise of the grader', () => {
    expect(basisOf(cell({ graderNoise: { graded: 200, changed: 3, shift: -0.012 } }))).toBe(
      '95 % interval over 40 problems, 960 candidates. Graded again: 3 of 200 verdicts changed, which moves it by −1.2 points',
    );
  });
});

test('settings of many configurations are gathered by value, the commonest first', () => {
  expect(groupByValue(['x', null, 'y', 'y', 'x', 'y'])).toEqual([
    ['y', [2, 3, 5]],
    ['x', [0, 4]],
    [null, [1]],
  ]);
});
