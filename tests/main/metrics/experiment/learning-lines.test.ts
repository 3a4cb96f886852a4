import { describe, expect, it } from 'vitest';
import { drawnCurves, experimentLines } from '../../../../main/metrics';
import {
  type ExperimentRequest,
  experimentRequestSchema,
  type TrainingCurve,
} from '../../../../preload/contract';

const request: ExperimentRequest = experimentRequestSchema.parse({
  name: 'two',
  rows: [
    { label: 'Base', method: 'base', families: ['reader', 'tracer'] },
    { label: 'Heter', method: 'heter-mars2', families: ['reader', 'tracer'] },
  ],
  seeds: [1, 2],
  training: {},
});

const curve = (
  agentId: string,
  values: readonly number[],
  change: Partial<TrainingCurve> = {},
): TrainingCurve => ({
  agentId,
  key: 'pass@1',
  part: 'evaluation',
  steps: values.map((_, at) => 10 * at),
  values: [...values],
  samples: values.map((_, at) => 80 * at),
  seconds: null,
  ...change,
});

describe('the lines of an experiment', () => {
  it('are means over seeds of the means over agents, from the lowest to the highest seed', () => {
    const lines = experimentLines(request, [
      { label: 'Heter', curves: [curve('a', [0.2, 0.4]), curve('b', [0.4, 0.6])] },
      { label: 'Heter', curves: [curve('a', [0.4, 0.8]), curve('b', [0.4, 0.8])] },
    ]);
    expect(lines.map(({ label, part, x, seeds }) => [label, part, x, seeds])).toEqual([
      ['Heter', 'evaluation', 'updates', 2],
      ['Heter', 'evaluation', 'samples', 2],
    ]);
    const [updates, samples] = lines;
    expect(updates?.points.map(({ x }) => x)).toEqual([0, 10]);
    expect(samples?.points.map(({ x }) => x)).toEqual([0, 80]);
    const [first] = updates?.points ?? [];
    expect(first?.y).toBeCloseTo(0.35);
    expect([first?.low, first?.high].map((value) => value?.toFixed(2))).toEqual(['0.30', '0.40']);
  });

  it('leave out a row with a single point, and keep at most 100 points of the updates', () => {
    expect(experimentLines(request, [{ label: 'Base', curves: [curve('a', [0.3])] }])).toEqual([]);
    const long = curve(
      'a',
      Array.from({ length: 1_050 }, (_, at) => at % 2),
      { part: 'train' },
    );
    const [drawn] = drawnCurves([long, curve('a', [1, 2], { key: 'reward', part: 'train' })]);
    expect(drawnCurves([long])).toHaveLength(1);
    expect(drawn?.steps.length).toBe(96);
    expect(drawn?.steps.at(-1)).toBe(10_490);
    expect(drawn?.samples?.at(-1)).toBe(80 * 1_049);
    expect(drawn?.values[0]).toBeCloseTo(5 / 11);
  });
});
