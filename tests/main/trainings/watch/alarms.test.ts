import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../../main/base';
import { type AlarmFacts, alarmsOf } from '../../../../main/trainings/logic/watch/alarms';
import { errorAtEnd, sentenceAtEnd } from '../../../../main/trainings/logic/watch/log-ending';
import { Trend } from '../../../../main/trainings/logic/watch/trend';

const MINUTE = 60_000;

const noFacts: AlarmFacts = {
  nowMs: 100 * MINUTE,
  startedMs: 0,
  isWatched: false,
  logError: null,
  isEvaluating: false,
  trends: [],
  arrivals: { lastMs: 99 * MINUTE, gaps: Array.from({ length: 20 }, () => MINUTE) },
  step: 100,
  checkpoints: { every: 10, agents: [{ agentId: 'reader', step: 100, newest: 100 }], roundBytes: 2 ** 30 },
  disk: { freeBytes: 2 ** 40, folder: '/data' },
  unreadable: [],
};

const trendOf = (values: readonly number[], key = 'reward', agentId: string | null = 'reader') => {
  const trend = new Trend();
  for (const [at, value] of values.entries()) trend.add(at + 1, value);
  return { agentId, part: 'train' as const, key, trend };
};
const repeated = (count: number, value: number): number[] => Array.from({ length: count }, () => value);
const of = (more: Partial<AlarmFacts>) => alarmsOf({ ...noFacts, ...more });
const kinds = (more: Partial<AlarmFacts>) => of(more).map(({ kind }) => kind);

test('a healthy training has no alarm', () => {
  const random = randomStream('healthy', 1);
  const noisy = (from: number, to: number) =>
    Array.from({ length: 300 }, (_, at) => from + ((to - from) * at) / 300 + 0.1 * random.normal());
  const trends = [
    trendOf(noisy(0.2, 0.7)),
    trendOf(noisy(0.4, 0.25), 'reward', 'tracer'),
    trendOf(noisy(2, 0.5), 'entropy'),
    trendOf(noisy(0.5, 0.8), 'zero-advantage'),
  ];
  expect(of({ trends })).toEqual([]);
});

test('nothing is raised before there is any data', () => {
  const checkpoints = { every: 10, agents: [], roundBytes: null };
  expect(of({ arrivals: null, step: 0, checkpoints, disk: null })).toEqual([]);
});

describe('NaN', () => {
  test('is one alarm an agent, with the step at which it began', () => {
    const broken = [1, 2, Number.NaN, Number.POSITIVE_INFINITY];
    expect(of({ trends: [trendOf(broken, 'policy-loss'), trendOf(broken, 'kl')] })).toEqual([
      {
        kind: 'nan',
        agentId: 'reader',
        step: 3,
        message:
          'policy-loss, kl have been NaN or infinite since step 3. Stop the training and restart it from a checkpoint before that step, with a lower learning rate or tighter clipping.',
      },
    ]);
  });

  test('that passed, or that an earlier checkpoint took back, is none', () => {
    expect(kinds({ trends: [trendOf([1, Number.NaN, 1])] })).toEqual([]);
    const resumed = trendOf([1, 1, Number.NaN]);
    resumed.trend.add(2, 0.5);
    expect(kinds({ trends: [resumed] })).toEqual([]);
  });

  test('of an unknown quantity is ignored', () => {
    expect(kinds({ trends: [{ ...trendOf([Number.NaN]), part: 'other' }] })).toEqual([]);
  });

  test('is raised for an ended training too', () => {
    expect(kinds({ startedMs: null, trends: [trendOf([Number.NaN])] })).toEqual(['nan']);
  });
});

