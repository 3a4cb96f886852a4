import type { ExhibitProblem } from '../../../preload/contract';

/** A problem where `name` is not in `known`; `what`: e.g. "row". */
export function unknownName(
  path: string,
  what: string,
  name: string,
  known: readonly { id: string }[],
): ExhibitProblem[] {
  if (known.some(({ id }) => id === name)) return [];
  const choices = known.length === 0 ? 'None is defined' : `Defined: ${known.map(({ id }) => id).join(', ')}`;
  return [{ path, message: `There is no ${what} "${name}". ${choices}.` }];
}
