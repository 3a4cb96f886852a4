import type { Problem, Refusal } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { BenchmarkOutlines } from './benchmark-outlines';

type Library = Pick<BenchmarkLibrary, 'list' | 'problem' | 'find'>;

/**
 * Reads a problem, also one of a benchmark that came with a bundle. A generated problem is generated here too. Of any other
 * the bundle has neither statement nor tests (they belong to their authors), so it is refused with what is known.
 */
export function createProblemReader(
  library: Library,
  outlines: Pick<BenchmarkOutlines, 'find'>,
): (benchmarkId: string, problemId: string) => Promise<Result<Problem, Refusal>> {
  return async (benchmarkId, problemId) => {
    const stored = outlines.find(benchmarkId);
    const isImported = library.list().some(({ id }) => id === benchmarkId);
    if (stored === undefined || isImported) return library.problem(benchmarkId, problemId);
    const made = await library.find(benchmarkId);
    if (made.ok && made.value.digest === stored.benchmark.digest) {
      return library.problem(benchmarkId, problemId);
    }
    const outline = stored.problems.find(({ id }) => id === problemId);
    if (outline === undefined) return library.problem(benchmarkId, problemId);
    const { title, difficulty, platform, date, publicTests } = outline;
    const tests = publicTests === 1 ? '1 public test' : `${publicTests} public tests`;
    const facts = [difficulty, platform, date, tests].filter((fact) => fact !== null).join(', ');
    const { name, version } = stored.benchmark;
    return failed({
      code: 'unavailable',
      message: `${title} (${facts}). A bundle does not contain statements and tests, which belong to their authors.`,
      hint: `To read them, import ${[name, version].filter(Boolean).join(', ')} in the library with the id ${benchmarkId}.`,
    });
  };
}
