import type { SolveMatrix } from '../../preload/contract/run-comparison';

/** Filters for the problems of the matrix. only-first and only-second refer to the selected pair. */
export const SOLVE_PARTS = [
  'every',
  'all',
  'none',
  'one',
  'both',
  'only-first',
  'only-second',
  'neither',
] as const;
export type SolvePart = (typeof SOLVE_PARTS)[number];
export type SolveOrder = 'solved' | 'given' | 'difference';

export type MatrixProblem = SolveMatrix['problems'][number];
type Cell = MatrixProblem['cells'][number];

/** Solved by more than half of its seeds. */
export function isSolved(cell: Cell): boolean {
  return cell !== null && cell.solved01 > 0.5;
}

/** Whether every configuration has finished it. */
export function isComplete({ cells }: MatrixProblem): boolean {
  return cells.every((cell) => cell !== null);
}

export type PairCounts = {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
};

/** Counts over the problems that both have finished. */
export function pairCounts(matrix: SolveMatrix, first: number, second: number): PairCounts {
  let [both, onlyFirst, onlySecond, neither] = [0, 0, 0, 0];
  for (const { cells } of matrix.problems) {
    const [a, b] = [cells[first] ?? null, cells[second] ?? null];
    if (a === null || b === null) continue;
    if (isSolved(a)) {
      if (isSolved(b)) both += 1;
      else onlyFirst += 1;
    } else if (isSolved(b)) onlySecond += 1;
    else neither += 1;
  }
  return { both, onlyFirst, onlySecond, neither };
}

function isInPart(problem: MatrixProblem, part: SolvePart, first: number, second: number): boolean {
  if (part === 'every') return true;
  const { cells } = problem;
  if (part === 'all' || part === 'none' || part === 'one') {
    if (!isComplete(problem)) return false;
    const solved = cells.filter(isSolved).length;
    return part === 'all' ? solved === cells.length : solved === (part === 'none' ? 0 : 1);
  }
  const [a, b] = [cells[first] ?? null, cells[second] ?? null];
  if (a === null || b === null) return false;
  switch (part) {
    case 'both':
      return isSolved(a) && isSolved(b);
    case 'only-first':
      return isSolved(a) && !isSolved(b);
    case 'only-second':
      return !isSolved(a) && isSolved(b);
    case 'neither':
      return !isSolved(a) && !isSolved(b);
  }
}

/** Mean over configurations; unsearched problems count as 0. */
function share({ cells }: MatrixProblem, of: (cell: NonNullable<Cell>) => number): number {
  return cells.reduce((sum, cell) => sum + (cell === null ? 0 : of(cell)), 0) / Math.max(1, cells.length);
}

/** The filtered problems in order; ties keep the benchmark's order. */
export function shownProblems(
  matrix: SolveMatrix,
  filter: {
    readonly part: SolvePart;
    readonly order: SolveOrder;
    readonly first: number;
    readonly second: number;
  },
): readonly MatrixProblem[] {
  const { part, order, first, second } = filter;
  const shown = matrix.problems.filter((problem) => isInPart(problem, part, first, second));
  const gain = ({ cells }: MatrixProblem): number =>
    (cells[first]?.solved01 ?? 0) - (cells[second]?.solved01 ?? 0);
  switch (order) {
    case 'given':
      return shown;
    case 'solved':
      return shown.sort(
        (a, b) =>
          share(b, (cell) => cell.solved01) - share(a, (cell) => cell.solved01) ||
          share(b, (cell) => cell.found01) - share(a, (cell) => cell.found01),
      );
    case 'difference':
      return shown.sort((a, b) => gain(b) - gain(a));
  }
}

/** The configuration whose tree opens next to that of `row`: the first of the pair, or the second for the first. */
export function pairedRow(row: number, first: number, second: number): number {
  return row === first ? second : first;
}

/** Description of a square. */
export function cellText(configuration: string, problem: MatrixProblem, cell: Cell): string {
  const about = `${problem.title}${problem.difficulty === null ? '' : ` (${problem.difficulty})`}`;
  if (cell === null) return `${configuration}, ${about}: not searched`;
  const outcome =
    cell.solved01 === 1
      ? 'solved'
      : cell.solved01 > 0
        ? `solved by ${Math.round(cell.solved01 * 100)} % of seeds`
        : cell.found01 > 0
          ? 'found by a node that was not chosen'
          : 'not solved';
  return `${configuration}, ${about}: ${outcome}`;
}
