import type { TestResult } from '../../../preload/contract';

/**
 * How a test is to run. `alone`: in a process of its own. `shared`: in the process of the candidate's test before
 * where that has stayed. `ahead`: the same, and not at all where it has not.
 */
export type TestWay = 'alone' | 'shared' | 'ahead';

export type Asked = {
  readonly index: number;
  readonly way: TestWay;
  /** The process may stay for the next test. */
  readonly stays: boolean;
};

/** Tests that are asked for before the verdict on the first of them is known: first, and while the candidate passes. */
const WINDOWS = [1, 32] as const;

/**
 * Which tests of a candidate are still to run, and how. In a shared process only a pass counts: any other end is
 * asked for again in a process of its own, and what comes out there counts.
 */
export class TestSchedule {
  readonly #stopAtFirst: boolean;
  readonly #results: (readonly TestResult[] | undefined)[];
  #shares: boolean;
  #waiting: { readonly index: number; readonly isAlone: boolean }[];
  #rounds = 0;

  /** `stopAtFirst`: tests behind the first that is not passed are not wanted. */
  constructor(count: number, shares: boolean, stopAtFirst: boolean) {
    this.#shares = shares;
    this.#stopAtFirst = stopAtFirst;
    this.#results = new Array(count);
    this.#waiting = Array.from({ length: count }, (_, index) => ({ index, isAlone: false }));
  }

  /** Results of the first tests that are known already, from a process that owes nothing to another program. */
  begin(known: readonly (readonly TestResult[])[]): void {
    for (const [index, results] of known.entries()) this.#results[index] = results;
    this.#waiting = this.#waiting.filter((test) => test.index >= known.length);
    if (this.#stopAtFirst) this.#leaveOutWhatIsNotWanted();
  }

  get isDone(): boolean {
    return this.#waiting.length === 0;
  }

  /** The results of the tests up to the first that has none; with `stopAtFirst` up to the first not passed. */
  get results(): readonly TestResult[] {
    const found: TestResult[] = [];
    for (const results of this.#results) {
      if (results === undefined) break;
      found.push(...results);
      if (this.#stopAtFirst && !hasPassed(results)) break;
    }
    return found;
  }

  /** What to ask now. Each is then told to `take`, or put back. */
  next(): readonly Asked[] {
    const batch = this.#waiting.slice(0, this.#size());
    this.#waiting = this.#waiting.slice(batch.length);
    this.#rounds += 1;
    return batch.map(({ index, isAlone }, i) => ({
      index,
      way: isAlone || !this.#shares ? 'alone' : i === 0 || !this.#stopAtFirst ? 'shared' : 'ahead',
      stays: this.#shares && !isAlone && (i + 1 < batch.length || this.#waiting.length > 0),
    }));
  }

  /** What came out of a test; `wasShared`: its process had run another one before. */
  take(index: number, results: readonly TestResult[], wasShared: boolean): void {
    if (wasShared && !hasPassed(results)) {
      this.putBack(index, true);
      return;
    }
    this.#results[index] = results;
    if (this.#stopAtFirst) this.#leaveOutWhatIsNotWanted();
  }

  /** It was not run, or its run does not count. */
  putBack(index: number, isAlone: boolean): void {
    this.#waiting.push({ index, isAlone });
    this.#waiting.sort((a, b) => a.index - b.index);
    if (this.#stopAtFirst) this.#leaveOutWhatIsNotWanted();
  }

  /** A test was too slow beside others: from now on each has a process of its own. */
  stopSharing(): void {
    this.#shares = false;
  }

  #size(): number {
    if (!this.#stopAtFirst) return this.#waiting.length;
    if (!this.#shares) return 1;
    const most = WINDOWS[Math.min(this.#rounds, WINDOWS.length - 1)] ?? 1;
    const alone = this.#waiting.findIndex((test) => test.isAlone);
    return alone < 0 ? most : Math.max(1, Math.min(most, alone));
  }

  #leaveOutWhatIsNotWanted(): void {
    const end = this.#results.findIndex((results) => results !== undefined && !hasPassed(results));
    if (end >= 0) this.#waiting = this.#waiting.filter((test) => test.index < end);
  }
}

function hasPassed(results: readonly TestResult[]): boolean {
  return results.every((result) => result.verdict === 'passed');
}
