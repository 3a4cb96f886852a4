/** What holds whatever happens to the machine; a column of the table each. */
export const PROMISES = {
  kept: 'nothing that was finished is lost',
  once: 'nothing is done twice',
  bytes: 'the same bytes as without the fault',
  lock: 'the data folder can be opened again',
  clean: 'no process and no temporary file is left',
  words: 'the message says what happened and what to do',
} as const;
export type PromiseName = keyof typeof PROMISES;

export type Broken = { readonly promise: PromiseName; readonly what: string };

/** What was checked in one scenario, and what did not hold. */
export type Ledger = {
  /** `broken`: what does not hold, in a sentence; null: it holds. */
  readonly check: (promise: PromiseName, broken: string | null) => void;
  /** How often a promise was checked. */
  readonly checked: (promise: PromiseName) => number;
  readonly broken: readonly Broken[];
};

export function createLedger(): Ledger {
  const counts = new Map<PromiseName, number>();
  const broken: Broken[] = [];
  return {
    check: (promise, what) => {
      counts.set(promise, (counts.get(promise) ?? 0) + 1);
      if (what !== null) broken.push({ promise, what });
    },
    checked: (promise) => counts.get(promise) ?? 0,
    broken,
  };
}
