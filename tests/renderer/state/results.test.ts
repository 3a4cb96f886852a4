import { describe, expect, test } from 'vitest';
import type { Analysis } from '../../../preload/contract';
import { foldRun, type RunView } from '../../../preload/contract/folds';
import {
  actionsOf,
  arrangedProblems,
  cellsOf,
  configurationsOf,
  firstPassing,
  groupLetters,
  problemLines,
  runLabel,
  seriesOf,
  shareDone,
  sharedPrefix,
  stateWords,
} from '../../../renderer/state';
import { candidates, runViewOf } from '../../support/run-views';
import { sampleEvents, sampleStudy } from '../../support/sample-study';

function viewsOf(study: ReturnType<typeof sampleStudy>): ReadonlyMap<string, RunView> {
  const views = new Map<string, RunView>();
  for (const { runId, event } of sampleEvents(study)) {
    const view = foldRun(views.get(runId) ?? null, [event]);
    if (view !== null) views.set(runId, view);
  }
  return views;
}

function pair(first: string, second: string, separable: boolean): Analysis['pairs'][number] {
  return { metric: 'pass@n', first, second, difference: 0.1, low: 0, high: 0.2, problems: 60, separable };
}

describe('the grid', () => {
  const study = sampleStudy({ problems: 5 });
  const [run] = study.runs;
  if (run === undefined) throw new Error('the sample has no run');

  test('says of each square the configuration, the problem and the outcome', () => {
    const cells = cellsOf(run, 'single', viewsOf(study).get(run.id) ?? null);
    expect(cells).toHaveLength(5);
    expect(cells[0]?.label).toMatch(/^single, pocket\/test\/001: /);
  });

  test('a run that has not begun is all waiting', () => {
    expect(cellsOf(run, 'single', null).map(({ kind }) => kind)).toEqual(Array(5).fill('waiting'));
  });

  test('names the seed only where a configuration has several', () => {
    expect(runLabel(study, run)).toBe('single');
    const seeds = sampleStudy({ seeds: [1, 2] });
    expect(seeds.runs.map((one) => runLabel(seeds, one)).slice(0, 2)).toEqual([
      'single, seed 1',
      'single, seed 2',
    ]);
  });
});

describe('configurations', () => {
  test('stand in the order of the runs, each once', () => {
    expect(configurationsOf(sampleStudy({ seeds: [1, 2] }))).toEqual([
      'single',
      'homogeneous',
      'heterogeneous',
    ]);
  });

  test('have a series each, even before there is an analysis', () => {
    const series = seriesOf(sampleStudy(), null, 'pass@n');
    expect(series.map(({ position, points }) => [position, points.length])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
  });
});

describe('letters', () => {
  test('two share a letter when they cannot be told apart', () => {
    const pairs = [pair('b', 'a', false), pair('c', 'a', true), pair('c', 'b', false)];
    expect([...groupLetters(['a', 'b', 'c'], pairs, 'pass@n')]).toEqual([
      ['a', 'b'],
      ['b', 'ab'],
      ['c', 'a'],
    ]);
  });

  test('one letter for all when no pair can be told apart', () => {
    const pairs = [pair('b', 'a', false), pair('c', 'a', false), pair('c', 'b', false)];
    expect([...groupLetters(['a', 'b', 'c'], pairs, 'pass@n').values()]).toEqual(['a', 'a', 'a']);
  });

  test('none when every two can be told apart, or nothing was compared', () => {
    expect([...groupLetters(['a', 'b'], [pair('b', 'a', true)], 'pass@n').values()]).toEqual(['', '']);
    expect([...groupLetters(['a', 'b'], [pair('b', 'a', false)], 'pass@1').values()]).toEqual(['', '']);
  });
});

describe('the list of problems', () => {
  const study = sampleStudy({ problems: 12 });
  const run = study.runs[2];
  if (run === undefined) throw new Error('the sample has no run');
  const lines = problemLines(run, viewsOf(study).get(run.id) ?? null);

  test('puts those that were never solved last when ordered by the first passing node', () => {
    const firsts = arrangedProblems(lines, { text: '', outcome: null, order: 'first' }).map(
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
    const solved = arrangedProblems(lines, { text: '/01', outcome: 'solved', order: 'outcome' });
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
    expect(stateWords({ kind: 'interrupted' }).tone).toBe('bad');
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
    const view = { study: sampleStudy(), progress, warnings: [], finishedAt: null };
    expect(shareDone({ ...view, state: { kind: 'running' } })).toBe(0.75);
    expect(shareDone({ ...view, state: { kind: 'finished' } })).toBe(1);
  });
});
