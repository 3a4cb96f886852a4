import { clusterSizes, type SameAlgorithm } from './clusters';
import { vendiScore, type WeightedVector } from './vendi';

/** One node of a search tree. */
export type DiversityCandidate = { readonly program: string | null; readonly passed: boolean };

/** One vector per program, in their order, all of equal length; null for a program without one. */
export type VectorsOf = (
  programs: readonly string[],
) => ReadonlyArray<Float64Array | null> | Promise<ReadonlyArray<Float64Array | null>>;

/** Dependencies of the measures, for the programs of one problem. */
export type DiversityTools = {
  readonly same: SameAlgorithm;
  readonly vectorsOf: VectorsOf;
  /** Gradients of a small model's log-likelihood of each program; left out without such a model. */
  readonly gradientsOf?: VectorsOf;
  /** Lets other work run; awaited between steps of some milliseconds. */
  readonly yieldControl: () => Promise<void>;
};

/** One search tree. */
export type TreeDiversity = {
  /** Share of different programs among all; null without programs. */
  readonly distinct: number | null;
  /** Clusters of the correct programs; empty when the problem was not solved. */
  readonly sizes: readonly number[];
  /** null without programs. */
  readonly vendi: number | null;
  /** null without gradients. */
  readonly gVendi: number | null;
};

/** Reads the programs of one tree. */
export async function treeDiversity(
  candidates: readonly DiversityCandidate[],
  { same, vectorsOf, gradientsOf, yieldControl }: DiversityTools,
): Promise<TreeDiversity> {
  const counts = new Map<string, number>();
  for (const { program } of candidates)
    if (program !== null) counts.set(program, (counts.get(program) ?? 0) + 1);
  const programs = [...counts.keys()];
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const scoreOf = async (vectors: VectorsOf | undefined): Promise<number | null> => {
    if (vectors === undefined || programs.length === 0) return null;
    const embeddings = await vectors(programs);
    const items = programs.flatMap((program, i): WeightedVector[] => {
      const vector = embeddings[i] ?? null;
      return vector === null ? [] : [{ vector, count: counts.get(program) ?? 0 }];
    });
    await yieldControl();
    return vendiScore(items);
  };
  const correct = candidates.flatMap(({ program, passed }) => (passed && program !== null ? [program] : []));
  return {
    distinct: total === 0 ? null : programs.length / total,
    sizes: await clusterSizes(correct, same, yieldControl),
    vendi: await scoreOf(vectorsOf),
    gVendi: await scoreOf(gradientsOf),
  };
}
