import { plural } from '../widgets/index';

/** 1: the next match below, -1: the one above. */
export type StepDirection = 1 | -1;

/** The next matching line from line `at` on (-1: from outside), without starting over; undefined: none is loaded there. */
export function matchBeyond(
  matchLines: readonly number[],
  at: number,
  direction: StepDirection,
): number | undefined {
  return direction === 1
    ? matchLines.find((line) => line > at)
    : matchLines.findLast((line) => at === -1 || line < at);
}

/** Which match is current, or how many there are. */
export function matchText(matchLines: readonly number[], at: number): string {
  if (matchLines.length === 0) return 'no match in view';
  const position = matchLines.indexOf(at);
  return position === -1
    ? plural(matchLines.length, 'line')
    : `${position + 1} of ${matchLines.length.toLocaleString('en')}`;
}
