import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SolveMatrix } from '../../../preload/contract';
import {
  cellText,
  type MatrixProblem,
  pairCounts,
  pairedRow,
  type SOLVE_PARTS,
  shownProblems,
} from '../../../renderer/compare/solve-order';

type Square = readonly [solved01: number, found01: number] | null;

function problem(problemId: string, squares: readonly Square[]): MatrixProblem {
  return {
    problemId,
    benchmarkId: 'pocket',
    title: problemId,
    difficulty: null,
    cells: squares.map((square, at) =>
      square === null
        ? null
        : { solved01: square[0], found01: square[1], runRef: { studyId: 's', runId: `r${at}` } },
    ),
  };
}

function matrix(problems: readonly MatrixProblem[]): SolveMatrix {
  return {
    configurations: ['a', 'b', 'c'],
    problems: [...problems],
    byAll: 0,
    byNone: 0,
    byOneAlone: [0, 0, 0],
  };
}

const YES: Square = [1, 1];
const NO: Square = [0, 0];
const solves = matrix([
  problem('none', [NO, [0, 1], NO]),
  problem('a', [YES, NO, NO]),
  problem('open', [YES, null, YES]),
  problem('all', [YES, YES, YES]),
  problem('half', [[0.5, 1], YES, NO]),
  problem('b-c', [NO, [0.6, 0.8], YES]),
]);
const sortBy = { order: 'given', first: 0, second: 1 } as const;
const idsOf = (part: (typeof SOLVE_PARTS)[number]): string[] =>
  shownProblems(solves, { ...sortBy, part }).map(({ problemId }) => problemId);

describe('the problems of the matrix', () => {
  test.each([
    ['every', ['none', 'a', 'open', 'all', 'half', 'b-c']],
    ['all', ['all']],
    ['none', ['none']],
    ['one', ['a', 'half']],
    ['both', ['all']],
    ['only-first', ['a']],
    ['only-second', ['half', 'b-c']],
    ['neither', ['none']],
  ] as const)(
    'of the part "%s" are %j: half of the seeds is not solved, and what is open is in none',
    (part, ids) => {
      expect(idsOf(part)).toEqual(ids);
    },
  );

  test('stand with the most solved first, and among equals with what was found', () => {
    const shown = shownProblems(solves, { ...sortBy, part: 'every', order: 'solved' });
    expect(shown.map(({ problemId }) => problemId)).toEqual(['all', 'open', 'b-c', 'half', 'a', 'none']);
  });

  test('stand with the largest gain of the first over the second first', () => {
    const shown = shownProblems(solves, { ...sortBy, part: 'every', order: 'difference' });
    expect(shown.map(({ problemId }) => problemId)).toEqual(['a', 'open', 'none', 'all', 'half', 'b-c']);
  });

  test('are counted for two configurations over what both have finished, and the parts hold as many', () => {
    const square = fc.option(fc.tuple(fc.constantFrom(0, 0.2, 0.5, 0.6, 1), fc.constantFrom(0, 1)), {
      nil: null,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(square, square, square), { maxLength: 20 }), (rows) => {
        const made = matrix(rows.map((squares, at) => problem(`p${at}`, squares)));
        const counts = pairCounts(made, 0, 2);
        const sizeOf = (part: (typeof SOLVE_PARTS)[number]): number =>
          shownProblems(made, { part, order: 'solved', first: 0, second: 2 }).length;
        expect(counts).toEqual({
          both: sizeOf('both'),
          onlyFirst: sizeOf('only-first'),
          onlySecond: sizeOf('only-second'),
          neither: sizeOf('neither'),
        });
        const finished = rows.filter(([a, , c]) => a !== null && c !== null).length;
        expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(finished);
      }),
    );
  });

  test('leave the matrix as it was', () => {
    const before = solves.problems.map(({ problemId }) => problemId);
    for (const order of ['solved', 'given', 'difference'] as const) {
      shownProblems(solves, { ...sortBy, part: 'every', order });
    }
    expect(solves.problems.map(({ problemId }) => problemId)).toEqual(before);
  });
});

test('a square opens next to the first of the pair, and the first next to the second', () => {
  expect([0, 1, 2].map((row) => pairedRow(row, 1, 0))).toEqual([1, 0, 1]);
});

test.each([
  [YES, 'team, p: solved'],
  [[0.6, 1] as const, 'team, p: solved by 60 % of seeds'],
  [[0, 0.4] as const, 'team, p: found by a node that was not chosen'],
  [NO, 'team, p: not solved'],
  [null, 'team, p: not searched'],
])('a square of %j says "%s"', (square, text) => {
  const one = problem('p', [square]);
  expect(cellText('team', one, one.cells[0] ?? null)).toBe(text);
});
