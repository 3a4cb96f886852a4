import { expect, test } from 'vitest';
import { removalProblem, removalText } from '../../../preload/contract/plans';
import { sampleStudyView } from '../../support/sample-study';

const item = { kind: 'benchmark', id: 'sums' } as const;
const sample = sampleStudyView();
const over = (benchmarkId: string) => ({
  ...sample,
  study: { ...sample.study, runs: sample.study.runs.map((run) => ({ ...run, benchmarkId })) },
});
const view = over('sums');

test('a benchmark that no study uses is removed without losses', () => {
  expect(removalText({ ...item, id: 'unused' }, [view], 0)).toBe('No study uses it.');
});

test('what studies and recordings lose is said before', () => {
  const many = Array.from({ length: 5 }, (_, at) => ({ ...view, study: { ...view.study, name: `S${at}` } }));
  expect(removalText(item, many, 2)).toBe(
    '5 studies use it: "S0", "S1", "S2" and 2 more. Their tables, curves, trees and programs stay. Until the same file is imported again with the id sums, they cannot be resumed or graded again, and statements, tests and prompts of their problems cannot be shown. 2 recordings answer its problems, and cannot be used without it.',
  );
});

test('a generated benchmark comes back without a file', () => {
  const id = 'pocket-test-1-60';
  expect(removalText({ kind: 'benchmark', id }, [over(id)], 0)).toContain(
    'Until it is generated again, which a quickstart study does, they cannot be resumed or graded again',
  );
});

test('nothing is taken away from a study that is running', () => {
  expect(removalProblem(item, [view])).toBeNull();
  expect(removalProblem(item, [{ ...view, state: { kind: 'paused' } }])).toBeNull();
  const running = { ...view, state: { kind: 'running' as const } };
  expect(removalProblem(item, [view, running])?.message).toBe(
    'The benchmark "sums" cannot be removed: the study "Quickstart" is running and needs it.',
  );
  expect(removalProblem({ kind: 'recording', id: 'none' }, [running])).toBeNull();
});
