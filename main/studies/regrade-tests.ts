import type { Benchmark, Refusal, Study } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import { benchmarksOf } from './regrade-study';

/** Problems named in a refusal; the rest is counted. */
const MAX_NAMED = 5;

/**
 * Of each of the study's benchmarks, the one whose private tests run. Without `testsId` its own, which must be unchanged; a
 * benchmark that is named needs the same problems.
 */
export async function regradeTests(
  study: Study,
  library: Pick<BenchmarkLibrary, 'list' | 'find' | 'problem' | 'outline'>,
  testsId: string | undefined,
): Promise<Result<ReadonlyMap<string, Benchmark>, Refusal>> {
  if (testsId === undefined) return benchmarksOf(study, library);
  const [own = '', ...others] = new Set(study.runs.map(({ benchmarkId }) => benchmarkId));
  if (others.length > 0) {
    return failed({
      code: 'bad-input',
      message: 'The study has problems of several benchmarks, so one benchmark cannot have all of its tests.',
      hint: 'Grade it again with its own tests.',
    });
  }
  const benchmark = library.list().find(({ id }) => id === testsId);
  if (benchmark === undefined) {
    return failed({
      code: 'not-found',
      message: `There is no benchmark ${testsId} in the library.`,
      hint: 'Import the corrected file first: mars2 benchmarks import FILE.',
    });
  }
  const outline = await library.outline(testsId);
  if (!outline.ok) return outline;
  const there = new Set(outline.value.map(({ id }) => id));
  const problemIds = [...new Set(study.runs.flatMap(({ problemIds }) => problemIds))];
  const missing = problemIds.filter((id) => !there.has(id));
  if (missing.length === 0) return ok(new Map([[own, benchmark]]));
  return failed(
    missing.length === problemIds.length
      ? {
          code: 'bad-input',
          message: `${testsId} has other problems than the study, so its tests say nothing of the study's programs.`,
          hint: `Choose a benchmark with the problems of ${own}.`,
        }
      : {
          code: 'bad-input',
          message: `${testsId} lacks ${missing.length} of the ${problemIds.length} problems of the study: ${namesOf(missing)}.`,
          hint: 'Import a file that has all of them, under the same ids.',
        },
  );
}

function namesOf(ids: readonly string[]): string {
  const rest = ids.length - MAX_NAMED;
  return `${ids.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
