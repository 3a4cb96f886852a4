import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from './result';

/**
 * Finds the item with this id, or the only one with an id that begins with these letters, or that `nameOf` gives this
 * name. `noun` is the kind of item
 * ("training"), `list` the command that lists them ("mars2 trainings list"). Refuses with `not-found` if no id or
 * several ids begin so.
 */
export function findById<T extends { readonly id: string }>(
  all: Result<readonly T[], Refusal>,
  id: string,
  {
    noun,
    list,
    nameOf,
  }: { readonly noun: string; readonly list: string; readonly nameOf?: (item: T) => string },
): Result<T, Refusal> {
  if (!all.ok) return all;
  const byId = all.value.filter((item) => item.id.startsWith(id));
  const byName = byId.length > 0 ? [] : all.value.filter((item) => nameOf?.(item) === id);
  const fitting = byId.length > 0 ? byId : byName;
  const only = fitting.find((item) => item.id === id) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (only !== undefined) return ok(only);
  const message =
    fitting.length === 0
      ? `There is no ${noun} "${id}".`
      : `${fitting.length} ${noun}s ${byName.length > 0 ? 'are called' : 'begin with'} "${id}".`;
  const hint =
    byName.length > 0
      ? `Name one by its id: ${byName.map((item) => item.id).join(', ')}`
      : `See them with: ${list}`;
  return failed({ code: 'not-found', message, hint });
}
