import { describe, expect, it } from 'vitest';
import type { ExperimentPair } from '../../../preload/contract';
import { experimentSize } from '../../../renderer/experiments/experiment-draft';
import { listedPairs, pCell } from '../../../renderer/experiments/pair-list';
import { progressSquares, squareCounts } from '../../../renderer/experiments/progress-squares';
import { cellKey, resultTable } from '../../../renderer/experiments/results-table';
import { sampleExperiment, sampleExperimentHandlers } from '../../support/sample-experiments';

const { experiment, trainings } = sampleExperiment('five-methods', 27);
const answer = sampleExperimentHandlers([experiment])['experiment.result']?.({ experimentId: experiment.id });
if (answer?.ok !== true) throw new Error('no result');
const result = answer.value;

function never(): never {
  throw new Error('There is none.');
}

describe('the table of an experiment', () => {
  it('separates the controls and keeps the order of the rows', () => {
    const { methods, controls } = resultTable(experiment.order, result);
    expect(controls.map(({ label }) => label)).toEqual(['GRPO, all-wrong groups count', 'Mixed groups']);
    expect(methods.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('shows the very numbers of the result', () => {
    const { methods } = resultTable(experiment.order, result);
    const cell = result.cells.find(
      ({ label, metric, part }) => label === 'RS²' && metric === 'pass@n' && part === 'team',
    );
    expect(methods[2]?.cells.get(cellKey('pass@n', 'team'))).toMatchObject({
      value: cell?.value,
      low: cell?.low,
      high: cell?.high,
    });
    expect(methods[2]?.cells.get(cellKey('pass@1', 'alone'))?.agents.map(({ name }) => name)).toEqual([
      'reader',
      'tracer',
    ]);
    expect(methods[0]?.zeroAdvantage).toBeNull();
    expect(methods[5]?.budget).toMatchObject({ samplesPerAgent: 19_200, samplesTotal: 38_400 });
  });

  it('has all columns before there is a value, and then those that have one', () => {
    expect(resultTable(experiment.order, null).groups).toHaveLength(4);
    const alone = { ...result, cells: result.cells.filter(({ part }) => part !== 'team') };
    expect(resultTable(experiment.order, alone).groups.map(({ parts }) => parts)).toEqual([
      ['alone'],
      ['alone'],
      ['alone'],
      ['alone'],
    ]);
  });
});

describe('differences of rows', () => {
  const filters = { measure: 'pass@1(mcts) team', label: null, significantOnly: false, all: true };

  it('are those of one measure, the surest first', () => {
    const { pairs, hidden } = listedPairs(result.pairs, filters);
    expect(pairs).toHaveLength((8 * 7) / 2);
    expect(hidden).toBe(0);
    expect(pairs.map(({ pHolm }) => pHolm)).toEqual(
      [...pairs.map(({ pHolm }) => pHolm)].sort((a, b) => a - b),
    );
    expect(listedPairs(result.pairs, { ...filters, measure: 'nothing' }).measure).toBe('pass@1 alone');
  });

  it('can be filtered by row and to significant differences', () => {
    const { pairs } = listedPairs(result.pairs, { ...filters, label: 'Base' });
    expect(pairs).toHaveLength(7);
    const found = pairs.map((pair, at): ExperimentPair => ({ ...pair, pHolm: at < 2 ? 0.0499 : 0.05 }));
    expect(listedPairs(found, { ...filters, significantOnly: true }).pairs.map(({ pHolm }) => pHolm)).toEqual(
      [0.0499, 0.0499],
    );
  });

  it('never show a p value as 0', () => {
    expect([0, 0.0004, 0.0123, 1, null].map(pCell)).toEqual(['< 0.0001', '0.0004', '0.012', '1.00', '–']);
  });
});

describe('the squares of an experiment', () => {
  it('say of each training how far it is', () => {
    const rows = progressSquares(experiment, trainings);
    expect(Object.fromEntries(squareCounts(rows))).toEqual({ done: 27, running: 2, queued: 1, waiting: 10 });
    expect(rows[3]?.squares[3]).toMatchObject({ kind: 'running', trainingId: 'experiment-five-methods-27' });
    expect(rows[3]?.squares[3]?.title).toBe('Homo-MARS², seed 14: training, 120 of 300 updates, rollout');
    expect(rows[0]?.squares[4]).toMatchObject({ kind: 'waiting', trainingId: null });
  });

  it('say what needs attention', () => {
    const alarm = { kind: 'nan' as const, agentId: null, message: 'The loss is no number.', step: 3 };
    const [row] = progressSquares(experiment, [{ ...(trainings[0] ?? never()), alarms: [alarm] }]);
    expect(row?.squares[0]).toMatchObject({
      hasAlarm: true,
      title: 'Base, seed 11: done. The loss is no number.',
    });
  });

  it('say of Base, which is not trained, that it is evaluated', () => {
    const running = { ...(trainings[0] ?? never()), step: 0, state: { kind: 'running' as const, pid: 1 } };
    const [base] = progressSquares(experiment, [running]);
    expect(base?.squares[0]?.title).toBe('Base, seed 11: evaluating');
  });

  it('distinguish a removed training from one that has not begun', () => {
    const counts = squareCounts(progressSquares(experiment, trainings.slice(1)));
    expect([counts.get('gone'), counts.get('waiting')]).toEqual([1, 10]);
    expect(squareCounts(progressSquares(experiment, null)).get('waiting')).toBe(40);
  });

  it('distinguish a stopped training from a failed one', () => {
    const paused = sampleExperiment('five-methods', 3, { kind: 'paused' });
    const failed = sampleExperiment('five-methods', 3, { kind: 'failed', message: '' });
    const kinds = ({ experiment: view, trainings: of }: typeof paused) => [
      ...squareCounts(progressSquares(view, of)).keys(),
    ];
    expect(kinds(paused)).toContain('stopped');
    expect(kinds(failed)).toContain('failed');
  });
});

describe('the size of an experiment', () => {
  it('counts samples by row and what the evaluations write', () => {
    const { trainings: many, samples, rows } = experimentSize(experiment.order);
    expect(many).toBe(40);
    expect(rows).toEqual([0, 76_800, 76_800, 76_800, 76_800, 38_400, 76_800, 76_800]);
    expect(samples).toBe(5 * (6 * 76_800 + 38_400));
  });
});
