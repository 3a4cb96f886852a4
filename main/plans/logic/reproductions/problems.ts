import type { Exhibit } from '../../../../preload/contract';
import { type PaperBenchmark, paperProblemIds } from '../../../../preload/contract/plans';
import { counted } from '../../../base/index';
import type { KnownBenchmark } from './plan-inputs';
import type { PlannedProblems } from './work';

/** Seed of the generated problems: the same for every exhibit, so that runs can be shared. */
const POCKET_SEED = 1;

type PocketScale = NonNullable<Exhibit['scales']['pocket']>;

/** The problems of a search, and their number. */
export type ChosenProblems = {
  readonly problems: PlannedProblems;
  readonly count: number;
  /** The existing benchmark; null: it must be generated first. */
  readonly existing: KnownBenchmark | null;
  /** Effects of the choice on the comparison with the paper, in sentences. */
  readonly notes: readonly string[];
};

/** `limit`: only this many of the first; left out: all of the exhibit's. */
export function pocketProblems(
  { benchmark }: Pick<PocketScale, 'benchmark'>,
  limit: number | undefined,
  benchmarks: readonly KnownBenchmark[],
): ChosenProblems {
  const { split, problems: count } = benchmark;
  const first = Math.min(limit ?? count, count);
  const id = `pocket-${split}-${POCKET_SEED}-${count}`;
  return {
    problems: { kind: 'pocket', split, seed: POCKET_SEED, count, first },
    count: first,
    existing: benchmarks.find(({ benchmark }) => benchmark.id === id) ?? null,
    notes: [],
  };
}

/**
 * The imported benchmark that gives as many problems as the paper had; null: none has the same grading rules. Days are
 * contest dates, both inclusive. Of two that fit, the one with fewer other problems.
 */
export function paperProblems(
  wanted: PaperBenchmark,
  limit: number | undefined,
  benchmarks: readonly KnownBenchmark[],
): ChosenProblems | null {
  const offers = benchmarks
    .flatMap((known) => {
      const ids = paperProblemIds(wanted, known);
      return ids.length === 0 ? [] : [{ known, ids }];
    })
    .toSorted(
      (a, b) =>
        Math.abs(a.ids.length - wanted.problems) - Math.abs(b.ids.length - wanted.problems) ||
        a.known.problems.length - b.known.problems.length,
    );
  const [best] = offers;
  if (best === undefined) return null;
  const ids = best.ids.slice(0, limit);
  const { name, id: benchmarkId } = best.known.benchmark;
  const notes =
    best.ids.length === wanted.problems
      ? []
      : [
          `"${name}" gives ${counted(best.ids.length, 'problem')} where the paper has ${wanted.problems}: values will not be comparable with the paper's.`,
        ];
  return {
    problems: { kind: 'imported', benchmarkId, problemIds: ids },
    count: ids.length,
    existing: best.known,
    notes,
  };
}
