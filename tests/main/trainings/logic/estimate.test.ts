import { expect, test } from 'vitest';
import {
  estimatedSeconds,
  evaluationSteps,
  rateSince,
  secondsLeft,
  updateRate,
} from '../../../../main/trainings/logic/estimate';
import { type TrainingSpec, trainingSpecSchema } from '../../../../preload/contract';

test('the time left is by the speed so far, and unknown once it has passed', () => {
  const rate = updateRate(updateRate(null, 0, 0), 60_000, 2);
  expect(secondsLeft(rate, 60_000, 4)).toBe(60);
  expect(secondsLeft(rate, 100_000, 4)).toBe(20);
  // What takes longer than what was before it.
  expect(secondsLeft(rate, 130_000, 4)).toBeNull();
  expect(secondsLeft(updateRate(rate, 120_000, 4), 121_000, 4)).toBeNull();
});

test('the evaluation after the last update is part of the time left from the first one on', () => {
  // 10 updates of 200 programs; then 50 problems: two agents and their team with 20 nodes each, 2 first attempts of each agent.
  const spec = pocket({
    ...{ updates: 10, batch: 100 },
    evaluation: { split: 'test', problems: 50, nodes: 20, samples: 2, every: 0 },
  });
  expect(evaluationSteps(spec)).toBe(16);
  const rate = updateRate(updateRate(null, 0, 0), 10_000, 5);
  const left = (at: typeof rate, now: number) => secondsLeft(at, now, 10, evaluationSteps(spec));
  expect(left(rate, 10_000)).toBe(42);
  // The last update changes nothing, and the evaluation counts down.
  const last = updateRate(rate, 20_000, 10);
  expect(left(last, 20_000)).toBe(32);
  expect(left(last, 30_000)).toBe(22);
});

test('nothing is known before a step was made, nor after a resume from an earlier one', () => {
  const begun = updateRate(null, 0, 3);
  expect(secondsLeft(begun, 1_000, 10)).toBeNull();
  expect(secondsLeft(updateRate(begun, 2_000, 1), 3_000, 10)).toBeNull();
});

const pocket = (change: Record<string, unknown>): TrainingSpec =>
  trainingSpecSchema.parse({ kind: 'pocket', method: 'rs2', families: ['reader', 'tracer'], ...change });
const NO_EVALUATION = { evaluation: { split: 'test', problems: 1, nodes: 1, samples: 1, every: 0 } };
const timed = (spec: TrainingSpec, seconds: number, machineId = 'local') => ({ spec, seconds, machineId });

test('a long training is reckoned from short ones per update, and its start once', () => {
  const short = pocket({ updates: 20, batch: 100, ...NO_EVALUATION });
  const long = pocket({ updates: 300, batch: 100, ...NO_EVALUATION });
  // 4 s to start and 2 s for 20 updates; 15 times the whole would be 90 s.
  expect(estimatedSeconds(long, [timed(short, 6)])).toBeCloseTo(34, 0);
  // One of its own length says more than many short ones.
  const alike = pocket({ updates: 300, batch: 100, seed: 7, ...NO_EVALUATION });
  expect(estimatedSeconds(long, [...Array(9).fill(timed(short, 6)), timed(alike, 50)])).toBe(50);
});

test('a try of some seconds says nothing of a training of twenty times its programs', () => {
  const short = pocket({ updates: 6, batch: 100, ...NO_EVALUATION });
  const long = pocket({ updates: 300, batch: 100, ...NO_EVALUATION });
  expect(estimatedSeconds(long, [timed(short, 20)])).toBeNull();
  expect(
    estimatedSeconds(long, [timed(short, 20), timed(pocket({ updates: 100, batch: 100 }), 60)]),
  ).not.toBeNull();
  // Of a minute and more the start is a small part.
  expect(estimatedSeconds(long, [timed(short, 64)])).toBeCloseTo(4 + 60 * 50, -2);
});

test('an equal training is known whatever trains it, on its own machine; pocket ones of another method help, too', () => {
  const recipe = trainingSpecSchema.parse({ kind: 'recipe', recipeId: 'trl-grpo', values: { seed: '1' } });
  const again = trainingSpecSchema.parse({ kind: 'recipe', recipeId: 'trl-grpo', values: { seed: '2' } });
  expect(estimatedSeconds(again, [timed(recipe, 600, 'gpu1')], 'gpu1')).toBe(600);
  expect(estimatedSeconds(again, [timed(recipe, 600, 'gpu1')], 'gpu2')).toBeNull();
  expect(estimatedSeconds(pocket({ method: 'grpo' }), [timed(pocket({}), 60)])).toBeCloseTo(60);
  expect(estimatedSeconds(pocket({}), [])).toBeNull();
});

test('the speed of an earlier start, and the pause behind it, say nothing of this one', () => {
  const before = updateRate(updateRate(null, 0, 0), 12_000, 3);
  expect(secondsLeft(rateSince(before, null), 12_000, 120)).toBe(468);
  expect(secondsLeft(rateSince(before, 60_000), 60_000, 120)).toBeNull();
  const resumed = updateRate(updateRate(rateSince(before, 60_000), 60_000, 3), 62_000, 13);
  expect(secondsLeft(rateSince(resumed, 60_000), 62_000, 23)).toBe(2);
});
