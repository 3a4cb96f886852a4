import { describe, expect, it } from 'vitest';
import type { TrainingCurve } from '../../../preload/contract';
import {
  endOf,
  type KnownCurves,
  learningLines,
  quantitiesOf,
} from '../../../renderer/experiments/learning-lines';
import { sampleExperiment } from '../../support/sample-experiments';

const { experiment } = sampleExperiment('tiny', 4);
const curve = (
  agentId: string,
  values: readonly number[],
  part: TrainingCurve['part'] = 'train',
): TrainingCurve => ({
  agentId,
  key: 'pass@1',
  part,
  steps: values.map((_, at) => (at + 1) * 10),
  values: [...values],
  samples: values.map((_, at) => (at + 1) * 1_280),
  seconds: null,
});
const idOf = (label: string, seed: number): string =>
  experiment.trainings.find((one) => one.label === label && one.seed === seed)?.trainingId ?? '';
const CURVES: KnownCurves = new Map([
  [idOf('Base', 1), [curve('reader', [0.2, 0.4]), curve('tracer', [0.4, 0.6])]],
  [idOf('Base', 2), [curve('reader', [0.1]), curve('tracer', [0.1])]],
  [idOf('Vanilla GRPO', 1), [curve('reader', [0.5, 0.7])]],
]);
const quantity = {
  id: 'train pass@1',
  key: 'pass@1',
  part: 'train',
  label: 'Pass@1',
  unit: 'share',
} as const;

describe('learning curves of an experiment', () => {
  it('a line is the mean over seeds of the mean over agents, its band the lowest and highest seed', () => {
    const [base, grpo, ...others] = learningLines(experiment, CURVES, {
      quantity,
      axis: 'steps',
      smoothing: 0,
    });
    expect(others).toEqual([]);
    expect(base?.points.xs).toEqual([10, 20]);
    expect(base?.points.ys[0]).toBeCloseTo((0.3 + 0.1) / 2, 12);
    expect(base?.points.ys[1]).toBeCloseTo(0.5, 12);
    expect([base?.band?.low[0], base?.band?.high[0]]).toEqual([expect.closeTo(0.1), expect.closeTo(0.3)]);
    expect(base?.counts).toEqual([2, 1]);
    expect(grpo).toMatchObject({ label: 'Vanilla GRPO', band: null, counts: null });
  });

  it('runs over samples where that is asked', () => {
    const lines = learningLines(experiment, CURVES, { quantity, axis: 'samples', smoothing: 0 });
    expect(endOf(lines)).toBe(2_560);
  });

  it('offers the held-out Pass@1 first', () => {
    const more: KnownCurves = new Map([
      [
        'a',
        [
          { ...curve('reader', [1]), key: 'entropy' },
          curve('reader', [1]),
          curve('reader', [1], 'evaluation'),
        ],
      ],
    ]);
    expect(quantitiesOf(more, 100).map(({ label }) => label)).toEqual([
      'Pass@1, n = 100',
      'Training Pass@1',
      'Entropy',
    ]);
  });

  it('a quantity that was measured once, at the end, comes after one that has a curve', () => {
    const once: KnownCurves = new Map([
      ['t', [curve('reader', [0.1, 0.2]), curve('reader', [0.3], 'evaluation')]],
    ]);
    expect(quantitiesOf(once, 100).map(({ label }) => label)).toEqual(['Training Pass@1', 'Pass@1, n = 100']);
  });
});
