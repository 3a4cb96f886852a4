import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  encodePrompt,
  type Family,
  interpret,
  type PocketPolicy,
  type Program,
  parseProgram,
  pocketProblems,
  readPrompt,
  traceProbabilities,
} from '../../../main/pocket';
import { type GrownNode, type GrownTree, growTree } from '../../../main/trainer/grow-tree';
import { trainingGroups, trainingSearch } from '../../../main/trainer/learner-groups';
import type { PocketTrace } from '../../../main/trainer/pocket/pocket-learner';
import { pocketLearning } from '../../../main/trainer/pocket/pocket-learning';
import type { TrainingInput } from '../../../main/trainer/pocket/training-input';
import type { MetricLine } from '../../../main/trainer/round-report';
import {
  type PocketTraining,
  type Problem,
  pocketTrainingSchema,
  type TestCase,
} from '../../../preload/contract';
import { PLAIN_OBJECTIVE } from '../../../preload/contract/plans';
import { type BaseFixture, OPENING_MS, openBaseFixture } from './base-fixture';
import { pocketLoop, treeDeps } from './pocket-loop';

const FAMILIES: readonly Family[] = ['reader', 'tracer'];

let fixture: BaseFixture;

beforeAll(async () => {
  fixture = await openBaseFixture(FAMILIES);
}, OPENING_MS);

afterAll(async () => {
  await fixture.grader.dispose();
});

function inputOf(training: Partial<PocketTraining>): TrainingInput {
  const { families = ['reader', 'tracer'] } = training;
  const spec = pocketTrainingSchema.parse({
    kind: 'pocket',
    method: 'heter-mars2',
    problems: 40,
    ...training,
    families,
  });
  return { spec, agents: families.map((family) => ({ id: family, name: family })) };
}

async function forest(
  training: Partial<PocketTraining>,
  trees: number,
): Promise<readonly GrownTree<PocketTrace>[]> {
  const input = inputOf(training);
  const [group] = trainingGroups(pocketLearning(input));
  if (group === undefined) throw new Error('no lane');
  const search = trainingSearch(input.spec);
  const problems = pocketProblems({ split: 'train', seed: 4, count: trees });
  return Promise.all(
    problems.map((problem, i) =>
      growTree(
        { problem, group, search, part: 'search', seed: i, scoredOn: 'all' },
        treeDeps(fixture.policies, fixture.cache),
      ),
    ),
  );
}

/** A verdict without Python and without the sandbox. */
function passesByHand(program: Program, { publicTests, privateTests }: Problem): boolean {
  return [...publicTests, ...privateTests].every((test) => givenBy(program, test));
}

function givenBy(program: Program, test: TestCase): boolean {
  if (test.kind === 'call') {
    return JSON.stringify(interpret(program, JSON.parse(test.input) as number[])) === test.expected;
  }
  if (test.kind !== 'stdin') throw new Error(`A pocket problem has no test of the kind ${test.kind}`);
  const words = test.input.split(/\s+/).filter((word) => word !== '');
  const value = interpret(program, words.map(Number));
  if (value === 'error' || value === 'too-big') return false;
  const text = typeof value === 'number' ? String(value) : value.length === 0 ? 'empty' : value.join(' ');
  return text === test.expected.trim();
}

function earlierOf(messages: GrownNode<PocketTrace>['messages']) {
  return readPrompt(messages)?.earlier ?? null;
}

const kinds: readonly [string, Partial<PocketTraining>][] = [
  ['a shared tree', { method: 'heter-mars2' }],
  ['a tree of two roles', { method: 'homo-mars2', families: ['tracer'] }],
  ['a group of first attempts', { method: 'mixed-groups' }],
];

