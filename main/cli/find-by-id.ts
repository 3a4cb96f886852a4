import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';

/**
 * The one with this id, or the only one whose id begins with these letters. `noun` is what they are ("training"), `list`
 * the words that list them ("train list"). Refusal `not-found`: none or several begin so.
 */
export function findById<T extends { readonly id: string }>(
  all: Result<readonly T[], Refusal>,
  id: string,
  { noun, list }: { readonly noun: string; readonly list: string },
): Result<T, Refusal> {
  if (!all.ok) return all;
  const fitting = all.value.filter((one) => one.id.startsWith(id));
  const only = fitting.find((one) => one.id === id) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (only !== undefined) return ok(only);
  const message =
    fitting.length === 0 ? `There is no ${noun} "${id}".` : `${fitting.length} ${noun}s begin with "${id}".`;
  return failed({ code: 'not-found', message, hint: `See them with: ${list}` });
}
