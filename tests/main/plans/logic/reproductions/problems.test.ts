import { describe, expect, test } from 'vitest';
import { paperProblems, pocketProblems } from '../../../../../main/plans/logic/reproductions/problems';
import { knownBenchmark, liveCodeBench } from '../../../../support/plan-inputs';

const V6 = {
  name: 'LiveCodeBench v6',
  format: 'livecodebench' as const,
  from: '2025-01-01',
  to: '2025-05-31',
  problems: 175,
};
const RULES = { rules: 'livecodebench' as const };

/** 880 problems to the middle of January 2025, then the 175 of version 6: the days of both meet in January. */
const RELEASE = knownBenchmark(1_055, { id: 'release', ...RULES, version: 'release_v6' }, (at) =>
  at < 860 ? '2024-06-01' : at < 880 ? '2025-01-11T00:00:00' : '2025-02-15T00:00:00',
);

function idsOf(chosen: ReturnType<typeof paperProblems>): readonly string[] {
  return chosen?.problems.kind === 'imported' ? chosen.problems.problemIds : [];
}

describe('the 175 problems of LiveCodeBench v6', () => {
  test('are all of the file of version 6, with any dates', () => {
    const undated = knownBenchmark(175, { id: 'v6', ...RULES, version: 'v6' });
    const chosen = paperProblems(V6, undefined, [undated]);
    expect(idsOf(chosen)).toEqual(undated.problems.map(({ id }) => id));
    expect(chosen?.notes).toEqual([]);
  });

  test('are the last of release 6, without those of January that release 5 had already', () => {
    const chosen = paperProblems(V6, undefined, [RELEASE]);
    expect(idsOf(chosen)).toEqual(RELEASE.problems.slice(880).map(({ id }) => id));
  });

  test('are taken from their own file rather than from the whole release', () => {
    expect(paperProblems(V6, undefined, [RELEASE, liveCodeBench()])?.problems).toMatchObject({
      benchmarkId: 'livecodebench-v6',
    });
  });

  test('of which fewer are asked for are the first ones', () => {
    const chosen = paperProblems(V6, 3, [liveCodeBench()]);
    expect(chosen?.count).toBe(3);
    expect(idsOf(chosen)).toHaveLength(3);
  });

  test('cannot come from other benchmarks', () => {
    expect(paperProblems(V6, undefined, [knownBenchmark(164, { rules: 'humaneval' })])).toBeNull();
    const older = knownBenchmark(400, { ...RULES, version: 'v1' }, () => '2024-01-01');
    expect(paperProblems(V6, undefined, [older])).toBeNull();
  });
});

describe('a benchmark with another number of problems', () => {
  const part = knownBenchmark(40, { id: 'part', name: 'Part', ...RULES }, () => '2025-03-01');

  test('is searched all the same, and the plan says that values are not comparable', () => {
    const chosen = paperProblems(V6, undefined, [part]);
    expect(chosen?.count).toBe(40);
    expect(chosen?.notes).toEqual([
      '"Part" gives 40 problems where the paper has 175: values will not be comparable with the paper\'s.',
    ]);
  });

  test('gives way to one with the right number', () => {
    expect(paperProblems(V6, undefined, [part, liveCodeBench()])?.count).toBe(175);
  });

  test('loses the problems that were marked to be left out', () => {
    const marked = {
      ...part,
      benchmark: { ...part.benchmark, marks: [{ problemId: 'part/0', reason: 'wrong', exclude: true }] },
    };
    expect(idsOf(paperProblems(V6, undefined, [marked]))).not.toContain('part/0');
  });
});

test('days of contests are both inclusive', () => {
  const days = ['2025-01-31', '2025-02-01T22:00:00', '2025-02-10', '2025-02-11'];
  const known = knownBenchmark(4, { id: 'days', ...RULES }, (at) => days[at] ?? null);
  const window = { ...V6, from: '2025-02-01', to: '2025-02-10', problems: 2 };
  expect(idsOf(paperProblems(window, undefined, [known]))).toEqual(['days/1', 'days/2']);
});

test('benchmarks with the same rules are distinguished by their names', () => {
  const mbpp = knownBenchmark(378, { id: 'mbppplus', rules: 'evalplus' });
  const humanEval = knownBenchmark(164, { id: 'humanevalplus', rules: 'evalplus' });
  const expected = {
    name: 'HumanEval+',
    format: 'humaneval-plus' as const,
    from: null,
    to: null,
    problems: 164,
  };
  expect(paperProblems(expected, undefined, [mbpp])).toBeNull();
  expect(paperProblems(expected, undefined, [mbpp, humanEval])?.count).toBe(164);
});

test('pocket problems are the first of a benchmark that all exhibits share', () => {
  const existing = knownBenchmark(100, { id: 'pocket-test-1-100' });
  const scale = { benchmark: { split: 'test' as const, problems: 100 } };
  expect(pocketProblems(scale, 20, [existing])).toEqual({
    problems: { kind: 'pocket', split: 'test', seed: 1, count: 100, first: 20 },
    count: 20,
    existing,
    notes: [],
  });
  expect(pocketProblems(scale, 500, []).count).toBe(100);
});
