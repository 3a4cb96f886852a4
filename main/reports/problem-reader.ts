import type { Problem, Refusal } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { BenchmarkOutlines } from './benchmark-outlines';

type Library = Pick<BenchmarkLibrary, 'list' | 'problem' | 'find'>;

/**
 * Reads a problem, also where only a bundle knows its benchmark. A generated one is generated here too. Of any other a
 * bundle carries neither statement nor tests (they are their authors'), so it is refused with what is known and what to do.
 */
export function createProblemReader(
  library: Library,
  outlines: Pick<BenchmarkOutlines, 'find'>,
): (benchmarkId: string, problemId: string) => Promise<Result<Problem, Refusal>> {
  return async (benchmarkId, problemId) => {
    const known = outlines.find(benchmarkId);
    const isHere = library.list().some(({ id }) => id === benchmarkId);
    if (known === undefined || isHere) return library.problem(benchmarkId, problemId);
    const made = await library.find(benchmarkId);
    if (made.ok && made.value.digest === known.benchmark.digest) {
      return library.problem(benchmarkId, problemId);
    }
    const outline = known.problems.find(({ id }) => id === problemId);
    if (outline === undefined) return library.problem(benchmarkId, problemId);
    const { title, difficulty, platform, date, publicTests } = outline;
    const tests = publicTests === 1 ? '1 public test' : `${publicTests} public tests`;
    const facts = [difficulty, platform, date, tests].filter((fact) => fact !== null).join(', ');
    const { name, version } = known.benchmark;
    return failed({
      code: 'unavailable',
      message: `${title} (${facts}). A bundle tells no more of a problem: statements and tests belong to their authors and stay out of it.`,
      hint: `To read them, import ${[name, version].filter(Boolean).join(', ')} in the library under the id ${benchmarkId}.`,
    });
  };
}
