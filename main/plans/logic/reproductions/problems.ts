import { BENCHMARK_FORMATS, type Benchmark, type Exhibit } from '../../../../preload/contract';
import { counted } from '../../../base/index';
import type { KnownBenchmark } from './plan-inputs';
import type { PlannedProblems } from './work';

/** Seed of the generated problems: the same for every exhibit, so that runs can be shared. */
const POCKET_SEED = 1;

type PocketScale = NonNullable<Exhibit['scales']['pocket']>;
type PaperBenchmark = NonNullable<Exhibit['scales']['paper']>['benchmark'];

/** The problems of a search, and their number. */
export type ChosenProblems = {
  readonly problems: PlannedProblems;
  readonly count: number;
  /** The existing benchmark; null: it must be generated first. */
  readonly existing: KnownBenchmark | null;
  /** Effects of the choice on the comparison with the paper, in sentences. */
  readonly notes: readonly string[];
};

/** `limit`: the first so many; left out: all of the exhibit's. */
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
    .filter(
      ({ benchmark }) =>
        BENCHMARK_FORMATS[wanted.format].rules === benchmark.rules && isNamedFor(wanted, benchmark),
    )
    .flatMap((known) => {
      const ids = windowOf(wanted, known);
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

/** EvalPlus has the same rules for HumanEval+ and MBPP+: names tell such formats apart. */
function isNamedFor({ format }: PaperBenchmark, { name, id }: Benchmark): boolean {
  const { named } = BENCHMARK_FORMATS[format];
  return named === null || `${id} ${name}`.toLowerCase().includes(named);
}

/**
 * LiveCodeBench's "v6" with its 175 problems is what release_v6 has beyond release_v5 (1055 - 880). Imported alone
 * (test6.jsonl) it is the whole benchmark; in a release, whose files come in the order of their versions, the last
 * ones.
 */
function windowOf(
  { format, from, to, problems: wanted }: PaperBenchmark,
  { benchmark, problems }: KnownBenchmark,
): string[] {
  const excluded = new Set(
    benchmark.marks.filter(({ exclude }) => exclude).map(({ problemId }) => problemId),
  );
  const all = problems.filter(({ id }) => !excluded.has(id));
  const within = all.filter(({ date }) => {
    if (from === null && to === null) return true;
    const day = date?.slice(0, 10);
    return day !== undefined && day >= (from ?? '') && (to === null || day <= to);
  });
  const ids = within.map(({ id }) => id);
  if (format !== 'livecodebench' || ids.length === wanted) return ids;
  if (benchmark.version === 'v6' && all.length === wanted) return all.map(({ id }) => id);
  const isRelease = benchmark.version === 'release_v6' && problems.length === RELEASE_V6;
  const increment = new Set(problems.slice(-V6));
  return isRelease && wanted === V6
    ? all.filter((problem) => increment.has(problem)).map(({ id }) => id)
    : ids;
}

const RELEASE_V6 = 1_055;
const V6 = 175;
