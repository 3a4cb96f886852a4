import type { Refusal } from '../../preload/contract/index';
import type { Result } from '../base/index';
import type { CliOptions } from './cli-options';
import type { Action } from './grammar';
import { type Host, printRefusal } from './host';

/** A command about one item, its first argument; `label` names the argument in the error. */
export function itemCommand<View>(
  label: string,
  find: (workbench: Host, id: string) => Promise<Result<View, Refusal>>,
  run: (workbench: Host, view: View, options: CliOptions) => Promise<number>,
): Action {
  return async (workbench, options) => {
    const view = await find(workbench, options.word(0, label));
    return view.ok ? run(workbench, view.value, options) : printRefusal(view.error);
  };
}