describe.each(kinds)('%s', (_, training) => {
  it('gives each sample to what its policy was asked and answered', async () => {
    const trees = await forest(training, 12);
    let refinements = 0;
    for (const { nodes, problem } of trees) {
      expect(nodes).toHaveLength(8);
      for (const { parent, messages, trace, rollout, learnerId, program, passes } of nodes) {
        const prompt = readPrompt(messages);
        expect(encodePrompt(prompt as NonNullable<typeof prompt>)).toEqual(trace.encoded);
        const probabilities = traceProbabilities(
          fixture.policies.get(learnerId) as PocketPolicy,
          trace.trace,
        );
        trace.trace.forEach(({ symbol }, t) => {
          expect(Math.log(probabilities[t]?.[symbol] as number)).toBe(rollout[t]);
        });
        expect(rollout).toHaveLength(trace.trace.length);
        // A slip leaves the program out of the answer, and fails.
        if (program === null) expect(passes).toBe(false);
        else {
          expect(parseProgram(program)?.program).toEqual(trace.program);
          expect(passes).toBe(passesByHand(trace.program, problem));
        }
        const above = nodes[parent];
        if (parent === -1) expect(earlierOf(messages)).toBeNull();
        else if (above?.program != null) {
          refinements += 1;
          expect(earlierOf(messages)?.program).toEqual(above.trace.program);
        }
      }
    }
    if (training.method === 'mixed-groups') expect(refinements).toBe(0);
    else expect(refinements).toBeGreaterThan(10);
  });
});

describe('the feedback to a refinement', () => {
  it('is of the public tests alone, with any result of the private ones', async () => {
    const trees = await forest({}, 30);
    const prompts = trees.flatMap(({ nodes, problem }) =>
      nodes.flatMap(({ parent, messages }) => {
        const above = nodes[parent];
        if (above === undefined || above.program === null) return [];
        const passesPublic = problem.publicTests.every((test) => givenBy(above.trace.program, test));
        return [{ feedback: earlierOf(messages)?.feedback, passesPublic, passesAll: above.passes }];
      }),
    );
    for (const { feedback, passesPublic } of prompts) expect(feedback === 'all-passed').toBe(passesPublic);
    for (const { nodes } of trees) {
      for (const { score, passes } of nodes) expect(score).toBe(passes ? 1 : 0);
    }
  });
});

async function loopOf(input: TrainingInput) {
  const base = FAMILIES.map((family) => fixture.policies.get(family) as PocketPolicy);
  const { loop, policies } = await pocketLoop(input, base, fixture.cache);
  return { rounds: loop, policies, next: async () => (await loop.next()).lines };
}

describe('samples and updates', () => {
  it('are as many for every agent, each its own, though the search prefers one of them', async () => {
    const input = inputOf({ updates: 3, batch: 24, treesPerRound: 3 });
    const { rounds, policies, next } = await loopOf(input);
    const lines: MetricLine[] = [];
    let finished: { readonly id: string; readonly weights: Float64Array } | null = null;
    let wentOn = 0;
    while (!rounds.isDone) {
      lines.push(...(await next()));
      const done = FAMILIES.find((id) => rounds.updates[id] === 3);
      if (finished !== null) {
        // Who has learned enough goes on writing, as it is.
        wentOn += 1;
        expect(policies.get(finished.id)?.weights).toEqual(finished.weights);
      } else if (done !== undefined && !rounds.isDone) {
        finished = { id: done, weights: (policies.get(done) as PocketPolicy).weights.slice() };
      }
    }
    expect(rounds.updates).toEqual({ reader: 3, tracer: 3 });
    for (const id of FAMILIES) {
      const own = lines.filter(({ agent }) => agent === id);
      expect(own.map(({ step, samples }) => [step, samples])).toEqual([
        [1, 24],
        [2, 48],
        [3, 72],
      ]);
    }
    expect(wentOn).toBeGreaterThan(0);
  });

  it('under a filter are of mixed trees alone, and the share of trees kept is reported', async () => {
    const objective = { ...PLAIN_OBJECTIVE, filter: { low: 0, high: 1 } };
    const { rounds, next } = await loopOf(inputOf({ updates: 2, batch: 16, objective }));
    const lines: MetricLine[] = [];
    while (!rounds.isDone) lines.push(...(await next()));
    expect(lines).toHaveLength(4);
    for (const { values } of lines) {
      expect(values['kept-trees']).toBeGreaterThan(0);
      expect(values['kept-trees']).toBeLessThan(1);
      expect(values).toMatchObject({ 'all-wrong': 0 });
    }
  });
});
