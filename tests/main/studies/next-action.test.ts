import { describe, expect, test } from 'vitest';
import {
  nextAction,
  type StudyFacts,
  type StudyObservation,
  studyState,
} from '../../../main/studies/logic/next-action';
import { checkBenchmarks } from '../../../main/studies/study-inputs';
import type { Progress, Refusal, Study } from '../../../preload/contract';
import { sampleStudy } from '../../support/sample-study';

const progress: Progress = {
  nodesDone: 1,
  nodesTotal: 2,
  gradedDone: 1,
  problemsDone: 0,
  problemsTotal: 1,
  elapsedMs: 5,
  remainingMs: null,
};
const refusal: Refusal = { code: 'conflict', message: 'Another study is running.' };
const planned: StudyFacts = { stopped: null, progress: null, finishedAt: null };
const begun: StudyFacts = { ...planned, progress };
const finished: StudyFacts = { ...begun, finishedAt: '2026-01-01T00:00:00.000Z' };
const bundled: StudyFacts = { ...finished, fromBundle: 'other-lab.zip' };

const idle: StudyObservation = {
  ...{ request: null, work: null, failure: null, queuedBehind: null },
  ...{ obstacle: null, conflict: null, isService: false },
};
const queuedBehind = { name: 'first', where: 'on this computer' };
const work = { state: { kind: 'running' }, end: null, unsavedMs: 0 } as const;
const ended = { ...work, end: { kind: 'failed', refusal } } as const;

describe('what is due for a study', () => {
  const cases: readonly [string, StudyFacts, Partial<StudyObservation>, object][] = [
    ['a planned one waits for a request', planned, {}, { kind: 'nothing' }],
    ['an interrupted one is not resumed by itself', begun, {}, { kind: 'nothing' }],
    ['a requested one starts', begun, { request: 'start' }, { kind: 'start' }],
    ['a finished one may start again', finished, { request: 'start' }, { kind: 'start' }],
    ['not without its journals', begun, { request: 'start', obstacle: refusal }, { kind: 'refuse', refusal }],
    ['not beside another one', begun, { request: 'start', conflict: refusal }, { kind: 'refuse', refusal }],
    ['it may wait for the other one', begun, { request: 'queue', conflict: refusal }, { kind: 'enqueue' }],
    ['and starts at once where there is none', begun, { request: 'queue' }, { kind: 'start' }],
    [
      'it does not wait for journals that are gone',
      begun,
      { request: 'queue', obstacle: refusal, conflict: refusal },
      { kind: 'refuse', refusal },
    ],
    ['one that waits is taken out', begun, { request: 'paused', queuedBehind }, { kind: 'dequeue' }],
    ['or stopped', begun, { request: 'cancelled', queuedBehind }, { kind: 'cancel' }],
    ["not another lab's", bundled, { request: 'start' }, { kind: 'refuse' }],
    ['one that runs is not started twice', begun, { request: 'start', work }, { kind: 'nothing' }],
    ['one that runs is stopped', begun, { request: 'paused', work }, { kind: 'stop', as: 'paused' }],
    ['an idle one cannot be paused', begun, { request: 'paused' }, { kind: 'refuse' }],
    ['an idle one can be cancelled', begun, { request: 'cancelled' }, { kind: 'cancel' }],
    ['but not after its end', finished, { request: 'cancelled' }, { kind: 'refuse' }],
    [
      'progress is saved now and then',
      begun,
      { work: { ...work, unsavedMs: 5_000 } },
      { kind: 'save', end: null },
    ],
    [
      'the end is saved before anything else',
      begun,
      { request: 'start', work: ended },
      { kind: 'save', end: ended.end },
    ],
  ];
  test.each(cases)('%s', (_title, record, observed, action) => {
    expect(nextAction(record, { ...idle, ...observed })).toMatchObject(action);
  });
});

describe('the state of a study', () => {
  const cases: readonly [string, StudyFacts, Partial<StudyObservation>, string][] = [
    ['never started', planned, {}, 'planned'],
    ['cut off by a crash', begun, {}, 'interrupted'],
    ['paused', { ...begun, stopped: 'paused' }, {}, 'paused'],
    ['finished', finished, {}, 'finished'],
    ['in the queue', begun, { queuedBehind }, 'queued'],
    ['taken from the queue by its start', begun, { queuedBehind, work }, 'running'],
    ['failed in this session', begun, { failure: refusal }, 'failed'],
    ['failed in an earlier session', { ...begun, failure: refusal }, {}, 'failed'],
    ['in the queue again after a failure', { ...begun, failure: refusal }, { queuedBehind }, 'queued'],
    ['running again after a failure', { ...begun, failure: refusal }, { work }, 'running'],
    ['started again after a failure', begun, { failure: refusal, work }, 'running'],
    ['ended, not saved yet', begun, { work: { ...work, end: { kind: 'finished' } } }, 'running'],
    ['failed, not saved yet', begun, { work: ended }, 'failed'],
  ];
  test.each(cases)('%s', (_title, record, observed, state) => {
    expect(studyState(record, { ...idle, ...observed }).kind).toBe(state);
  });

  test('a failure has the cause of its refusal, where it has one', () => {
    const of = (failure: Refusal) => studyState(planned, { ...idle, failure });
    expect(of({ ...refusal, cause: 'file' })).toMatchObject({ kind: 'failed', cause: 'file' });
    expect(of(refusal)).toEqual({ kind: 'failed', message: refusal.message });
  });

  test('a benchmark or recording that is not there is a file to import, a pocket one is not', () => {
    const study = sampleStudy({ problems: 1 });
    const missing = (scale: Study['scale']) => () =>
      checkBenchmarks(
        { ...study, runs: study.runs.map((run) => ({ ...run, scale })) },
        {
          list: () => [],
        },
      );
    const refused = (cause?: string) =>
      expect.objectContaining({ refusal: expect.objectContaining({ cause }) });
    expect(missing('paper')).toThrow(refused('file'));
    expect(missing('pocket')).toThrow(/is not in the library/);
    expect(missing('pocket')).not.toThrow(refused('file'));
  });
});
