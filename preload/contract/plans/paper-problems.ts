import type { Exhibit } from '../exhibit';
import type { Benchmark, Problem } from '../problem';
import { BENCHMARK_FORMATS } from './benchmark-formats';

/** The problems of a paper, as an exhibit names them for the scale `paper`. */
export type PaperBenchmark = NonNullable<Exhibit['scales']['paper']>['benchmark'];

/** A benchmark of the library with its problems, in its order. */
type BenchmarkProblems = {
  readonly benchmark: Benchmark;
  readonly problems: readonly Pick<Problem, 'id' | 'date'>[];
};

/**
 * Ids of the problems that the paper's format and days choose from an imported benchmark, without those that are marked as
 * excluded; empty: it has other rules. As many as the paper has, if it is the paper's benchmark.
 *
 * LiveCodeBench's "v6" with its 175 problems is what release_v6 has beyond release_v5 (1055 - 880). Imported alone
 * (test6.jsonl) it is the whole benchmark; in a release, whose files come in the order of their versions, the last
 * ones.
 */
export function paperProblemIds(
  wanted: PaperBenchmark,
  { benchmark, problems }: BenchmarkProblems,
): string[] {
  const { format, from, to } = wanted;
  if (BENCHMARK_FORMATS[format].rules !== benchmark.rules || !isNamedFor(wanted, benchmark)) return [];
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
  if (format !== 'livecodebench' || ids.length === wanted.problems) return ids;
  if (benchmark.version === 'v6' && all.length === wanted.problems) return all.map(({ id }) => id);
  const isRelease = benchmark.version === 'release_v6' && problems.length === RELEASE_V6;
  const increment = new Set(problems.slice(-V6));
  return isRelease && wanted.problems === V6
    ? all.filter((problem) => increment.has(problem)).map(({ id }) => id)
    : ids;
}

const RELEASE_V6 = 1_055;
const V6 = 175;

/** EvalPlus has the same rules for HumanEval+ and MBPP+: names tell such formats apart. */
function isNamedFor({ format }: PaperBenchmark, { name, id }: Benchmark): boolean {
  const { named } = BENCHMARK_FORMATS[format];
  return named === null || `${id} ${name}`.toLowerCase().includes(named);
}

/** Are these all the problems of one of the papers, and no others? A paper leaves none out, so marks do not count. */
export function arePapersProblems(
  papers: readonly PaperBenchmark[],
  { benchmark, problems }: BenchmarkProblems,
  problemIds: readonly string[],
): boolean {
  const chosen = new Set(problemIds);
  return papers.some((paper) => {
    const ids = paperProblemIds(paper, { benchmark: { ...benchmark, marks: [] }, problems });
    return ids.length === paper.problems && chosen.size === ids.length && ids.every((id) => chosen.has(id));
  });
}
