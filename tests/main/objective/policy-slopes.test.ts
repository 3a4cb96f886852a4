import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { batchLoss, type LossObjective, type Sequence, treeSignals } from '../../../main/objective';
import {
  addGradient,
  addTraceGradient,
  encodePrompt,
  FAMILIES,
  type Family,
  type PocketPolicy,
  type Program,
  pocketProblems,
  readPrompt,
  sampleProgram,
  type Trace,
  traceProbabilities,
} from '../../../main/pocket';
import { weightCount } from '../../../main/pocket/policy';
import { PLAIN_OBJECTIVE } from '../../../preload/contract/plans';

type Answer = {
  readonly encoded: ReturnType<typeof encodePrompt>;
  readonly program: Program;
  readonly trace: Trace;
  readonly advantage: number;
};

const parents = [-1, -1, 0, 0, 1, 2];

/** Answers of a policy to a real statement, first attempts and refinements, with rewards as a tree may have them. */
function answersOf(policy: PocketPolicy): Answer[] {
  const [problem] = pocketProblems({ split: 'train', seed: 5, count: 1 });
  const prompt = readPrompt([{ role: 'user', content: problem?.statement ?? '' }]);
  if (prompt === null) throw new Error('A pocket policy reads a pocket statement');
  const random = randomStream('answers', policy.family);
  const programs: Program[] = [];
  const signal = treeSignals(
    [{ parents, raw: [0, 1, 0, 1, 0, 1], agents: parents.map(() => 0), tokens: parents.map(() => 1) }],
    PLAIN_OBJECTIVE,
  )[0];
  return parents.map((parent, node) => {
    const earlier = parent < 0 ? null : { program: programs[parent] ?? [], feedback: 'none-passed' as const };
    const encoded = encodePrompt({ ...prompt, earlier });
    const { program, trace } = sampleProgram(policy, encoded, random, { temperature: 1, topP: 1 });
    programs.push(program);
    return { encoded, program, trace, advantage: signal?.advantages[node] as number };
  });
}

function policyOf(family: Family, seed: number, near?: PocketPolicy, spread = 0.3): PocketPolicy {
  const random = randomStream('weights', family, seed);
  const weights = Float64Array.from(
    { length: weightCount(family) },
    (_, i) => (near?.weights[i] ?? 0) + spread * random.normal(),
  );
  return { family, seed, weights };
}

function logProbabilities(policy: PocketPolicy, trace: Trace): number[] {
  return traceProbabilities(policy, trace).map((all, t) => Math.log(all[trace[t]?.symbol ?? -1] as number));
}

const objectives: readonly [string, LossObjective][] = [
  ['sequence ratios', { ...PLAIN_OBJECTIVE, kl: { estimator: 'k3', coefficient: 0.3 } }],
  [
    'token ratios',
    { ...PLAIN_OBJECTIVE, ratio: 'token', importanceCap: null, kl: { estimator: 'k2', coefficient: 0.3 } },
  ],
];

describe.each(FAMILIES)('the loss of a pocket policy "%s"', (family) => {
  const old = policyOf(family, 1);
  const reference = policyOf(family, 2, old, 0.1);
  const answers = answersOf(old);
  const sequencesFor = (policy: PocketPolicy): Sequence[] =>
    answers.map(({ trace, advantage }) => {
      const before = logProbabilities(old, trace);
      return {
        current: logProbabilities(policy, trace),
        old: before,
        rollout: before,
        reference: logProbabilities(reference, trace),
        advantage,
      };
    });

  it.each(objectives)('with %s has the gradient of finite differences in the weights', (_, objective) => {
    const policy = policyOf(family, 3, old, 0.02);
    const { slopes } = batchLoss(sequencesFor(policy), objective);
    const gradient = new Float64Array(policy.weights.length);
    answers.forEach(({ trace }, i) => {
      addTraceGradient(family, trace, traceProbabilities(policy, trace), slopes[i] as Float64Array, gradient);
    });
    const lossAt = (direction: Float64Array, shift: number): number => {
      const weights = policy.weights.map((weight, i) => weight + shift * (direction[i] as number));
      return batchLoss(sequencesFor({ ...policy, weights }), objective).loss;
    };
    const step = 1e-5;
    const touched = [...gradient.keys()].filter((i) => Math.abs(gradient[i] as number) > 1e-3);
    expect(touched.length).toBeGreaterThan(50);
    const directions: Float64Array[] = touched
      .filter((_, at) => at % 29 === 0)
      .map((i) => new Float64Array(gradient.length).fill(1, i, i + 1));
    directions.push(policyOf(family, 4).weights, policyOf(family, 5).weights);
    for (const direction of directions) {
      const expected = (lossAt(direction, step) - lossAt(direction, -step)) / (2 * step);
      const predicted = direction.reduce((sum, along, i) => sum + along * (gradient[i] as number), 0);
      expect(predicted).toBeCloseTo(expected, 6);
    }
  });

  it('is on policy the plain policy gradient: each answer by its advantage over its length', () => {
    const free = { ...PLAIN_OBJECTIVE, kl: { estimator: 'k3' as const, coefficient: 0.3 } };
    const { slopes } = batchLoss(
      sequencesFor(old).map((sequence) => ({ ...sequence, reference: sequence.current })),
      free,
    );
    const gradient = new Float64Array(old.weights.length);
    const wanted = new Float64Array(old.weights.length);
    answers.forEach(({ encoded, program, trace, advantage }, i) => {
      addTraceGradient(family, trace, traceProbabilities(old, trace), slopes[i] as Float64Array, gradient);
      addGradient(old, encoded, program, -advantage / trace.length / answers.length, wanted);
    });
    gradient.forEach((slope, i) => {
      expect(Math.abs(slope - (wanted[i] as number))).toBeLessThan(1e-12);
    });
  });
});
