import { createHash } from 'node:crypto';
import type { Grade, TestCase } from '../../preload/contract';
import { type GradeRequest, stopAfterOf } from './grader';
import { modesDiffer } from './logic/runner-work';

/** Default limit: characters of results kept in memory, for some thousands of candidates. */
const MAX_WEIGHT = 16_000_000;
/** Weight of a result without its texts. */
const RESULT_WEIGHT = 100;

/**
 * Grades by the digest of their request, least recently used first out. Besides saving time, it prevents a program near
 * a limit from getting two verdicts in one run.
 */
export class GradeCache {
  readonly #grades = new Map<string, { readonly grade: Grade; readonly weight: number }>();
  /** All candidates of a problem share one array of tests, which may be megabytes. */
  readonly #testDigests = new WeakMap<readonly TestCase[], string>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight = MAX_WEIGHT) {
    this.#maxWeight = maxWeight;
  }

  keyOf(request: GradeRequest): string {
    const { program, entryPoint, tests, limits, rules = 'plain' } = request;
    const isPublished = request.mode === 'as-published' && modesDiffer(rules, tests);
    let testDigest = this.#testDigests.get(tests);
    if (testDigest === undefined) {
      testDigest = digest(tests);
      this.#testDigests.set(tests, testDigest);
    }
    return digest([
      program,
      entryPoint,
      testDigest,
      Object.entries(limits).sort(),
      stopAfterOf(request),
      isPublished ? rules : null,
    ]);
  }

  get(key: string): Grade | null {
    const cached = this.#grades.get(key);
    if (cached === undefined) return null;
    this.#grades.delete(key);
    this.#grades.set(key, cached);
    return cached.grade;
  }

  set(key: string, grade: Grade): void {
    const weight = weightOf(grade);
    this.#grades.set(key, { grade, weight });
    this.#weight += weight;
    for (const [oldest, cached] of this.#grades) {
      if (this.#weight <= this.#maxWeight) break;
      this.#grades.delete(oldest);
      this.#weight -= cached.weight;
    }
  }
}

function weightOf(grade: Grade): number {
  return grade.results.reduce(
    (sum, result) => sum + RESULT_WEIGHT + (result.actual?.length ?? 0) + (result.error?.length ?? 0),
    RESULT_WEIGHT,
  );
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
