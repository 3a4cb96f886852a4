import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../../main/base';
import { type PocketPolicy, traceProbabilities } from '../../../main/pocket';
import { type GrownTree, growTree } from '../../../main/trainer/grow-tree';
import { trainingGroups, trainingSearch } from '../../../main/trainer/learner-groups';
import type { PocketTrace } from '../../../main/trainer/pocket/pocket-learner';
import { pocketLearning } from '../../../main/trainer/pocket/pocket-learning';
import { pocketEnvironment, TrainingProblems } from '../../../main/trainer/pocket/pocket-problems';
import type { TrainingInput } from '../../../main/trainer/pocket/training-input';
import type { Policy } from '../../../main/trainer/policy';
import { type TrainingOptions, train } from '../../../main/trainer/trainer';
import { TrainerError, TrainingStopped } from '../../../main/trainer/trainer-error';
import type { VerdictCache } from '../../../main/trainer/verdict-cache';
import { interpreterGrader } from '../../support/interpreter-grader';
import { temporaryFolder } from '../../support/temporary-folder';
import { type BaseFixture, OPENING_MS, openBaseFixture } from './base-fixture';
import { type SlowPolicy, slowPolicy } from './slow-policy';
import { type Line, metricLines, smallTraining } from './small-training';

let fixture: BaseFixture;
beforeAll(async () => {
  fixture = await openBaseFixture(['reader', 'weak']);
}, OPENING_MS);
afterAll(() => fixture.grader.dispose());

function baseOf(id: string): PocketPolicy {
  return fixture.policies.get(id) as PocketPolicy;
}

function depsOf(policies: readonly Policy<PocketTrace>[], signal = new AbortController().signal) {
  return {
    policies: new Map(policies.map((policy) => [policy.id, policy])),
    environment: { benchmarkId: 'pocket', verdicts: fixture.cache as VerdictCache },
    now: () => 0,
    sleep: async () => {},
    signal,
  };
}

function requestOf(input: TrainingInput, tree: number) {
  const [group] = trainingGroups(pocketLearning(input));
  if (group === undefined) throw new Error('A training has a group');
  const problem = new TrainingProblems(input.spec).of(tree);
  const search = trainingSearch(input.spec);
  return { problem, group, search, part: 'search' as const, seed: tree, scoredOn: 'all' as const };
}

describe('a tree of policies that answer later, and in another order than they were asked', () => {
  test('gives every node the log-probabilities of its own answer, in groups of first attempts too', async () => {
    for (const method of ['grpo', 'mixed-groups', 'heter-mars2']) {
      const input = smallTraining({ method, nodes: 8 });
      const policies = ['reader', 'weak'].map((id) => slowPolicy(id, baseOf(id)));
      for (let tree = 0; tree < 4; tree++) {
        const { nodes } = await growTree(requestOf(input, tree), depsOf(policies));
        for (const { learnerId, trace, rollout } of nodes) {
          const at = traceProbabilities(baseOf(learnerId), trace.trace);
          const logs = trace.trace.map(({ symbol }, t) => Math.log(at[t]?.[symbol] as number));
          expect(Array.from(rollout)).toEqual(logs);
        }
      }
    }
  });

  test('is the same tree', async () => {
    const input = smallTraining({ nodes: 8 });
    const textsOf = ({ nodes }: GrownTree<PocketTrace>) =>
      nodes.map(({ parent, answer }) => [parent, answer]);
    const slow = ['reader', 'weak'].map((id) => slowPolicy(id, baseOf(id)));
    const quick = slow.map(({ learner }) => learner);
    for (let tree = 0; tree < 4; tree++) {
      const request = requestOf(input, tree);
      expect(textsOf(await growTree(request, depsOf(slow)))).toEqual(
        textsOf(await growTree(request, depsOf(quick))),
      );
    }
  });

  test('that is cancelled ends with its requests', async () => {
    const stop = new AbortController();
    const input = smallTraining({ method: 'grpo', nodes: 8 });
    const policy = slowPolicy('reader', baseOf('reader'));
    const work = growTree(requestOf(input, 0), depsOf([policy], stop.signal));
    stop.abort();
    await expect(work).rejects.toBeInstanceOf(TrainingStopped);
  });

  test('that gets no answer fails with what the policy said, after several attempts', async () => {
    let attempts = 0;
    const policy: Policy<PocketTrace> = {
      ...slowPolicy('reader', baseOf('reader')),
      write: async () => {
        attempts += 1;
        return failed({ kind: 'server', message: 'The learner has no memory left.' });
      },
    };
    const work = growTree(requestOf(smallTraining({ method: 'rs2' }), 0), depsOf([policy]));
    await expect(work).rejects.toThrow(/no memory left/);
    await expect(work).rejects.toBeInstanceOf(TrainerError);
    expect(attempts).toBe(40);
  });
});

type Trained = {
  readonly out: string;
  readonly policies: readonly SlowPolicy[];
  readonly lines: readonly Line[];
};

