import { describe, expect, test } from 'vitest';
import { foldRun, type RunView } from '../../../preload/contract/folds';
import {
  configurationsOf,
  filterProblems,
  firstPassing,
  groupLetters,
  problemLines,
  seriesOf,
  sharedPrefix,
} from '../../../renderer/state';
import { actionsOf, shareDone, studyStatus } from '../../../renderer/text/studies';
import { candidates, runViewOf } from '../../support/run-views';
import { sampleAnalysis } from '../../support/sample-records';
import { sampleEvents, sampleStudy } from '../../support/sample-study';

function viewsOf(study: ReturnType<typeof sampleStudy>): ReadonlyMap<string, RunView> {
  const views = new Map<string, RunView>();
  for (const { runId, event } of sampleEvents(study)) {
    const view = foldRun(views.get(runId) ?? null, [event]);
    if (view !== null) views.set(runId, view);
  }
  return views;
}

describe('configurations', () => {
  test('stand in the order of the runs, each once', () => {
    expect(configurationsOf(sampleStudy({ seeds: [1, 2] }))).toEqual([
      'single',
      'homogeneous',
      'heterogeneous',
    ]);
  });

  test('have a series each, even before there is an analysis', () => {
    const series = seriesOf(configurationsOf(sampleStudy()), null, 'pass@n');
    expect(series.map(({ position, points }) => [position, points.length])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
  });
});

test('the letters of a configuration are those of its metric', () => {
  const analysis = sampleAnalysis({
    groupings: [
      {
        metric: 'pass@n',
        letters: [
          { configuration: 'a', letters: 'a' },
          { configuration: 'b', letters: 'ab' },
        ],
      },
    ],
  });
  expect([...groupLetters(analysis, 'pass@n')]).toEqual([
    ['a', 'a'],
    ['b', 'ab'],
  ]);
  expect(groupLetters(analysis, 'pass@1').size).toBe(0);
  expect(groupLetters(null, 'pass@n').size).toBe(0);
});

describe('the list of problems', () => {
  const study = sampleStudy({ problems: 12 });
  const run = study.runs[2];
  if (run === undefined) throw new Error('the sample has no run');
  const lines = problemLines(run, viewsOf(study).get(run.id) ?? null);

  test('puts those that were never solved last when ordered by the first passing node', () => {
    const firsts = filterProblems(lines, { text: '', outcome: null, order: 'first' }).map(
      ({ firstPassing }) => firstPassing ?? Number.POSITIVE_INFINITY,
    );
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
  });

  test('names the first passing node by the number that the tree shows', () => {
    const view = runViewOf({ p: { search: candidates('pw') }, q: { search: candidates('wp') } });
    expect(['p', 'q', 'none'].map((id) => firstPassing(view, id))).toEqual([0, 1, null]);
  });

  test('is filtered by text and outcome, and never changes the lines themselves', () => {
    const before = [...lines];
    const solved = filterProblems(lines, { text: '/01', outcome: 'solved', order: 'outcome' });
    expect(solved.every(({ problemId, outcome }) => problemId.includes('/01') && outcome === 'solved')).toBe(
      true,
    );
    expect(lines).toEqual(before);
  });

  test.each([
    [['pocket/test/001', 'pocket/test/002'], 'pocket/test/'],
    [['HumanEval/0', 'HumanEval/12'], 'HumanEval/'],
    [['a/b/1', 'a/c/1'], 'a/'],
    [['one', 'two'], ''],
    [['only/one'], ''],
  ])('%j share %j', (ids, prefix) => {
    expect(sharedPrefix(ids)).toBe(prefix);
  });
});

describe('the words of a study', () => {
  test('a paused study can be resumed, a finished one only removed', () => {
    expect(actionsOf({ kind: 'paused' })).toContain('resume');
    expect(actionsOf({ kind: 'finished' })).toEqual(['remove']);
    expect(actionsOf({ kind: 'running' })).toEqual(['pause', 'cancel']);
  });

  test('an interrupted study asks for a look', () => {
    expect(studyStatus({ state: { kind: 'interrupted' } }).tone).toBe('bad');
  });

  test('writing and grading count alike, and a finished study is whole', () => {
    const progress = {
      nodesDone: 100,
      nodesTotal: 100,
      gradedDone: 50,
      problemsDone: 0,
      problemsTotal: 4,
      elapsedMs: 0,
      remainingMs: null,
    };
    const view = { study: sampleStudy(), progress, warnings: [], finishedAt: null, hues: [0] };
    expect(shareDone({ ...view, state: { kind: 'running' } })).toBe(0.75);
    expect(shareDone({ ...view, state: { kind: 'finished' } })).toBe(1);
    const all = { ...progress, gradedDone: 100 };
    expect(shareDone({ ...view, progress: all, state: { kind: 'missing', message: 'Gone.' } })).toBe(1);
    const almost = { ...progress, nodesTotal: 1_000, nodesDone: 1_000, gradedDone: 998 };
    expect(shareDone({ ...view, progress: almost, state: { kind: 'running' } })).toBe(0.99);
  });
});
