import { RecentMap } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';

/** Work goes problem by problem over all runs: about this many problems are in use at once. */
const MAX_CACHED = 8;

/** Reads problems when they are needed: the tests of a whole benchmark may be larger than memory. */
export function cachedProblems(library: Pick<BenchmarkLibrary, 'problem'>): BenchmarkLibrary['problem'] {
  const recent = new RecentMap<string, ReturnType<BenchmarkLibrary['problem']>>(MAX_CACHED);
  return (benchmarkId, problemId) => {
    const key = JSON.stringify([benchmarkId, problemId]);
    const read = recent.get(key) ?? library.problem(benchmarkId, problemId);
    recent.set(key, read);
    return read;
  };
}
