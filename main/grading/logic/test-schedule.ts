import type { TestResult } from '../../../preload/contract';
import { assertNever } from '../../base';

/**
 * Where a test runs. `alone`: in its own process. `shared`: in the process of the candidate's previous test if that
 * is still waiting. `ahead`: the same, but skipped if it is not.
 */
export type TestProcess = 'alone' | 'shared' | 'ahead';

export type ScheduledTest = {
  readonly index: number;
  readonly way: TestProcess;
  /** The process may wait for the next test. */
  readonly stays: boolean;
};

/** The result behind which no test is wanted. */
export type StopAfter = 'failure' | 'time-limit' | 'nothing';

/** Tests requested before the verdict on the first of them is known: at first, and while the candidate passes. */
const WINDOWS = [1, 32] as const;

/**
 * Which tests of a candidate remain to be run, and where. In a shared process only a pass counts: after any other end
 * the test runs again in its own process, and that result counts.
 */
export class TestSchedule {
  readonly #stopAfter: StopAfter;
  readonly #results: (readonly TestResult[] | undefined)[];
  #shares: boolean;
  #pending: { readonly index: number; readonly isAlone: boolean }[];
  #rounds = 0;
  #isSlow = false;

  constructor(count: number, shares: boolean, stopAfter: StopAfter) {
    this.#shares = shares;
    this.#stopAfter = stopAfter;
    this.#results = new Array(count);
    this.#pending = Array.from({ length: count }, (_, index) => ({ index, isAlone: false }));
  }

  /** Results of the first tests that are already known, from a process that no other program could affect. */
  startWith(earlier: readonly (readonly TestResult[])[]): void {
    for (const [index, results] of earlier.entries()) this.#results[index] = results;
    this.#pending = this.#pending.filter((test) => test.index >= earlier.length);
    this.#dropUnwanted();
  }

  get isDone(): boolean {
    return this.#pending.length === 0;
  }

  /** Tests that may run beside each other now: those that remain once one has reached its time limit. */
  get parallelTests(): number {
    return this.#isSlow ? this.#pending.length : 0;
  }

  /** The results of the tests up to the first without one, or behind which none is wanted. */
  get results(): readonly TestResult[] {
    const finished: TestResult[] = [];
    for (const results of this.#results) {
      if (results === undefined) break;
      finished.push(...results);
      if (this.#isLast(results)) break;
    }
    return finished;
  }

  /** The tests to request now. Each is answered by `take` or `putBack`. */
  next(): readonly ScheduledTest[] {
    const batch = this.#pending.slice(0, this.#size());
    this.#pending = this.#pending.slice(batch.length);
    this.#rounds += 1;
    return batch.map(({ index, isAlone }, i) => ({
      index,
      way: isAlone || !this.#shares ? 'alone' : i === 0 || this.#stopAfter !== 'failure' ? 'shared' : 'ahead',
      stays: this.#shares && !isAlone && (i + 1 < batch.length || this.#pending.length > 0),
    }));
  }

  /** Results of a test; `wasShared`: its process had run another test before. */
  take(index: number, results: readonly TestResult[], wasShared: boolean): void {
    if (wasShared && !hasPassed(results)) {
      this.putBack(index, true);
      return;
    }
    this.#results[index] = results;
    if (reachedTimeLimit(results)) {
      this.#isSlow = true;
      this.#shares = false;
    }
    this.#dropUnwanted();
  }

  /** The test was not run, or its run does not count. */
  putBack(index: number, isAlone: boolean): void {
    this.#pending.push({ index, isAlone });
    this.#pending.sort((a, b) => a.index - b.index);
    this.#dropUnwanted();
  }

  /** A test was too slow in a shared process: from now on each test gets its own process. */
  stopSharing(): void {
    this.#shares = false;
  }

  #size(): number {
    if (this.#isSlow) return 1;
    if (this.#stopAfter !== 'failure') return this.#pending.length;
    if (!this.#shares) return 1;
    const most = WINDOWS[Math.min(this.#rounds, WINDOWS.length - 1)] ?? 1;
    const alone = this.#pending.findIndex((test) => test.isAlone);
    return alone < 0 ? most : Math.max(1, Math.min(most, alone));
  }

  #dropUnwanted(): void {
    const end = this.#results.findIndex((results) => results !== undefined && this.#isLast(results));
    if (end >= 0) this.#pending = this.#pending.filter((test) => test.index < end);
  }

  #isLast(results: readonly TestResult[]): boolean {
    switch (this.#stopAfter) {
      case 'failure':
        return !hasPassed(results);
      case 'time-limit':
        return reachedTimeLimit(results);
      case 'nothing':
        return false;
      default:
        return assertNever(this.#stopAfter);
    }
  }
}

/** Whether the program used up the time of a test: its other tests may take as long. */
export function reachedTimeLimit(results: readonly TestResult[]): boolean {
  return results.some((result) => result.verdict === 'time-limit');
}

function hasPassed(results: readonly TestResult[]): boolean {
  return results.every((result) => result.verdict === 'passed');
}
