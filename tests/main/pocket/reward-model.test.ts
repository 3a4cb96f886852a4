import { beforeAll, describe, expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import {
  areaUnderCurve,
  encodeRewardModel,
  loadRewardModel,
  type PocketPolicy,
  type PocketRewardModel,
  parseRewardModel,
  pocketProblems,
  pocketReward,
  type RewardModelWeights,
  renderProgram,
  rewardOf,
  STRONG_FAMILIES,
  trainRewardModel,
  UNREADABLE_REWARD,
} from '../../../main/pocket';
import { passes, privateExamples } from '../../../main/pocket/examples';
import { neighbours } from '../../../main/pocket/random-program';
import { rewardFeatures } from '../../../main/pocket/reward-features';
import { signatureOf, splitOf } from '../../../main/pocket/signature';
import { statementOf } from '../../../main/pocket/statement';
import { nextTask, type Task } from '../../../main/pocket/tasks';
import { basePolicy } from '../../support/base-policies';

let policies: readonly PocketPolicy[];
let record: RewardModelWeights;
let model: PocketRewardModel;
const progress: number[] = [];

beforeAll(async () => {
  policies = await Promise.all(STRONG_FAMILIES.map((family) => basePolicy(family)));
  record = trainRewardModel({
    seed: 1,
    policies,
    // A fifth of the usual number: enough to see that it learns.
    problems: 300,
    onProgress: (share) => progress.push(share),
  });
  const loaded = loadRewardModel(record);
  if (!loaded.ok) throw new Error(loaded.error.message);
  model = loaded.value;
});

const problems = pocketProblems({ split: 'test', seed: 5, count: 20 });

function tasksOf(split: 'train' | 'test', count: number): readonly Task[] {
  const random = randomStream('reward-test', split);
  return Array.from({ length: count }, () => {
    const task = nextTask({ split, length: 3 }, random, () => true);
    if (task === null) throw new Error('no task');
    return task;
  });
}

describe('a trained reward model', () => {
  test('is the same to the byte for the same seed and policies', () => {
    const [one, again] = [1, 1].map((seed) =>
      encodeRewardModel(trainRewardModel({ seed, policies, problems: 40 })),
    );
    expect(again).toBe(one);
    expect(encodeRewardModel(trainRewardModel({ seed: 2, policies, problems: 40 }))).not.toBe(one);
  });

  test('reports its progress from 0 to 1 while it is made', () => {
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBe(1);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });

  test('ranks right above wrong programs on problems that it was not trained on', () => {
    expect(record.trained.problems).toBe(300);
    expect(record.heldOut.problems).toBe(40);
    expect(record.heldOut.auc).toBeGreaterThan(0.9);
    expect(record.heldOut.accuracy).toBeGreaterThan(0.85);
    expect(record.heldOut.lucky.auc).toBeGreaterThan(0.9);
  });

  test('ranks on the test split right programs above wrong ones that pass all public tests', () => {
    const random = randomStream('reward-test-mutants');
    let pairs = 0;
    let won = 0;
    for (const task of tasksOf('test', 30)) {
      const statement = statementOf('call', task.wording, task.examples);
      const score = (program: readonly number[]): number => {
        const reward = rewardOf(model, { id: 'p', statement }, renderProgram(program, 'call'));
        if (!reward.ok) throw new Error(reward.error.message);
        return reward.value;
      };
      const hidden = privateExamples(task.program, task.examples, random);
      const right = score(task.program);
      for (const mutant of neighbours(task.program)) {
        if (!passes(mutant, task.examples) || passes(mutant, hidden)) continue;
        pairs += 1;
        if (right > score(mutant)) won += 1;
      }
    }
    expect(pairs).toBeGreaterThan(30);
    expect(won / pairs).toBeGreaterThan(0.9);
  });

  test('was never shown the semantics of a validation or test problem', () => {
    // Training draws from the train split alone, and the split is a function of what a program does.
    for (const task of tasksOf('train', 50)) expect(splitOf(signatureOf(task.program))).toBe('train');
    for (const task of tasksOf('test', 50)) expect(splitOf(signatureOf(task.program))).toBe('test');
  });
});

describe('a reward', () => {
  const [problem] = problems;
  if (problem === undefined) throw new Error('no problem');
  const style = problem.entryPoint === null ? 'stdin' : 'call';

  test('needs nothing of a problem but its statement', () => {
    const bare = { id: 'other', statement: problem.statement };
    const program = problem.canonicalProgram ?? '';
    expect(rewardOf(model, bare, program)).toEqual(rewardOf(model, problem, program));
  });

  test.each([
    ['no pocket program', 'print("hello")'],
    ['empty', ''],
    ['of the other style', renderProgram([0, 2], style === 'call' ? 'stdin' : 'call')],
  ])('of a program that is %s is very low', (_, program) => {
    expect(rewardOf(model, problem, program)).toEqual({ ok: true, value: UNREADABLE_REWARD });
    const right = rewardOf(model, problem, problem.canonicalProgram ?? '');
    expect(right.ok && right.value).toBeGreaterThan(UNREADABLE_REWARD);
  });

  test('of a problem outside the pocket benchmarks is refused with a message', async () => {
    const score = pocketReward(model);
    expect(await score({ id: 'LCB/1', statement: 'Sort a list.' }, 'print(1)')).toEqual({
      ok: false,
      error: { message: 'The pocket reward model cannot read the problem "LCB/1": it is no pocket problem.' },
    });
  });

  test('has finite features for every statement, also one without clauses or examples', () => {
    const statement = { style: 'call' as const, clauses: [], reordered: false, omitted: true, examples: [] };
    for (const program of [[0], [0, 1, 2, 3, 4, 5, 6, 7], [21, 21, 19, 19, 19, 19]]) {
      const features = rewardFeatures(statement, program);
      expect(features.every(({ index, value }) => index < record.features && Number.isFinite(value))).toBe(
        true,
      );
    }
  });
});

describe('a record of a reward model', () => {
  test('survives writing and reading', () => {
    expect(parseRewardModel(encodeRewardModel(record))).toEqual({ ok: true, value: record });
  });

  const changed = (change: object) => JSON.stringify({ ...record, ...change });
  test.each<[string, () => string, RegExp]>([
    ['cut off', () => encodeRewardModel(record).slice(0, 900), /not JSON/],
    ['of another kind', () => '{"kind":"pocket-checkpoint"}', /no reward model/],
    ['of a later version', () => changed({ version: 99 }), /version 99/],
    ['with features of its own', () => changed({ features: 3 }), /do not fit/],
    ['with weights cut off', () => changed({ weights: record.weights.slice(0, 400) }), /do not fit/],
    [
      'with a weight that is no number',
      () => changed({ weights: `AADAfw${record.weights.slice(6)}` }),
      /finite/,
    ],
  ])('that is %s is refused with a message', (_, broken, message) => {
    const parsed = parseRewardModel(broken());
    const loaded = parsed.ok ? loadRewardModel(parsed.value) : parsed;
    expect(loaded.ok).toBe(false);
    if (!loaded.ok) expect(loaded.error.message).toMatch(message);
  });
});

describe('the area under the curve', () => {
  const of = (right: readonly number[], wrong: readonly number[]) =>
    areaUnderCurve([
      ...right.map((score) => ({ score, right: true })),
      ...wrong.map((score) => ({ score, right: false })),
    ]);
  test.each([
    ['1 where every right one is above', [3, 4], [1, 2], 1],
    ['0 where every right one is below', [1], [2, 3], 0],
    ['one half where all are equal', [1, 1], [1], 0.5],
    ['one half where there is one kind only', [1, 2], [], 0.5],
    ['the share of pairs in order, ties half', [1, 3], [1, 2], 0.625],
  ])('is %s', (_, right, wrong, expected) => {
    expect(of(right, wrong)).toBe(expected);
  });
});