describe('a stall', () => {
  test('is a pause of several usual steps', () => {
    expect(kinds({ nowMs: 103.9 * MINUTE })).toEqual([]);
    expect(of({ nowMs: 104.1 * MINUTE })).toEqual([
      {
        kind: 'stall',
        agentId: null,
        step: 100,
        message:
          'Nothing new for 5 min after step 100; a step takes 60 s. Check the end of its log and the GPUs; if it hangs, stop and resume it: it continues from its last checkpoint.',
      },
    ]);
  });

  test('of a run that is only watched names who can do something', () => {
    const [alarm] = of({ nowMs: 104.1 * MINUTE, isWatched: true });
    expect(alarm?.message).toContain('if it hangs, ask who started it.');
  });

  test('is no evaluation, and no pause as long as one that was', () => {
    const late = { nowMs: 160 * MINUTE };
    expect(kinds({ ...late, isEvaluating: true })).toEqual([]);
    const gaps = [...repeated(20, MINUTE), 40 * MINUTE];
    expect(kinds({ ...late, arrivals: { lastMs: 99 * MINUTE, gaps } })).toEqual([]);
    expect(kinds({ ...late, startedMs: null })).toEqual([]);
  });

  test('is not the time before the training was resumed', () => {
    expect(kinds({ nowMs: 300 * MINUTE, startedMs: 297 * MINUTE })).toEqual([]);
    expect(kinds({ nowMs: 303 * MINUTE, startedMs: 297 * MINUTE })).toEqual(['stall']);
  });

  test('is not raised before the usual time of a step is known', () => {
    expect(kinds({ nowMs: 9_000 * MINUTE, arrivals: { lastMs: 0, gaps: [MINUTE, MINUTE] } })).toEqual([]);
  });
});

test('of the log of our own trainer only a sentence is taken, not the place of a bug', () => {
  expect(sentenceAtEnd('update 3\nThe disk is full. Free some space.\n')).toBe(
    'The disk is full. Free some space.',
  );
  for (const tail of ['', 'update 3\n', 'Error: no\n    at main (program.js:3:1)\n'])
    expect(sentenceAtEnd(tail)).toBeNull();
});

describe('a log that ends with an error', () => {
  const hint = 'Set the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.';
  test.each([
    [
      `step 3\nTraceback (most recent call last):\n  File "a.py", line 1\nRuntimeError: CUDA out of memory.\n`,
      /^RuntimeError/,
    ],
    [`torch.OutOfMemoryError: no room\n\n${hint}\n`, /^Set the environment/],
    ['KeyError: 1\nstep 4\nstep 5\nstep 6\nstep 7\nstep 8\n', null],
    ['step 4, errors 0\n', null],
  ])('is told by its last lines: %j', (tail, line) => {
    if (line === null) expect(errorAtEnd(tail)).toBeNull();
    else expect(errorAtEnd(tail)).toMatch(line);
  });

  test('is an alarm', () => {
    expect(of({ logError: 'Killed' })).toMatchObject([{ kind: 'log-error' }]);
  });
});

describe('a collapse', () => {
  test('of the entropy is a fall to almost nothing', () => {
    const falling = [...repeated(20, 2), ...repeated(20, 0.05)];
    expect(of({ trends: [trendOf(falling, 'entropy')] })).toMatchObject([
      { kind: 'entropy-collapse', agentId: 'reader', step: 40 },
    ]);
    expect(of({ trends: [trendOf(falling, 'entropy')] })[0]?.message).toContain('fallen to 0.05, from 2');
    expect(kinds({ trends: [trendOf([...repeated(20, 2), ...repeated(20, 0.3)], 'entropy')] })).toEqual([]);
  });

  test('of the reward is a loss of most of its best that is no noise', () => {
    const random = randomStream('collapse', 1);
    const noisyRow = (mean: number, count: number, noise = 0.05) =>
      Array.from({ length: count }, () => mean + noise * random.normal());
    expect(
      kinds({ trends: [trendOf([...noisyRow(0.2, 30), ...noisyRow(0.6, 60), ...noisyRow(0.05, 20)])] }),
    ).toEqual(['reward-collapse']);
    expect(
      kinds({ trends: [trendOf([...noisyRow(0.2, 30), ...noisyRow(0.6, 60), ...noisyRow(0.3, 20)])] }),
    ).toEqual([]);
    // Rewards below zero fall too.
    expect(kinds({ trends: [trendOf([...noisyRow(-1, 40), ...noisyRow(-3, 20)])] })).toEqual([
      'reward-collapse',
    ]);
    // Rare rewards are noise: 2 % of the batches succeed.
    const rare = Array.from({ length: 400 }, () => (random.uniform() < 0.1 ? 1 : 0));
    expect(kinds({ trends: [trendOf([...rare, ...repeated(9, 0), 1])] })).toEqual([]);
  });
});

