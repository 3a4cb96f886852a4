import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveSeed } from '../../../main/base';
import { addTraceGradient, type PocketPolicy, type Trace, traceProbabilities } from '../../../main/pocket';
import { type GrownTree, growTree } from '../../../main/trainer/grow-tree';
import { trainingGroups, trainingSearch } from '../../../main/trainer/learner-groups';
import type { PocketTrace } from '../../../main/trainer/pocket/pocket-learner';
import { pocketLearning } from '../../../main/trainer/pocket/pocket-learning';
import { TrainingProblems } from '../../../main/trainer/pocket/pocket-problems';
import type { TrainingInput } from '../../../main/trainer/pocket/training-input';
import type { MetricLine } from '../../../main/trainer/round-report';
import { type PocketTraining, pocketTrainingSchema } from '../../../preload/contract';
import { type BaseFixture, OPENING_MS, openBaseFixture } from './base-fixture';
import { pocketLoop, treeDeps } from './pocket-loop';

/** A sample of a round, as these tests understand the papers. */
type Credited = {
  readonly trace: Trace;
  readonly old: readonly number[];
  readonly advantage: number;
  /** Round of the last update before which it was written; null: the weights have not changed since. */
  left: number | null;
};

let fixture: BaseFixture;

beforeAll(async () => {
  fixture = await openBaseFixture(['reader', 'tracer']);
}, OPENING_MS);

afterAll(async () => {
  await fixture.grader.dispose();
});

function inputOf(training: Partial<PocketTraining>): TrainingInput {
  const families = training.families ?? ['reader'];
  const spec = pocketTrainingSchema.parse({
    kind: 'pocket',
    method: 'rs2',
    updates: 4,
    batch: 16,
    treesPerRound: 3,
    nodes: 8,
    problems: 40,
    ...training,
    families,
  });
  return { spec, agents: families.map((family) => ({ id: family, name: family })) };
}

/** The training as the program does it; its policies after the last round, and what it said. */
async function trained(input: TrainingInput, rounds: number) {
  const base = input.agents.map(({ id }) => baseOf(id));
  const { loop, policies } = await pocketLoop(input, base, fixture.cache);
  const lines: MetricLine[] = [];
  for (let round = 0; round < rounds && !loop.isDone; round++) lines.push(...(await loop.next()).lines);
  return { policies, lines, buffers: (await loop.state()).buffers };
}

function baseOf(id: string): PocketPolicy {
  return fixture.policies.get(id) as PocketPolicy;
}

/** The same training once more from the formulas of the papers; shares nothing with it but search, chance and policies. */
async function trainedByHand({ spec, agents }: TrainingInput, rounds: number) {
  const groups = trainingGroups(pocketLearning({ spec, agents }));
  const problems = new TrainingProblems(spec);
  const learners = agents.map(({ id }) => {
    const reference = baseOf(id);
    const size = reference.weights.length;
    const policy = { ...reference, weights: reference.weights.slice() };
    const [mean, square] = [new Float64Array(size), new Float64Array(size)];
    return { id, reference, policy, mean, square, updates: 0, waiting: [] as Credited[] };
  });
  const policies = new Map(learners.map(({ id, policy }) => [id, policy]));
  for (let round = 1; round <= rounds; round++) {
    for (const group of groups) {
      const own = learners.filter(({ id }) => group.learnerIds.includes(id));
      if (own.every(({ updates }) => updates === spec.updates)) continue;
      for (let i = 0; i < spec.treesPerRound; i++) {
        const number = (round - 1) * spec.treesPerRound + i;
        const seed = deriveSeed('pocket-training', spec.seed, group.id, number);
        const problem = problems.of(number);
        const order = { problem, group, search: trainingSearch(spec), part: 'search' as const, seed };
        const deps = treeDeps(policies, fixture.cache);
        const tree = await growTree({ ...order, scoredOn: 'all' }, deps);
        const advantages = advantagesByHand(tree, spec);
        tree.nodes.forEach(({ learnerId, trace, rollout }, node) => {
          const learner = own.find(({ id }) => id === learnerId);
          if (learner === undefined || learner.updates === spec.updates) return;
          learner.waiting.push({
            trace: trace.trace,
            old: Array.from(rollout),
            advantage: advantages[node] as number,
            left: null,
          });
        });
      }
    }
    for (const learner of learners) {
      const batches = Math.min(
        spec.updates - learner.updates,
        Math.floor(learner.waiting.length / spec.batch),
      );
      for (let i = 0; i < batches; i++) stepByHand(learner, learner.waiting.splice(0, spec.batch), spec);
      if (batches > 0) for (const sample of learner.waiting) sample.left ??= round;
      // A remainder lives for two rounds: the third begins without it.
      learner.waiting = learner.waiting.filter(({ left }) => left === null || round + 1 - left <= 2);
    }
  }
  return learners;
}

