import { describe, expect, test } from 'vitest';
import type { Benchmark, Rollout, TrainingCheckpoint, TrainingEvaluation } from '../../../preload/contract';
import { sparkCurves } from '../../../renderer/shared/trainings';
import { latestServable, newestFirst } from '../../../renderer/training/checkpoint-columns';
import { checkEvaluation, defaultBenchmark } from '../../../renderer/training/evaluate-draft';
import { evaluationRows, rateOf } from '../../../renderer/training/evaluation-rows';
import { latestOf } from '../../../renderer/training/latest-value';
import { answerParts, listedRollouts, parentOf, parentText } from '../../../renderer/training/rollout-list';
import { filterTrainings, groupCounts } from '../../../renderer/training/training-filters';
import { samplePocketTraining, sampleTrainings } from '../../support/sample-trainings';

describe('the list of trainings', () => {
  const trainings = sampleTrainings();

  test('counts those of a machine that does not answer as active, and what was stopped not as failed', () => {
    expect(groupCounts(trainings)).toEqual({ all: 20, active: 5, done: 13, stopped: 1, failed: 1 });
  });

  test('is narrowed by state, experiment and words in any order', () => {
    const names = (filters: Partial<Parameters<typeof filterTrainings>[1]>) =>
      filterTrainings(trainings, { group: 'all', experimentId: '', text: '', ...filters }).map(
        ({ name }) => name,
      );
    expect(names({ group: 'failed' })).toEqual(['Rate of 3, to see it break']);
    expect(names({ experimentId: 'experiment-five', text: '13 GRPO' })).toEqual(['Vanilla GRPO, seed 13']);
    expect(names({ text: 'qwen3-8b' })).toEqual(['MARTI, Qwen3-8B and boba-2-14B']);
    expect(names({ text: 'nothing like that' })).toEqual([]);
  });

  test('has the latest value of each agent in their order, or of the run where no agent is named', () => {
    const training = samplePocketTraining({}, 5);
    const latest = [
      { agentId: 'tracer', key: 'pass@1', value: 0.5 },
      { agentId: 'reader', key: 'pass@1', value: 0.612 },
      { agentId: null, key: 'kl', value: 0.02 },
    ];
    expect(
      latestOf({ ...training, latest }, 'pass@1').map(({ agent, text: words }) => [agent, words]),
    ).toEqual([
      ['reader', '61.2'],
      ['tracer', '50.0'],
    ]);
    expect(latestOf({ ...training, latest }, 'kl')).toMatchObject([{ agent: 'the run', position: null }]);
    expect(latestOf({ ...training, latest }, 'reward')).toEqual([]);
  });

  test('draws Pass@1 where there is any, of the part that has most points', () => {
    const curve = (key: string, part: 'train' | 'evaluation', length: number, agentId = 'reader') => {
      const steps = Array.from({ length }, (_, at) => at + 1);
      return { agentId, key, part, steps, values: steps, samples: null, seconds: null };
    };
    const drawn = sparkCurves([
      curve('reward', 'train', 40),
      curve('pass@1', 'evaluation', 3),
      curve('pass@1', 'train', 20),
      curve('pass@1', 'train', 20, 'tracer'),
    ]);
    expect(drawn.map(({ key, part, agentId }) => `${key} ${part} ${agentId}`)).toEqual([
      'pass@1 train reader',
      'pass@1 train tracer',
    ]);
    expect(sparkCurves([curve('reward', 'train', 1)])).toEqual([]);
  });
});

describe('checkpoints', () => {
  const checkpoint = (agentId: string, step: number): TrainingCheckpoint => ({
    id: `${agentId}-${step}`,
    agentId,
    step,
    path: '/x',
    at: null,
    bytes: null,
    canServe: true,
  });
  const all = [
    checkpoint('tracer', 100),
    checkpoint('tracer', 200),
    checkpoint('reader', 100),
    checkpoint('reader', 200),
  ];

  test('stand newest first, those of one step in the order of the agents', () => {
    const agents = [
      { id: 'reader', name: 'reader' },
      { id: 'tracer', name: 'tracer' },
    ];
    expect(newestFirst(all, agents).map(({ id }) => id)).toEqual([
      'reader-200',
      'tracer-200',
      'reader-100',
      'tracer-100',
    ]);
  });

  test('have a last one of every agent', () => {
    expect(latestServable(all).map(({ id }) => id)).toEqual(['tracer-200', 'reader-200']);
  });

  test('of which a server can load none are never that', () => {
    const parts = { ...checkpoint('reader', 300), canServe: false };
    expect(latestServable([...all, parts]).map(({ id }) => id)).toEqual(['tracer-200', 'reader-200']);
  });
});