async function trained(
  changes: Record<string, unknown>,
  options: Partial<TrainingOptions> & { readonly rounding?: number } = {},
): Promise<Trained> {
  const input = smallTraining(changes);
  const out = options.out ?? (await temporaryFolder());
  const policies = input.agents.map(({ id }) => slowPolicy(id, baseOf(id), options.rounding));
  await train(
    {
      input,
      learning: pocketLearning(input),
      oldFrom: 'recomputed',
      isReproducible: false,
      out,
      now: () => performance.now(),
      sleep: async () => {},
      stop: { aborted: false },
      signal: new AbortController().signal,
      saveEveryMs: 0,
      ...options,
    },
    async () => ({ policies, environment: pocketEnvironment(input.spec, interpreterGrader()) }),
  );
  return { out, policies, lines: await metricLines(out) };
}

describe('a training of policies that are scored by another program than the one that writes', () => {
  const one = { families: ['reader'], method: 'rs2', updates: 4, batch: 8, evaluation: { problems: 0 } };

  test('recomputes the log-probabilities of the old policy, once for all updates of a buffer', async () => {
    const { policies, lines } = await trained(one, { rounding: 0.05 });
    const calls = policies[0]?.calls.filter((name) => !['save', 'export', 'restore'].includes(name));
    // 16 nodes a round are two updates: the second one's old policy is scored before the first step.
    const update = ['score now', 'score reference', 'backward', 'step'];
    const round = ['score now', ...update, ...update, 'publish'];
    expect(calls).toEqual([...round, ...round]);
    const updates = lines.filter(({ part }) => part === undefined);
    expect(updates).toHaveLength(4);
    for (const { values } of updates) expect(values['logp-gap']).toBeCloseTo(0.05, 9);
    expect(updates[0]?.values).toMatchObject({ kl: 0, vetoed: 0, capped: 0 });
  });

  test('says where the time went, in shares that add up', async () => {
    const { lines } = await trained(one);
    for (const { values } of lines.filter(({ part }) => part === undefined)) {
      const shares = ['time-writing', 'time-grading', 'time-learning'].map((key) => values[key] as number);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(values['tokens-per-second']).toBeGreaterThan(0);
    }
  });

  test('learns what pocket policies learn, where writer and learner agree', async () => {
    const changes = { ...one, batch: 16 };
    const { policies, lines } = await trained(changes);
    const sampled = await trained(changes, { oldFrom: 'sampled' });
    expect(policies[0]?.learner.policy.weights).toEqual(sampled.policies[0]?.learner.policy.weights);
    expect(lines[0]?.values).toMatchObject({ 'logp-gap': 0, ratio: 1 });
  });

  test('without a reference has no divergence, and is refused where the objective asks for it', async () => {
    const withoutReference = async (coefficient: number): Promise<readonly Line[]> => {
      const input = smallTraining({
        ...one,
        objective: { ...smallTraining().spec.objective, kl: { estimator: 'k3', coefficient } },
      });
      const out = await temporaryFolder();
      const policy = { ...slowPolicy('reader', baseOf('reader')), hasReference: false };
      await train(
        {
          ...{ input, learning: pocketLearning(input), oldFrom: 'recomputed', isReproducible: true, out },
          ...{ now: () => 0, sleep: async () => {}, stop: { aborted: false }, saveEveryMs: 0 },
          signal: new AbortController().signal,
        },
        async () => ({ policies: [policy], environment: pocketEnvironment(input.spec, interpreterGrader()) }),
      );
      return metricLines(out);
    };
    const lines = await withoutReference(0);
    for (const { values } of lines) expect(values).not.toHaveProperty('kl');
    await expect(withoutReference(0.1)).rejects.toThrow(/reader keeps no reference/);
  });

  test('trap 22: a publish that fails ends it with the reason, and it goes on from the last state', async () => {
    const whole = await trained(one);
    const out = await temporaryFolder();
    const input = smallTraining(one);
    const policy = slowPolicy('reader', baseOf('reader'));
    let published = 0;
    const publish = async () => {
      published += 1;
      if (published === 2) throw new TrainerError({ code: 'unavailable', message: 'The engine is paused.' });
      return policy.publish();
    };
    const options = {
      input,
      learning: pocketLearning(input),
      oldFrom: 'recomputed',
      isReproducible: false,
    } as const;
    const work = train(
      {
        ...{ ...options, out, now: () => performance.now(), sleep: async () => {}, saveEveryMs: 0 },
        ...{ stop: { aborted: false }, signal: new AbortController().signal },
      },
      async () => ({
        policies: [{ ...policy, publish }],
        environment: pocketEnvironment(input.spec, interpreterGrader()),
      }),
    );
    await expect(work).rejects.toThrow(/engine is paused/);
    const { policies } = await trained(one, { out });
    expect(policies[0]?.calls[0]).toBe('restore');
    expect(policies[0]?.learner.policy.weights).toEqual(whole.policies[0]?.learner.policy.weights);
  });

  test('cancelled in a round goes on from the state before it, to the same weights', async () => {
    const whole = await trained(one);
    const out = await temporaryFolder();
    const stop = new AbortController();
    let rounds = 0;
    const stopping = {
      out,
      signal: stop.signal,
      onProgress: () => {
        rounds += 1;
        if (rounds === 1) stop.abort();
      },
    };
    await trained(one, stopping);
    expect(JSON.parse(await readFile(join(out, 'state.json'), 'utf8'))).toMatchObject({
      round: 1,
      done: false,
    });
    const { policies } = await trained(one, { out });
    expect(policies[0]?.calls[0]).toBe('restore');
    expect(policies[0]?.learner.policy.weights).toEqual(whole.policies[0]?.learner.policy.weights);
  });
});
