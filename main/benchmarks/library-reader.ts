import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Benchmark, benchmarkSchema, type Problem, type Refusal } from '../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../base';
import { invalidId } from './benchmark-store';
import { type ProblemIndex, readProblemIndex } from './problem-index';
import { readProblem, readProblems } from './read-problems';

/** Bytes of problems that are kept: those of one training step are asked for again and again. */
const KEPT_BYTES = 256 * 1024 ** 2;

export type LibraryProblem = {
  readonly benchmark: Pick<Benchmark, 'limits' | 'rules'>;
  /** The same object for the same problem, as long as it is kept. */
  readonly problem: Problem;
};

export type LibraryReader = {
  readonly problem: (benchmarkId: string, problemId: string) => Promise<Result<LibraryProblem, Refusal>>;
};

/** Reads problems of a data folder that another process may own: it changes nothing there, and sees new benchmarks. */
export function createLibraryReader(dataDir: string): LibraryReader {
  const cache = new Map<string, { readonly bytes: number; readonly value: LibraryProblem }>();
  let keptBytes = 0;
  let lastIndex: { readonly digest: string; readonly index: ProblemIndex | null } | null = null;

  const keep = (key: string, value: LibraryProblem, bytes: number): LibraryProblem => {
    cache.set(key, { value, bytes });
    keptBytes += bytes;
    for (const [oldest, { bytes: freed }] of cache) {
      if (keptBytes <= KEPT_BYTES || oldest === key) break;
      cache.delete(oldest);
      keptBytes -= freed;
    }
    return value;
  };

  const read = async (
    benchmark: Benchmark,
    folder: string,
    problemId: string,
  ): Promise<Result<Problem, Refusal>> => {
    const lines = join(folder, 'problems.jsonl');
    if (lastIndex?.digest !== benchmark.digest)
      lastIndex = {
        digest: benchmark.digest,
        index: await readProblemIndex(join(folder, 'problems.index.json')),
      };
    const missing = failed<Refusal>({
      code: 'not-found',
      message: `The benchmark "${benchmark.id}" has no problem "${problemId}".`,
    });
    if (lastIndex.index !== null) {
      const entry = lastIndex.index.find(({ id }) => id === problemId);
      return entry === undefined ? missing : readProblem(lines, benchmark, entry);
    }
    const all = await readProblems(lines, benchmark);
    if (!all.ok) return all;
    const problem = all.value.find(({ id }) => id === problemId);
    return problem === undefined ? missing : ok(problem);
  };

  const find = async (benchmarkId: string, problemId: string): Promise<Result<LibraryProblem, Refusal>> => {
    if (!benchmarkSchema.shape.id.safeParse(benchmarkId).success) return failed(invalidId(benchmarkId));
    const folder = join(dataDir, 'benchmarks', benchmarkId);
    const text = await readFile(join(folder, 'benchmark.json'), 'utf8').catch(() => '');
    const record = benchmarkSchema.safeParse(parsedJson(text));
    if (!record.success) {
      const message = `There is no benchmark "${benchmarkId}" in the library of the grader service. Import it there: mars2 benchmarks import FILE`;
      return failed({ code: 'not-found', message });
    }
    const key = `${record.data.digest} ${problemId}`;
    const before = cache.get(key);
    if (before !== undefined) return ok(before.value);
    const problem = await read(record.data, folder, problemId);
    if (!problem.ok) return problem;
    const bytes = JSON.stringify(problem.value).length;
    return ok(keep(key, { benchmark: record.data, problem: problem.value }, bytes));
  };

  /** All samples of a batch ask for their problem at once. */
  const pending = new Map<string, Promise<Result<LibraryProblem, Refusal>>>();
  return {
    problem: (benchmarkId, problemId) => {
      const key = JSON.stringify([benchmarkId, problemId]);
      const problem = pending.get(key) ?? find(benchmarkId, problemId).finally(() => pending.delete(key));
      pending.set(key, problem);
      return problem;
    },
  };
}