describe('evaluating checkpoints', () => {
  const benchmark = (id: string, scale: Benchmark['scale']) => ({ id, scale, problems: 60 }) as Benchmark;
  const draft = {
    name: ' Two ',
    benchmarkId: 'pocket-test-1',
    problems: '',
    nodes: '60',
    samples: '8',
    team: true,
  };
  const one = { trainingId: 't', checkpointId: 'reader-000300' };
  const two = { trainingId: 't', checkpointId: 'tracer-000300' };

  test('begins with a benchmark of the same scale, of held-out problems where there is one', () => {
    const known = [
      benchmark('humaneval', 'recorded'),
      benchmark('pocket-train-1', 'pocket'),
      benchmark('pocket-test-1', 'pocket'),
    ];
    expect(defaultBenchmark(known, true)?.id).toBe('pocket-test-1');
    expect(defaultBenchmark(known, false)?.id).toBe('humaneval');
    expect(defaultBenchmark([], false)).toBeNull();
    // A generated one is made when it is asked for.
    expect(defaultBenchmark([], true)?.id).toBe('pocket-test-1-60');
  });

  test('orders a study of all problems, as a team only where there are several', () => {
    expect(checkEvaluation(draft, [one, two], benchmark('b', 'pocket'))).toEqual({
      ok: true,
      request: {
        name: 'Two',
        checkpoints: [one, two],
        team: true,
        benchmarkId: 'pocket-test-1',
        nodes: 60,
        samples: 8,
      },
    });
    expect(checkEvaluation({ ...draft, problems: '20' }, [one], benchmark('b', 'pocket'))).toMatchObject({
      request: { team: false, problems: 20 },
    });
  });

  test('says at the field what is wrong', () => {
    const wrong = checkEvaluation(
      { ...draft, name: '', problems: '61', nodes: '0', samples: 'many' },
      [one],
      benchmark('b', 'pocket'),
    );
    expect(wrong).toEqual({
      ok: false,
      errors: {
        name: 'Enter a name for the study.',
        problems: 'A whole number from 1 to 60.',
        nodes: 'A whole number from 1 to 1,000.',
        samples: 'A whole number from 0 to 1,000.',
      },
    });
    expect(checkEvaluation(draft, [one], null)).toMatchObject({
      errors: { benchmarkId: 'Choose a benchmark.' },
    });
  });
});

describe("the trainer's own evaluation", () => {
  test("has Wilson's interval: 8 of 10 is 49.0 to 94.3 %", () => {
    const rate = rateOf([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect(rate).toMatchObject({ value: 0.8, problems: 10 });
    expect(rate?.low).toBeCloseTo(0.490_162, 5);
    expect(rate?.high).toBeCloseTo(0.943_318, 5);
    expect(rateOf([])).toBeNull();
    expect(rateOf([0, 0, 0])).toMatchObject({ value: 0, low: 0 });
    expect(rateOf([1])).toMatchObject({ value: 1, high: 1 });
  });

  test('is a row for each agent alone and one for the team, Pass@1 of it the mean of its agents', () => {
    const problem = (passed: readonly number[], chosenPasses: boolean, somePasses: boolean) => ({
      problemId: 'p',
      samples: passed.map((count, at) => ({
        agentId: at === 0 ? 'reader' : 'tracer',
        count: 4,
        passed: count,
      })),
      chosenPasses,
      somePasses,
      distinctPrograms: 10,
      algorithms: [],
    });
    const evaluation: TrainingEvaluation = {
      split: 'test',
      seed: 1,
      teams: [
        { agentIds: ['reader'], nodes: 60, problems: [problem([4], true, true), problem([2], false, true)] },
        {
          agentIds: ['reader', 'tracer'],
          nodes: 60,
          problems: [problem([4, 0], true, true), problem([2, 2], false, false)],
        },
      ],
    };
    const rows = evaluationRows(evaluation, [
      { id: 'reader', name: 'Reader' },
      { id: 'tracer', name: 'Tracer' },
    ]);
    expect(rows.map(({ label, position }) => [label, position])).toEqual([
      ['Reader', 0],
      ['team', null],
    ]);
    expect(
      rows.map(({ passOne, passOneSearch, passAny }) => [
        passOne?.value,
        passOneSearch?.value,
        passAny?.value,
      ]),
    ).toEqual([
      [0.75, 0.5, 1],
      [0.5, 0.5, 0.5],
    ]);
    expect(rows[0]?.distinct).toBe(10);
  });
});

describe('a rollout', () => {
  const rollout = (part: Partial<Rollout>): Rollout => ({
    agentId: 'reader',
    step: 4,
    problemId: 'p',
    node: 0,
    parent: -1,
    prompt: '',
    answer: '',
    reward: 1,
    shapedReward: null,
    advantage: null,
    ...part,
  });

  test('leads to the one that it refines: of its problem, of its tree, where that was kept', () => {
    const listed = listedRollouts([
      rollout({ node: 3, parent: 0, step: 9 }),
      rollout({ problemId: 'q' }),
      rollout({ agentId: 'tracer', step: 7 }),
      rollout({ node: 2, parent: 1, step: 9 }),
      rollout({ agentId: 'tracer', step: 2 }),
      rollout({ node: 4, parent: null }),
    ]);
    const parents = listed.map(({ key }) => parentOf(listed, key)?.rollout ?? null);
    expect(parents).toEqual([listed[2]?.rollout, null, null, null, null, null]);
  });

  test.each([
    [-1, 'first attempt'],
    [3, 'refines node 3'],
    [null, ''],
  ])('of parent %s: "%s"', (parent, text) => expect(parentText(rollout({ parent }))).toBe(text));

  test('can be distinguished from others with the same text', () => {
    const keys = listedRollouts([rollout({}), rollout({}), rollout({ node: null }), rollout({ node: null })]);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(4);
  });

  test('is read as words and programs, also where it was cut within one', () => {
    expect(answerParts('I think.\n\n```python\nprint(1)\n```\nDone.')).toEqual([
      { kind: 'prose', text: 'I think.' },
      { kind: 'code', text: 'print(1)' },
      { kind: 'prose', text: 'Done.' },
    ]);
    expect(answerParts('```\na\n\nb')).toEqual([{ kind: 'code', text: 'a\n\nb' }]);
    expect(answerParts('x = `1` and ```no block``` here')).toEqual([
      { kind: 'prose', text: 'x = `1` and ```no block``` here' },
    ]);
    expect(answerParts('Use:\n```python\n```')).toEqual([{ kind: 'prose', text: 'Use:\n```python\n```' }]);
    expect(answerParts('')).toEqual([]);
  });
});
