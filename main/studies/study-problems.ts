import type { Problem } from '../../preload/contract/index';
import { orThrow } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';

/** Trees are searched problem by problem over all runs: about so many problems are in use at once. */
const MAX_CACHED = 8;

/**
 * The problems of a running study, read when a tree needs them: the tests of a whole benchmark may be larger than
 * memory.
 */
export class StudyProblems {
  readonly #library: Pick<BenchmarkLibrary, 'problem'>;
  /** Least recently used first. */
  readonly #cached = new Map<string, Promise<Problem>>();

  constructor(library: Pick<BenchmarkLibrary, 'problem'>) {
    this.#library = library;
  }

  /** Throws `RefusalError` when it cannot be read. */
  whole(benchmarkId: string, problemId: string): Promise<Problem> {
    const key = `${benchmarkId} ${problemId}`;
    const read = this.#cached.get(key) ?? this.#read(benchmarkId, problemId);
    this.#cached.delete(key);
    this.#cached.set(key, read);
    read.catch(() => this.#cached.delete(key));
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED) break;
      this.#cached.delete(oldest);
    }
    return read;
  }

  /** For the search, which must never have the private tests. */
  async withoutPrivateTests(benchmarkId: string, problemId: string): Promise<Problem> {
    return { ...(await this.whole(benchmarkId, problemId)), privateTests: [] };
  }

  async #read(benchmarkId: string, problemId: string): Promise<Problem> {
    return orThrow(await this.#library.problem(benchmarkId, problemId));
  }
}
