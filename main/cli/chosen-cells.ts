import type { Refusal } from '../../preload/contract/index';
import { allParts, chosenKeys, oursOf, partsWith } from '../../preload/contract/plans/index';
import { ok, type Result } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, type Host } from './host';

/** The cells and lines that are asked for; undefined: what the exhibit measures by itself. */
export async function chosenCells(
  workbench: Host,
  options: CliOptions,
  exhibitId: string,
): Promise<Result<string[] | undefined, Refusal>> {
  const only = options.text('only')?.split(',');
  if (!options.flag('without-controls')) return ok(only);
  if (only !== undefined) throw new UsageError('Give --only or --without-controls, not both.');
  const all = await ask(workbench, 'exhibit.list', {});
  if (!all.ok) return all;
  const exhibit = all.value.exhibits.find((entry) => entry.exhibit.id === exhibitId)?.exhibit;
  // The plan refuses an unknown one.
  if (exhibit === undefined) return ok(undefined);
  return ok([...chosenKeys(exhibit, partsWith(exhibit, allParts(exhibit), oursOf(exhibit), false))]);
}
