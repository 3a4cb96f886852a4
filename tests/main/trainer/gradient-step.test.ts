import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import {
  addGradient,
  encodePrompt,
  type Family,
  type PocketPolicy,
  pocketProblems,
  readPrompt,
  sampleProgram,
} from '../../../main/pocket';
import { symbolProbabilities, symbolsOf, weightCount } from '../../../main/pocket/policy';
import { Learner } from '../../../main/trainer/learner';
import { PocketLearner, type PocketTrace } from '../../../main/trainer/pocket/pocket-learner';
import type { Sample } from '../../../main/trainer/sample';
import { type Objective, type PocketTraining, pocketTrainingSchema } from '../../../preload/contract';
import { PLAIN_OBJECTIVE } from '../../../preload/contract/plans';

function policyOf(family: Family): PocketPolicy {
  const random = randomStream('gradient-step', family);
  return {
    family,
    seed: 0,
    weights: Float64Array.from({ length: weightCount(family) }, () => 0.2 * random.normal()),
  };
}

/** Answers to real statements, half of them refinements, with any rewards and advantages. */
function samplesOf(policy: PocketPolicy, count: number): Sample<PocketTrace>[] {
  const problems = pocketProblems({ split: 'train', seed: 3, count });
  const random = randomStream('samples', policy.family);
  return problems.map((problem, i) => {
    const prompt = readPrompt([{ role: 'user', content: problem.statement }]);
    if (prompt === null) throw new Error('A pocket policy reads a pocket statement');
    const earlier = i % 2 === 0 ? null : { program: [3, 1], feedback: 'some-passed' as const };
    const encoded = encodePrompt({ ...prompt, earlier });
    const { symbols, ...sampled } = sampleProgram(policy, encoded, random, { temperature: 1, topP: 1 });
    return {
      trace: { encoded, ...sampled },
      rollout: symbols.map(({ logProbability }) => logProbability),
      raw: i % 3 === 0 ? 1 : 0,
      shaped: (i % 5) / 2 - 0.75,
      advantage: random.normal(),
      isFirstAttempt: earlier === null,
      isAllWrong: false,
      isTruncated: false,
      problemId: problem.id,
      program: '',
    };
  });
}

function specOf(objective: Objective, updates: number, rate: number): PocketTraining {
  return pocketTrainingSchema.parse({
    kind: 'pocket',
    method: 'grpo',
    families: ['reader'],
    updates,
    rate,
    objective,
  });
}

/** The loss of the papers from the probabilities of single symbols, without the code of training. */
function lossByHand(
  policy: PocketPolicy,
  reference: PocketPolicy,
  samples: readonly Sample<PocketTrace>[],
  beta: number,
): number {
  let [gain, divergence, tokens] = [0, 0, 0];
  for (const { trace, rollout, advantage } of samples) {
    const { encoded, program: written } = trace;
    const symbols = symbolsOf(written);
    const logsOf = (one: PocketPolicy): number[] =>
      symbols.map((symbol, t) =>
        Math.log(symbolProbabilities(one, encoded, written.slice(0, t))[symbol] as number),
      );
    const [now, before] = [logsOf(policy), logsOf(reference)];
    const ratio = Math.exp(sumOf(now.map((log, t) => log - (rollout[t] as number))) / symbols.length);
    gain += Math.min(ratio * advantage, Math.min(1.2, Math.max(0.8, ratio)) * advantage);
    divergence += sumOf(now.map((log, t) => k3(log - (before[t] as number))));
    tokens += symbols.length;
  }
  return -gain / samples.length + (beta * divergence) / tokens;
}

