import type { SolveMatrix } from '../../../preload/contract';
import type { ComparedConfiguration } from './compared-configuration';

/** What is shown of a problem. `key`: its name among the compared ones, where two benchmarks name theirs alike. */
export type ComparedProblem = {
  readonly key: string;
  readonly problemId: string;
  readonly benchmarkId: string;
  readonly title: string;
  readonly difficulty: string | null;
};

/** Problems by configurations; problems that no configuration has finished are empty rows. */
export function solveMatrix(
  configurations: readonly ComparedConfiguration[],
  problems: readonly ComparedProblem[],
): SolveMatrix {
  const rows = problems.map(({ key, ...problem }) => ({
    ...problem,
    cells: configurations.map(({ solves }) => solves.get(key) ?? null),
  }));
  const byOneAlone = configurations.map(() => 0);
  let [byAll, byNone] = [0, 0];
  for (const { cells } of rows) {
    if (cells.length === 0 || cells.includes(null)) continue;
    const by = cells.flatMap((cell, at) => (cell !== null && cell.solved01 > 0.5 ? [at] : []));
    if (by.length === cells.length) byAll += 1;
    if (by.length === 0) byNone += 1;
    const [only] = by;
    if (by.length === 1 && only !== undefined) byOneAlone[only] = (byOneAlone[only] ?? 0) + 1;
  }
  return {
    configurations: configurations.map(({ metrics }) => metrics.configuration),
    problems: rows,
    byAll,
    byNone,
    byOneAlone,
  };
}
