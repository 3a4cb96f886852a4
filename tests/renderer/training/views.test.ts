import { describe, expect, test } from 'vitest';
import type { Benchmark, Rollout, TrainingCheckpoint } from '../../../preload/contract';
import { sparkCurves } from '../../../renderer/shared/trainings';
import { latestServable, newestFirst } from '../../../renderer/training/checkpoint-columns';
import {
  checkEvaluation,
  defaultBenchmark,
  evaluationCost,
  evaluationName,
} from '../../../renderer/training/evaluate-draft';
import { evaluationRows } from '../../../renderer/training/evaluation-rows';
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
    const request = { ...draft, checkpoints: [one, two], problems: 20, nodes: 60, samples: 8 };
    expect(evaluationCost(request, 60)).toBe('Searches with MARS²-T: 4,240 programs to write and grade.');
    const alone = { ...request, problems: undefined, nodes: 16, team: false };
    expect(evaluationCost(alone, 60)).toBe('Searches with MARS²-T: 2,880 programs to write and grade.');
    expect(evaluationName(['My heter', 'My heter', 'My grpo'], 3)).toBe(
      'My heter and My grpo: 3 checkpoints',
    );
    expect(evaluationName(['a'.repeat(200)], 1)).toHaveLength(120);
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
  test('is a row for each agent alone and one for the team, with the rates that main computed', () => {
    const problem = { problemId: 'p', samples: [], chosenPasses: true, somePasses: true, algorithms: [] };
    const problems = [9, 11].map((distinctPrograms) => ({ ...problem, distinctPrograms }));
    const rate = (value: number) => ({ value, low: value - 0.1, high: value + 0.1, problems: 2 });
    const alone = { passOne: rate(0.75), passOneSearch: rate(0.5), passAny: rate(0.8) };
    const together = { passOne: null, passOneSearch: rate(0.6), passAny: rate(0.7) };
    const rows = evaluationRows(
      {
        split: 'test',
        seed: 1,
        teams: [['reader'], ['reader', 'tracer']].map((agentIds) => ({ agentIds, nodes: 60, problems })),
        rates: [alone, together],
        gains: [],
        caution: null,
      },
      [
        { id: 'reader', name: 'Reader' },
        { id: 'tracer', name: 'Tracer' },
      ],
    );
    expect(rows).toEqual([
      { id: 'reader', label: 'Reader', position: 0, ...alone, nodes: 60, distinct: 10 },
      { id: 'reader+tracer', label: 'team', position: null, ...together, nodes: 60, distinct: 10 },
    ]);
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