function k3(l: number): number {
  return Math.exp(-l) - 1 + l;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Adam as in its paper, one number at a time; gives the weights after each of the gradients, cut to norm 1. */
function adamByHand(
  weights: Float64Array,
  gradients: readonly Float64Array[],
  rates: readonly number[],
): number[] {
  const norms = gradients.map((gradient) => Math.sqrt(sumOf([...gradient].map((g) => g * g))));
  return [...weights].map((start, i) => {
    let [weight, mean, square] = [start, 0, 0];
    gradients.forEach((gradient, step) => {
      const g = (gradient[i] as number) / Math.max(1, norms[step] as number);
      mean = 0.9 * mean + 0.1 * g;
      square = 0.95 * square + 0.05 * g * g;
      const [fairMean, fairSquare] = [mean / (1 - 0.9 ** (step + 1)), square / (1 - 0.95 ** (step + 1))];
      weight += ((rates[step] as number) * fairMean) / (Math.sqrt(fairSquare) + 1e-8);
    });
    return weight;
  });
}

function learnerOf(reference: PocketPolicy) {
  const policy = new PocketLearner('one', reference, 'test');
  return { policy, learner: new Learner(policy) };
}

describe.each(['reader', 'tracer', 'weak'] as const)('an update of the family %s', (family) => {
  const reference = policyOf(family);
  const samples = samplesOf(reference, 12);

  it('moves the weights by Adam along the policy gradient, at the rate of its number', async () => {
    const { learner, policy } = learnerOf(reference);
    const values = await learner.update(samples, PLAIN_OBJECTIVE, specOf(PLAIN_OBJECTIVE, 100, 0.03));
    const gradient = new Float64Array(reference.weights.length);
    for (const { trace, advantage } of samples) {
      const { encoded, program: written } = trace;
      const length = symbolsOf(written).length;
      addGradient(reference, encoded, written, advantage / length / samples.length, gradient);
    }
    // 3 % of 100 updates are warm-up.
    const expected = adamByHand(reference.weights, [gradient], [0.01]);
    expect(largestDifference(policy.policy.weights, expected)).toBeLessThan(1e-9);
    expect(values['learning-rate']).toBeCloseTo(0.01, 12);
    expect(values['gradient-norm']).toBeCloseTo(Math.sqrt(sumOf([...gradient].map((g) => g * g))), 9);
    expect(values).toMatchObject({ ratio: 1, clipped: 0, kl: 0 });
    expect(values['policy-loss']).toBeCloseTo(-sumOf(samples.map(({ advantage }) => advantage)) / 12, 9);
  });

  it('goes down the whole loss once the policy has moved away from its samples', async () => {
    const objective = { ...PLAIN_OBJECTIVE, kl: { estimator: 'k3' as const, coefficient: 0.5 } };
    const spec = specOf(objective, 4, 0.02);
    const { learner, policy: moved } = learnerOf(reference);
    await learner.update(samples, objective, spec);
    const policy = { ...moved.policy, weights: moved.policy.weights.slice() };
    const advantages = samples.map(({ advantage }) => advantage);
    const { values } = await learner.accumulate(samples, advantages, objective);
    const climb = moved.gradient;
    expect(values.loss).toBeCloseTo(lossByHand(policy, reference, samples, 0.5), 10);
    expect(values.kl).toBeGreaterThan(0);
    expect(values.ratio).not.toBe(1);
    const random = randomStream('directions', family);
    for (let i = 0; i < 6; i++) {
      const direction = climb.map((g) => (g === 0 ? 0 : random.normal()));
      const at = (shift: number): number => {
        const weights = policy.weights.map((weight, k) => weight + shift * (direction[k] as number));
        return lossByHand({ ...policy, weights }, reference, samples, 0.5);
      };
      const slope = (at(1e-6) - at(-1e-6)) / 2e-6;
      expect(-sumOf([...climb.map((g, k) => g * (direction[k] as number))])).toBeCloseTo(slope, 5);
    }
  });

  it('remembers the moments of the update before', async () => {
    const spec = specOf(PLAIN_OBJECTIVE, 2, 0.02);
    const { learner, policy } = learnerOf(reference);
    const advantages = samples.map(({ advantage }) => advantage);
    const gradients: Float64Array[] = [];
    for (let update = 0; update < 2; update++) {
      await learner.accumulate(samples, advantages, PLAIN_OBJECTIVE);
      gradients.push(policy.gradient.slice());
      policy.gradient.fill(0);
      await learner.update(samples, PLAIN_OBJECTIVE, spec);
    }
    const expected = adamByHand(reference.weights, gradients, [0.02, 0.002]);
    expect(largestDifference(policy.policy.weights, expected)).toBeLessThan(1e-9);
    expect(reference.weights).toEqual(policyOf(family).weights);
  });

  it('over the group "batch" compares its own samples by their shaped rewards', async () => {
    const objective = { ...PLAIN_OBJECTIVE, group: 'batch' as const };
    const { learner } = learnerOf(reference);
    const values = await learner.update(samples, objective, specOf(objective, 100, 0.03));
    const shaped = samples.map((sample) => sample.shaped);
    const middle = sumOf(shaped) / 12;
    const spread = Math.sqrt(sumOf(shaped.map((reward) => (reward - middle) ** 2)) / 11);
    const gradient = new Float64Array(reference.weights.length);
    for (const { trace, shaped: reward } of samples) {
      const { encoded, program: written } = trace;
      const scale = (reward - middle) / spread / symbolsOf(written).length / 12;
      addGradient(reference, encoded, written, scale, gradient);
    }
    expect(values['gradient-norm']).toBeCloseTo(Math.sqrt(sumOf([...gradient].map((g) => g * g))), 6);
    expect(values['policy-loss']).toBeCloseTo(0, 9);
  });
});

function largestDifference(actual: Float64Array, expected: readonly number[]): number {
  return expected.reduce((most, value, i) => Math.max(most, Math.abs((actual[i] as number) - value)), 0);
}
