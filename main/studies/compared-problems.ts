import type { ProblemOutline } from '../../preload/contract/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { ComparedProblem, ProblemFacts } from '../metrics/index';
import {
  type ComparedRun,
  gradedBy,
  keyOf,
  type NamedBenchmark,
  type NameProblem,
  problemNames,
} from './logic/compared-runs';

/** All problems of compared runs. */
export type ComparedProblems = {
  readonly name: NameProblem;
  /** Each once, in order of first appearance. */
  readonly problems: readonly ComparedProblem[];
  /** By compared name; unknown where the benchmark is no longer in the library. */
  readonly facts: ReadonlyMap<string, ProblemFacts>;
};

type Outline = {
  readonly id: string;
  readonly digest: string;
  /** null: not in the library in the runs' version. */
  readonly problems: ReadonlyMap<string, ProblemOutline> | null;
};

/** From the benchmarks' outlines, so that no tests are read. */
export async function comparedProblems(
  runs: readonly ComparedRun[],
  library: Pick<BenchmarkLibrary, 'list' | 'outline'>,
): Promise<ComparedProblems> {
  const outlines = await outlinesOf(runs, library);
  const name = problemNames(namedBenchmarks(runs, outlines));
  const problems = new Map<string, ComparedProblem>();
  const facts = new Map<string, ProblemFacts>();
  for (const { config } of runs) {
    const { benchmarkId } = config;
    const outlineOf = outlines.get(ownKey(config))?.problems;
    for (const problemId of config.problemIds) {
      const key = name(config, problemId);
      if (problems.has(key)) continue;
      const outline = outlineOf?.get(problemId);
      const difficulty = outline?.difficulty ?? null;
      problems.set(key, { key, problemId, benchmarkId, title: outline?.title ?? problemId, difficulty });
      if (outline === undefined) continue;
      const { platform, date } = outline;
      facts.set(key, { difficulty: outline.difficulty, date, ...(platform === null ? {} : { platform }) });
    }
  }
  return { name, problems: [...problems.values()], facts };
}

async function outlinesOf(
  runs: readonly ComparedRun[],
  library: Pick<BenchmarkLibrary, 'list' | 'outline'>,
): Promise<ReadonlyMap<string, Outline>> {
  const outlines = new Map<string, Outline>();
  for (const { config } of runs) {
    const { benchmarkId: id, benchmarkDigest: digest } = config;
    const key = ownKey(config);
    if (outlines.has(key)) continue;
    const isAvailable = library
      .list()
      .some((benchmark) => benchmark.id === id && benchmark.digest === digest);
    const outline = isAvailable ? await library.outline(id) : null;
    const problems = outline?.ok ? new Map(outline.value.map((problem) => [problem.id, problem])) : null;
    outlines.set(key, { id, digest, problems });
  }
  return outlines;
}

function ownKey({ benchmarkId: id, benchmarkDigest: digest }: ComparedRun['config']): string {
  return keyOf({ id, digest });
}

/** Those by whose tests the runs are graded. Tests that a re-grade has run may differ in what no outline shows. */
function namedBenchmarks(
  runs: readonly ComparedRun[],
  outlines: ReadonlyMap<string, Outline>,
): readonly NamedBenchmark[] {
  const ofRegrades = new Set(runs.flatMap(({ config: { tests } }) => (tests ? [keyOf(tests)] : [])));
  return [...new Map(runs.map(({ config }) => [keyOf(gradedBy(config)), gradedBy(config)]))].map(
    ([key, tests]) => {
      const outline = ofRegrades.has(key) ? undefined : outlines.get(key);
      return outline === undefined ? { ...tests, fingerprints: null } : namedBenchmark(outline);
    },
  );
}

function namedBenchmark({ id, digest, problems }: Outline): NamedBenchmark {
  if (problems === null) return { id, digest, fingerprints: null };
  const fingerprints = [...problems].map(([key, { title, platform, date, publicTests, bytes }]) => {
    return [key, JSON.stringify([title, platform, date, publicTests, bytes])] as const;
  });
  return { id, digest, fingerprints: new Map(fingerprints) };
}
