import type { DiversityCell } from '../../../preload/contract';
import { Bootstrap } from '../bootstrap';
import { seedSpread } from '../seed-spread';
import { TwoLevelBootstrap } from '../two-level-bootstrap';
import { areaUnderDistinct, distinctAlgorithms, effectiveAlgorithms } from './algorithm-measures';
import type { TreeDiversity } from './tree-diversity';

/** Draws that are reported; the curve ends at 25. */
const DRAWS = [2, 5, 10, 25];

/** The trees of one problem in one configuration, one per seed, in their order. */
export type ProblemDiversity = {
  readonly configuration: string;
  readonly problemId: string;
  readonly trees: readonly TreeDiversity[];
};

type Measure = {
  readonly measure: DiversityCell['measure'];
  readonly k: number | null;
  /** null: undefined for this tree, which is then left out. */
  readonly of: (tree: TreeDiversity) => number | null;
};

const ofSolved =
  (of: (sizes: readonly number[]) => number) =>
  ({ sizes }: TreeDiversity): number | null =>
    sizes.length === 0 ? null : of(sizes);

const MEASURES: readonly Measure[] = [
  { measure: 'distinct', k: null, of: ({ distinct }) => distinct },
  ...DRAWS.map(
    (k): Measure => ({ measure: 'da@k', k, of: ofSolved((sizes) => distinctAlgorithms(sizes, k)) }),
  ),
  { measure: 'ea', k: null, of: ofSolved(effectiveAlgorithms) },
  { measure: 'nauadc', k: null, of: ofSolved(areaUnderDistinct) },
  // Our own measure of coverage and variety together, so a problem without a correct program counts 0.
  { measure: 'aec', k: null, of: ({ sizes }) => (sizes.length === 0 ? 0 : effectiveAlgorithms(sizes)) },
  { measure: 'vendi', k: null, of: ({ vendi }) => vendi },
  { measure: 'g-vendi', k: null, of: ({ gVendi }) => gVendi },
];

/**
 * One cell per configuration and measure, in the order of their first appearance: the mean over problems, each the mean
 * over its seeds, with a 95 % bootstrap interval over problems, of several seeds over problems and seeds. A measure that no tree has gets no cell.
 */
export function diversityCells(
  problems: readonly ProblemDiversity[],
  options: { readonly seed: number; readonly resamples: number },
): DiversityCell[] {
  const bootstrap = new Bootstrap(options.seed, options.resamples);
  const overSeeds = new TwoLevelBootstrap(options.seed, options.resamples);
  const configurations = [...new Set(problems.map(({ configuration }) => configuration))];
  return configurations.flatMap((configuration) => {
    const own = problems.filter((problem) => problem.configuration === configuration);
    return MEASURES.flatMap(({ measure, k, of }): DiversityCell[] => {
      const known = own
        .map(({ trees }) => trees.map((tree) => of(tree) ?? Number.NaN))
        .filter((values) => values.some((value) => !Number.isNaN(value)));
      if (known.length === 0) return [];
      const seeds = Math.max(...known.map(({ length }) => length));
      const rows = Array.from({ length: seeds }, (_, seed) =>
        Float64Array.from(known, (values) => values[seed] ?? Number.NaN),
      );
      const estimate =
        seeds === 1 ? bootstrap.mean(known.map(([value]) => value as number)) : overSeeds.mean(rows);
      return [{ configuration, measure, k, ...estimate, problems: known.length, ...seedSpread(rows) }];
    });
  });
}
