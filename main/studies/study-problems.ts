import type { Problem } from '../../preload/contract/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import { unwrap } from './study-error';

/** Trees are worked on problem by problem over all runs: so many problems are under way together. */
const KEPT = 8;

/**
 * The problems of a running study, read when a tree needs them: the tests of a whole benchmark may be larger than
 * memory.
 */
export class StudyProblems {
  readonly #library: Pick<BenchmarkLibrary, 'problem'>;
  /** In order of use, the one used longest ago first. */
  readonly #kept = new Map<string, Promise<Problem>>();

  constructor(library: Pick<BenchmarkLibrary, 'problem'>) {
    this.#library = library;
  }

  /** Throws `StudyRefused` when it can not be read. */
  whole(benchmarkId: string, problemId: string): Promise<Problem> {
    const key = `${benchmarkId} ${problemId}`;
    const read = this.#kept.get(key) ?? this.#read(benchmarkId, problemId);
    this.#kept.delete(key);
    this.#kept.set(key, read);
    read.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return read;
  }

  /** What a search may know: it never even holds the private tests. */
  async withoutPrivateTests(benchmarkId: string, problemId: string): Promise<Problem> {
    return { ...(await this.whole(benchmarkId, problemId)), privateTests: [] };
  }

  async #read(benchmarkId: string, problemId: string): Promise<Problem> {
    return unwrap(await this.#library.problem(benchmarkId, problemId));
  }
}
