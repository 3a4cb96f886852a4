import { describe, expect, test } from 'vitest';
import type { RunOutcomes } from '../../../preload/contract';
import { cellsOf, countOutcomes, createRunRows, damagedRuns } from '../../../renderer/state';
import { runLabel } from '../../../renderer/text/metrics';
import { sampleStudy } from '../../support/sample-study';

const study = sampleStudy({ problems: 3, nodes: 24 });
const [run] = study.runs;
if (run === undefined) throw new Error('the sample has no run');

function outcomesOf(runId: string, change: Partial<RunOutcomes> = {}): RunOutcomes {
  return {
    runId,
    outcomes: ['solved', 'searching', 'waiting'],
    nodes: [24, 6, 0],
    firstPassing: [3, -1, -1],
    failures: 0,
    warnings: [],
    finished: false,
    problem: null,
    ...change,
  };
}

describe('the squares', () => {
  test('say configuration, problem and outcome; how far a search is belongs to no name, since it changes all the time', () => {
    const cells = cellsOf(run, 'single', outcomesOf(run.id));
    expect(cells).toEqual([
      { kind: 'solved', fill: 1, label: 'single, pocket/test/001: solved' },
      {
        kind: 'searching',
        fill: 0.25,
        label: 'single, pocket/test/002: searching',
        detail: '6 of 24 nodes',
      },
      { kind: 'waiting', fill: 0, label: 'single, pocket/test/003: waiting' },
    ]);
  });

  test('are all waiting before anything is known', () => {
    expect(cellsOf(run, 'single', null).map(({ kind }) => kind)).toEqual(Array(3).fill('waiting'));
  });

  test('of a damaged journal do not promise what is not there', () => {
    const problem = { message: 'Damaged.', repairable: true };
    expect(cellsOf(run, 'single', outcomesOf(run.id, { problem }))[2]?.label).toBe(
      'single, pocket/test/003: nothing in the journal',
    );
  });

  test('are counted by outcome', () => {
    const rows = createRunRows(study)({ studyId: study.id, runs: [outcomesOf(run.id)] });
    expect(Object.fromEntries(countOutcomes(rows))).toEqual({ solved: 1, searching: 1, waiting: 7 });
  });
});

describe('rows', () => {
  test('rest while nothing of their run has changed, though main answers with new lists', () => {
    const rowsOf = createRunRows(study);
    const rowsFor = (nodes: number[]) =>
      rowsOf({
        studyId: study.id,
        runs: study.runs.map(({ id }, at) => outcomesOf(id, at === 0 ? { nodes } : {})),
      });
    const before = rowsFor([24, 6, 0]);
    const after = rowsFor([24, 7, 0]);
    expect(after.map((row, at) => row === before[at])).toEqual([false, true, true]);
  });

  test('change when a journal is repaired', () => {
    const rowsOf = createRunRows(study);
    const problem = { message: 'Damaged.', repairable: true };
    const damaged = rowsOf({ studyId: study.id, runs: [outcomesOf(run.id, { problem })] })[0];
    const whole = rowsOf({ studyId: study.id, runs: [outcomesOf(run.id)] })[0];
    expect([damaged?.damage, whole?.damage]).toEqual([problem, null]);
  });

  test('name the seed only where a configuration has several', () => {
    expect(runLabel(study, run)).toBe('single');
    const seeds = sampleStudy({ seeds: [1, 2] });
    expect(seeds.runs.map((one) => runLabel(seeds, one)).slice(0, 2)).toEqual([
      'single, seed 1',
      'single, seed 2',
    ]);
  });
});

test('damaged runs are listed in the order of the study', () => {
  const problem = { message: 'Damaged.', repairable: false };
  const runs = study.runs.map(({ id }) => outcomesOf(id, { problem })).reverse();
  expect(damagedRuns(study, { studyId: study.id, runs }).map(({ label }) => label)).toEqual([
    'single',
    'homogeneous',
    'heterogeneous',
  ]);
  expect(damagedRuns(study, null)).toEqual([]);
});
