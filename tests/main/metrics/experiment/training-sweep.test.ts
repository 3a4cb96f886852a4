import { expect, test } from 'vitest';
import { sweepText } from '../../../../main/cli/training-sweep';
import { type SweptTraining, trainingSweep } from '../../../../main/metrics';
import { pairedEffectSize } from '../../../../main/metrics/effect-size';
import type { TrainingCurve } from '../../../../preload/contract';

const curve = (key: string, values: readonly number[], part: TrainingCurve['part'] = 'evaluation') => ({
  ...{ agentId: null, key, part, steps: values.map((_, at) => at), values: [...values] },
  ...{ samples: null, seconds: null },
});

const training = (
  seed: number,
  values: readonly number[],
  change: Partial<SweptTraining> = {},
): SweptTraining => ({
  ...{ trainingId: `t${seed}`, seed, notDone: null },
  curves: [
    curve('pass@1', values),
    curve(
      'eval_loss',
      values.map((value) => 1 - value),
    ),
    curve('reward', [9], 'train'),
  ],
  ...change,
});

const slow = {
  label: 'rate 1e-6',
  trainings: [training(1, [0.1, 0.3, 0.2]), training(2, [0.2, 0.4]), training(3, [0.3, 0.6])],
};
const fast = {
  label: 'rate 3e-6',
  trainings: [training(1, [0.5]), training(2, [0.71]), training(3, [0.89])],
};

test('a row is the mean of its seeds with Student\u2019s interval and their spread, of the last and of the best evaluation', () => {
  const { measures, cells } = trainingSweep('Mine', [slow, fast]);
  expect(measures.map(({ key, of, best }) => `${key} ${of} ${best}`)).toEqual([
    ...['pass@1 last highest', 'pass@1 best highest', 'eval_loss last lowest', 'eval_loss best lowest'],
  ]);
  const [last, , best] = cells;
  // By hand: 0.4 and sd 0.2 of 0.2, 0.4, 0.6; t(0.975, 2) = 4.3027.
  expect(last).toMatchObject({ label: 'rate 1e-6', of: 'last', seeds: 3, missing: [] });
  expect(last?.value).toBeCloseTo(0.4, 12);
  expect(last?.seedSpread?.sd).toBeCloseTo(0.2, 12);
  expect(last?.interval?.high).toBeCloseTo(0.4 + (4.302_652_73 * 0.2) / Math.sqrt(3), 6);
  expect(best?.value).toBeCloseTo((0.3 + 0.4 + 0.6) / 3, 12);
  expect(
    cells.find(({ key, of, label }) => key === 'eval_loss' && of === 'best' && label === slow.label)?.value,
  ).toBeCloseTo((0.7 + 0.6 + 0.4) / 3, 12);
});

test('rows are compared over the seeds that both have, with a paired t test and Holm\u2019s correction', () => {
  const third = { label: 'rate 9e-6', trainings: [training(1, [0.1]), training(7, [0.2])] };
  const { pairs, sentences } = trainingSweep('Mine', [slow, fast, third]);
  const last = pairs.filter(({ key, of }) => key === 'pass@1' && of === 'last');
  expect(last.map(({ first, second, seeds }) => [first, second, seeds])).toEqual([
    ['rate 3e-6', 'rate 1e-6', 3],
    ['rate 9e-6', 'rate 1e-6', 1],
    ['rate 9e-6', 'rate 3e-6', 1],
  ]);
  expect(last[0]?.difference).toBeCloseTo(0.3, 12);
  expect(last[0]?.pSeeds).toBeLessThan(0.01);
  // By scipy.stats.nct: differences of 0.3, 0.31 and 0.29.
  expect(last[0]?.effect?.value).toBeCloseTo(30, 6);
  expect(last[1]).toMatchObject({ effect: null });
  expect(pairedEffectSize([0, 1, 2, 3, 4].map((one) => one - 2 + Math.sqrt(2.5)))).toMatchObject({
    value: expect.closeTo(1, 6),
    low: expect.closeTo(-0.1377, 4),
    high: expect.closeTo(2.0666, 4),
  });
  expect(sweepText(trainingSweep('Mine', [slow, fast]))).toMatch(
    /^pair +difference +effect size .*\n.*\npass@1.*: rate 3e-6 - rate 1e-6 .* 30\.00 \[4\.7\d, 57\.6\d\] /m,
  );
  // Equal differences leave no interval and no test.
  const even = { label: 'even', trainings: [training(1, [0.3]), training(2, [0.5]), training(3, [0.7])] };
  expect(trainingSweep('Mine', [slow, even]).pairs[0]).toMatchObject({
    interval: null,
    effect: null,
    pSeeds: null,
    seeds: 3,
  });
  expect(last[0]?.pHolm).toBeCloseTo(3 * (last[0]?.pSeeds ?? 0), 12);
  expect(last[1]).toMatchObject({ pSeeds: null, pHolm: 1, interval: null });
  expect(sentences.join(' ')).toContain('over the seeds alone');
});

test('a training without a number is missing, with the reason, and is no 0', () => {
  const row = {
    label: 'rate 1e-6',
    trainings: [
      training(1, [0.5]),
      training(2, [0.1], { notDone: 'has failed' }),
      training(3, [], { curves: [curve('reward', [1], 'train')] }),
      training(4, [Number.NaN], { curves: [curve('pass@1', [Number.NaN]), curve('eval_loss', [0.4])] }),
    ],
  };
  const sweep = trainingSweep('Mine', [
    row,
    { label: 'rate 3e-6', trainings: [training(1, [], { curves: [] })] },
  ]);
  expect(sweep.rows[0]?.missing).toEqual([
    { seed: 2, why: 'has failed' },
    { seed: 3, why: 'has logged no evaluation' },
  ]);
  expect(sweep.cells[0]).toMatchObject({ value: 0.5, interval: null, seeds: 1, missing: [{ seed: 4 }] });
  expect(sweep.cells[1]).toMatchObject({ label: 'rate 3e-6', value: null, seeds: 0 });
  expect(sweep.sentences[0]).toBe(
    '3 of 5 trainings are missing: without a number a training counts in no mean, not as 0.',
  );
  const text = sweepText(sweep);
  expect(text).toContain('rate 1e-6, seed 2: has failed');
  expect(text).toMatch(/rate 3e-6 +missing +missing/);
  expect(text).toMatch(/rate 1e-6 +0\.5 \(1 missing\)/);
  expect(text).toContain('No difference is tested');
  expect(trainingSweep('Mine', [{ label: 'x', trainings: [training(1, [], { curves: [] })] }])).toMatchObject(
    {
      measures: [],
      cells: [],
      pairs: [],
    },
  );
});
