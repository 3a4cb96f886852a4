import type { ExhibitProblem } from '../../../preload/contract';

/** A problem where `name` is none of those that are known; `what` they are, e.g. "row". */
export function unknownName(
  path: string,
  what: string,
  name: string,
  known: readonly { id: string }[],
): ExhibitProblem[] {
  if (known.some(({ id }) => id === name)) return [];
  const there = known.length === 0 ? 'there is none' : `there are ${known.map(({ id }) => id).join(', ')}`;
  return [{ path, message: `There is no ${what} "${name}": ${there}.` }];
}
