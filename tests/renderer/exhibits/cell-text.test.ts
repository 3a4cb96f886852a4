import { describe, expect, it } from 'vitest';
import type { ExhibitCell, FilledCell } from '../../../preload/contract';
import {
  amountParts,
  cellSentence,
  differenceText,
  measureText,
  paperText,
  referenceText,
} from '../../../renderer/exhibits/cell-text';

const CELL: ExhibitCell = {
  row: 'base',
  column: 'pass-1',
  configuration: 'base',
  measure: { kind: 'metric', metric: 'pass@1' },
  reference: [{ value: 60, unit: '%', source: 'Figure 3' }],
};
const FILLED: FilledCell = {
  row: 'base',
  column: 'pass-1',
  state: { kind: 'done', reused: false },
  ours: { value: 0.617, low: 0.55, high: 0.68, problems: 175, seeds: 2 },
  difference: 1.7,
  notComparable: [],
  runs: [
    { studyId: 's', runId: 'r1' },
    { studyId: 's', runId: 'r2' },
  ],
  trainingIds: [],
  cost: { seconds: null, gpuSeconds: null, tokens: null },
};

describe('words of a cell', () => {
  it('names ours with interval, problems and seeds, the paper and the difference', () => {
    expect(cellSentence(CELL, FILLED, [])).toBe(
      'Pass@1; ours 61.7 %, 95 % interval 55.0 – 68.0, 175 problems, 2 seeds, from 2 runs; paper 60.0 %; difference +1.7',
    );
  });

  it('gives no interval that has no width', () => {
    const ours = { ...FILLED.ours, value: 1, low: 1, high: 1, problems: 6, seeds: 2 };
    expect(cellSentence(CELL, { ...FILLED, ours }, [])).toContain('ours 100.0 %, 6 problems');
  });

  it('gives no difference of what cannot be compared', () => {
    const pocket: FilledCell = { ...FILLED, notComparable: ['Pocket scale.'] };
    expect(cellSentence(CELL, pocket, [])).not.toContain('difference');
  });

  it('says why there is no value, and why one may not be compared', () => {
    const failed: FilledCell = {
      ...FILLED,
      ours: null,
      difference: null,
      state: { kind: 'failed', message: 'The server ended.' },
    };
    expect(cellSentence(CELL, failed, [])).toBe('Pass@1; paper 60.0 %; The server ended.');
    expect(cellSentence(CELL, FILLED, ['Another window.'])).toContain('not comparable: Another window.');
    expect(cellSentence({ ...CELL, reference: [] }, null, [])).toBe('Pass@1; no value of the paper');
  });

  it.each([
    [1.74, '%', '+1.7'],
    [-2, 'points', '−2.0'],
    [0.04, '%', '0.0'],
    [-0.04, '%', '0.0'],
    [-0.254, 'number', '−0.25'],
  ] as const)('writes a difference of %d in %s as %s', (difference, unit, text) => {
    expect(differenceText(difference, unit)).toBe(text);
  });

  it('gives a number of a source as the source does', () => {
    expect(referenceText({ value: 60, unit: '%' })).toBe('60.0');
    expect(referenceText({ value: 2.31, unit: 'number' })).toBe('2.31');
  });

  it('names a measure with its k', () => {
    expect(measureText({ kind: 'diversity', measure: 'da@k', k: 10 })).toBe('DA@10');
    expect(measureText({ kind: 'metric', metric: 'pass@1(mcts)' })).toBe('Pass@1(MCTS)');
  });

  it('leaves out of an amount what is not known and what is nothing', () => {
    expect(amountParts({ seconds: 7_800, gpuSeconds: 43_200, tokens: 3_400_000 })).toEqual([
      '2 h 10 min',
      '12 GPU-h',
      '3.4 M tokens',
    ]);
    expect(amountParts({ seconds: 0, gpuSeconds: 0, tokens: null })).toEqual([]);
  });
});

it('every value of the paper is shown once, with a star where nobody read it in the paper', () => {
  const read = (value: number, source: string) => ({ value, unit: '%' as const, source });
  const note = 'main table (second-hand: a note)';
  expect(paperText([read(57.1, note), read(58.3, 'Figure 3')])).toBe('57.1* / 58.3');
  expect(paperText([read(54.3, note), read(54.3, 'Figure 3')])).toBe('54.3');
});
