import { createHash } from 'node:crypto';
import type { Grade, TestCase } from '../../preload/contract';
import type { GradeRequest } from './grader';
import { readingsDiffer } from './logic/runner-work';

/** Characters of results kept in memory; some thousands of candidates. */
const MOST_CHARACTERS = 16_000_000;
/** What a result weighs beside its texts. */
const RESULT_WEIGHT = 100;

/**
 * Grades by the digest of their request, the least recently used dropped first. Beside speed this keeps a program
 * near a limit from getting two verdicts in one run.
 */
export class GradeMemo {
  readonly #grades = new Map<string, { readonly grade: Grade; readonly weight: number }>();
  /** Benchmarks hand in the same array for each candidate, and tests may be megabytes. */
  readonly #testDigests = new WeakMap<readonly TestCase[], string>();
  #weight = 0;

  keyOf(request: GradeRequest): string {
    const { program, entryPoint, tests, limits, stopAtFirstFailure, rules = 'plain' } = request;
    const isPublished = request.reading === 'as-published' && readingsDiffer(rules, tests);
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
      stopAtFirstFailure,
      isPublished ? rules : null,
    ]);
  }

  get(key: string): Grade | null {
    const held = this.#grades.get(key);
    if (held === undefined) return null;
    this.#grades.delete(key);
    this.#grades.set(key, held);
    return held.grade;
  }

  set(key: string, grade: Grade): void {
    const weight = weightOf(grade);
    this.#grades.set(key, { grade, weight });
    this.#weight += weight;
    for (const [oldest, held] of this.#grades) {
      if (this.#weight <= MOST_CHARACTERS) break;
      this.#grades.delete(oldest);
      this.#weight -= held.weight;
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