describe('no signal', () => {
  test('is a share of samples without advantage near one, or groups without any spread', () => {
    expect(of({ trends: [trendOf(repeated(12, 0.99), 'zero-advantage')] })).toMatchObject([
      { kind: 'no-signal', agentId: 'reader', step: 12 },
    ]);
    expect(kinds({ trends: [trendOf(repeated(12, 0), 'group-reward-std')] })).toEqual(['no-signal']);
    expect(kinds({ trends: [trendOf([...repeated(11, 0), 0.1], 'group-reward-std')] })).toEqual([]);
    expect(kinds({ trends: [trendOf(repeated(9, 1), 'zero-advantage')] })).toEqual([]);
  });
});

describe('a published change', () => {
  test('of which a part never arrives is an alarm, where all publications were proven', () => {
    const published = (slopes: number[], proven: number[]) =>
      of({ trends: [trendOf(slopes, 'publish-slope'), trendOf(proven, 'publish-proven')] });
    const [alarm] = published([0.8, 0.82, 0.81], [1, 1, 1]);
    expect(alarm).toMatchObject({ kind: 'partial-publish', agentId: 'reader', step: 3 });
    expect(alarm?.message).toContain('0.81 arrived');
    expect(published([0.98, 1.02, 0.99], [1, 1, 1])).toEqual([]);
    expect(published([0.8, 0.8], [1, 1])).toEqual([]);
    // A slope that is not known well says nothing.
    expect(published([0.3, 0.2, 0.4], [0, 1, 0])).toEqual([]);
  });
});

describe('checkpoints', () => {
  test('that are several intervals late are an alarm, with what to do', () => {
    const after = (newest: number | null, every: number | null = 10) => {
      const tracer = { agentId: 'tracer', step: 20, newest: 20 };
      const agents = [tracer, { agentId: 'reader', step: 100, newest }];
      return of({ checkpoints: { every, agents, roundBytes: 1 } });
    };
    expect(after(60)).toMatchObject([{ kind: 'old-checkpoint', agentId: 'reader', step: 60 }]);
    expect(after(60)[0]?.message).toContain(
      'is from step 60, and the training is at step 100; one is due every 10',
    );
    expect(after(70)).toEqual([]);
    expect(after(null)[0]?.message).toContain('There is no checkpoint after 100 steps');
    expect(after(null, null)).toEqual([]);
  });

  test('that no longer fit twice on the disk are an alarm', () => {
    const disk = { freeBytes: 30 * 2 ** 30, folder: '/data' };
    expect(of({ disk, checkpoints: { every: 10, agents: [], roundBytes: 16 * 2 ** 30 } })).toMatchObject([
      {
        kind: 'disk',
        message:
          'Only 30 GiB are free on the disk of the checkpoints (/data); the next checkpoints take about 16 GiB. Free some space before the next checkpoint is written, for example by deleting old checkpoints.',
      },
    ]);
    expect(kinds({ disk, checkpoints: { every: 10, agents: [], roundBytes: 14 * 2 ** 30 } })).toEqual([]);
    expect(kinds({ disk: { ...disk, freeBytes: 2 ** 29 } })).toEqual(['disk']);
  });
});

test('the same facts give the same alarms', () => {
  const facts = { trends: [trendOf([Number.NaN])], nowMs: 900 * MINUTE };
  expect(of(facts)).toEqual(of(facts));
});