function advantagesByHand(
  { nodes }: GrownTree<PocketTrace>,
  { objective, method }: PocketTraining,
): number[] {
  const raw = nodes.map(({ passes }) => (passes ? 1 : 0));
  const { strength, siblingShare } = objective.shaping;
  const shaped = nodes.map(({ parent }, node) => {
    const siblings = nodes.flatMap((other, i) =>
      i !== node && other.parent === parent ? [raw[i] as number] : [],
    );
    const own = raw[node] as number;
    if (method === 'grpo') return own;
    if (parent < 0) return siblings.length === 0 ? own : own + strength * (own - average(siblings));
    const above = raw[parent] as number;
    const baseline =
      siblings.length === 0 ? above : (1 - siblingShare) * above + siblingShare * average(siblings);
    return own + strength * (own - baseline);
  });
  const middle = average(shaped);
  const spread = Math.sqrt(shaped.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (shaped.length - 1));
  return shaped.map((one) => (spread < 1e-12 ? 0 : (one - middle) / (spread + 1e-9)));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type LearnerByHand = Awaited<ReturnType<typeof trainedByHand>>[number];

/** GSPO with clipping and a k3 divergence, then one step of Adam down. */
function stepByHand(learner: LearnerByHand, batch: readonly Credited[], spec: PocketTraining): void {
  const { policy, reference, mean, square } = learner;
  const { clip, kl } = spec.objective;
  const gradient = new Float64Array(policy.weights.length);
  const tokens = batch.reduce((sum, { trace }) => sum + trace.length, 0);
  for (const { trace, old, advantage } of batch) {
    const now = traceProbabilities(policy, trace);
    const before = traceProbabilities(reference, trace);
    const logs = trace.map(({ symbol }, t) => Math.log(now[t]?.[symbol] as number));
    const ratio = Math.exp(average(logs.map((log, t) => log - (old[t] as number))));
    const isClipped = advantage > 0 ? ratio > 1 + clip.high : ratio < 1 - clip.low;
    const slopes = trace.map(({ symbol }, t) => {
      const towards = isClipped ? 0 : (advantage * ratio) / trace.length / batch.length;
      const l = (logs[t] as number) - Math.log(before[t]?.[symbol] as number);
      return towards - (kl.coefficient * (1 - Math.exp(-l))) / tokens;
    });
    addTraceGradient(policy.family, trace, now, slopes, gradient);
  }
  learner.updates += 1;
  const rate = rateByHand(learner.updates, spec);
  const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
  gradient.forEach((whole, i) => {
    const g = norm > 1 ? whole / norm : whole;
    mean[i] = 0.9 * (mean[i] as number) + 0.1 * g;
    square[i] = 0.95 * (square[i] as number) + 0.05 * g * g;
    const [m, s] = [
      (mean[i] as number) / (1 - 0.9 ** learner.updates),
      (square[i] as number) / (1 - 0.95 ** learner.updates),
    ];
    policy.weights[i] = (policy.weights[i] as number) + (rate * m) / (Math.sqrt(s) + 1e-8);
  });
}

function rateByHand(update: number, { updates, rate }: PocketTraining): number {
  // Up to 33 updates one is warm-up.
  if (update === 1) return rate;
  return rate * (0.1 + 0.45 * (1 + Math.cos((Math.PI * (update - 1)) / (updates - 1))));
}

describe('the trainer, against the papers by hand', () => {
  const cases: readonly [string, Partial<PocketTraining>, number][] = [
    ['a tree of one agent, a batch that leaves remainders', { method: 'rs2', batch: 20 }, 6],
    ['a tree of one agent, two updates a round', { method: 'rs2', batch: 12, updates: 4 }, 2],
    ['flat groups', { method: 'grpo', treesPerRound: 8, batch: 32 }, 2],
    ['so slowly that a remainder grows too old', { method: 'rs2', treesPerRound: 1, batch: 30 }, 12],
    ['a tree of two roles of one policy', { method: 'homo-mars2' }, 4],
    ['a shared tree of two agents', { method: 'heter-mars2', families: ['reader', 'tracer'], batch: 14 }, 9],
  ];

  it.each(cases)('learns the same weights: %s', async (_, training, rounds) => {
    const input = inputOf(training);
    const program = await trained(input, rounds);
    const byHand = await trainedByHand(input, rounds);
    for (const { id, policy, updates, waiting } of byHand) {
      const lines = program.lines.filter(({ agent }) => agent === id);
      expect(lines).toHaveLength(updates);
      expect(updates).toBeGreaterThan(1);
      const weights = program.policies.get(id)?.weights as Float64Array;
      const furthest = weights.reduce(
        (most, weight, i) => Math.max(most, Math.abs(weight - (policy.weights[i] as number))),
        0,
      );
      expect(furthest).toBeLessThan(1e-8);
      expect(weights).not.toEqual(baseOf(id).weights);
      if (updates < input.spec.updates) expect(program.buffers[id]?.length).toBe(waiting.length);
    }
  });
});
