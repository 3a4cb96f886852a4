import { printStatus } from './host';

/** Elapsed and left: what changes in a line of progress while nothing happens. */
const TIMES = /[,;] (?:\d+:\d\d(?=,|$)|about [^,:;]+(?::\d\d)? (?:to go|left))/g;

/**
 * Prints progress where stderr is not a terminal: a line where more has changed than its times, at most every `everyMs`.
 * `sinceMs`: when the last one was printed; left out: never.
 */
export function progressLog(
  everyMs: number,
  nowMs: () => number,
  sinceMs = Number.NEGATIVE_INFINITY,
): (line: string) => void {
  let printed = '';
  let printedAtMs = sinceMs;
  return (line) => {
    const facts = line.replace(TIMES, '');
    if (facts === printed || nowMs() - printedAtMs < everyMs) return;
    printed = facts;
    printedAtMs = nowMs();
    printStatus(line);
  };
}
