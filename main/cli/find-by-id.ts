import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { CliOptions } from './cli-options';
import type { Action } from './grammar';
import { type Host, printRefusal } from './host';

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
  const fitting = all.value.filter((item) => item.id.startsWith(id));
  const only = fitting.find((item) => item.id === id) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (only !== undefined) return ok(only);
  const message =
    fitting.length === 0 ? `There is no ${noun} "${id}".` : `${fitting.length} ${noun}s begin with "${id}".`;
  return failed({ code: 'not-found', message, hint: `See them with: ${list}` });
}

/** A command about one item, its first argument; `what` names the argument in the error. */
export function onItem<View>(
  what: string,
  find: (workbench: Host, id: string) => Promise<Result<View, Refusal>>,
  run: (workbench: Host, view: View, options: CliOptions) => Promise<number>,
): Action {
  return async (workbench, options) => {
    const view = await find(workbench, options.word(0, what));
    return view.ok ? run(workbench, view.value, options) : printRefusal(view.error);
  };
}
