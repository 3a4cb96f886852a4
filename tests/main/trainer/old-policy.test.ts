import { expect, test } from 'vitest';
import { failed } from '../../../main/base';
import { Learner } from '../../../main/trainer/learner';
import type { LogProbs, Policy } from '../../../main/trainer/policy';
import type { Sample } from '../../../main/trainer/sample';
import { PLAIN_OBJECTIVE } from '../../../preload/contract/plans';

const TOKENS = 4;
/** What the writer reports of every other token is that much above the learner's own score. */
const GAP = 0.1;
/** Each step lowers every token's log-probability by so much. */
const PER_STEP = 0.05;

/** Scores every token with -1, less with every step, and keeps the slopes that it is given. */
function fixedPolicy(): Policy<string> & { readonly slopes: (readonly LogProbs[])[] } {
  let steps = 0;
  const slopes: (readonly LogProbs[])[] = [];
  return {
    id: 'one',
    slopes,
    hasReference: false,
    write: async () => failed({ kind: 'stopped' }),
    score: async (traces) => traces.map(() => new Float64Array(TOKENS).fill(-1 - PER_STEP * steps)),
    backward: async (_, given) => void slopes.push(given),
    entropy: async () => null,
    step: async () => {
      steps += 1;
      return { gradientNorm: 1 };
    },
    publish: async () => ({}),
    save: async () => ({}),
    restore: async () => undefined,
    exportTo: async () => undefined,
    codec: { encode: () => ({}), decode: () => ({ trace: '', rollout: [] }) },
  };
}

function sampleOf(trace: string, advantage: number): Sample<string> {
  return {
    ...{ trace, advantage, raw: advantage > 0 ? 1 : 0, shaped: 0, isFirstAttempt: true, isAllWrong: false },
    ...{ isTruncated: false, problemId: 'p', program: trace },
    rollout: Float64Array.from({ length: TOKENS }, (_, t) => -1 + (t % 2 === 0 ? GAP : 0)),
  };
}

const objective = {
  ...PLAIN_OBJECTIVE,
  kl: { estimator: 'k3' as const, coefficient: 0 },
  importanceCap: 2,
  clip: { low: 0.2, high: 0.2 },
};
const schedule = { updates: 10, rate: 0.01 };

/** Two updates of two samples each from one buffer, as the training loop makes them. */
async function twoUpdates(changed: Partial<typeof objective | { ratio: 'token'; ratioAgainst: 'old' }>) {
  const policy = fixedPolicy();
  const learner = new Learner(policy);
  const samples = [sampleOf('a', 1), sampleOf('b', -2), sampleOf('c', 1), sampleOf('d', -2)];
  const old = await learner.oldScores(samples, 2, 'recomputed');
  for (const i of [0, 1])
    await learner.update(samples.slice(2 * i, 2 * i + 2), { ...objective, ...changed }, schedule, old[i]);
  return policy.slopes.map((update) => update.map((slopes) => Array.from(slopes)));
}

/** old / rollout, of tokens with and without a gap. */
const [WITH, WITHOUT] = [Math.exp(-GAP), 1];
const MEAN = (WITH + WITHOUT) / 2;

test('trap 8: the old policy is the learner’s before its first update, not the writer’s nor the one of now: token ratios', async () => {
  const [first, second] = await twoUpdates({ ratio: 'token' });
  // Slope: minus advantage x ratio x weight, by the tokens and the 2 sequences.
  const expected = (advantage: number, ratio: number) =>
    Array.from(
      { length: TOKENS },
      (_, t) => (-advantage * ratio * (t % 2 === 0 ? WITH : WITHOUT)) / TOKENS / 2,
    );
  expectClose(first, [expected(1, 1), expected(-2, 1)]);
  expectClose(second, [expected(1, Math.exp(-PER_STEP)), expected(-2, Math.exp(-PER_STEP))]);
});

test('trap 8: the same of sequence ratios, against the old policy and against the writer', async () => {
  const same = (value: number) => new Array<number>(TOKENS).fill(value);
  const slope = (advantage: number, ratio: number) => same((-advantage * ratio * MEAN) / TOKENS / 2);
  const [first, second] = await twoUpdates({ ratioAgainst: 'old' });
  expectClose(first, [slope(1, 1), slope(-2, 1)]);
  expectClose(second, [slope(1, Math.exp(-PER_STEP)), slope(-2, Math.exp(-PER_STEP))]);
  // Against the writer the mean gap of the tokens, 0.05, is in the ratio as well.
  const [written, later] = await twoUpdates({});
  expectClose(written, [slope(1, Math.exp(-GAP / 2)), slope(-2, Math.exp(-GAP / 2))]);
  const moved = Math.exp(-GAP / 2 - PER_STEP);
  expectClose(later, [slope(1, moved), slope(-2, moved)]);
});

function expectClose(found: number[][] | undefined, expected: number[][]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((slopes, i) => {
    slopes.forEach((slope, t) => {
      expect(found?.[i]?.[t]).toBeCloseTo(slope, 12);
    });
  });
}
