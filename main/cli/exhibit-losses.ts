import { exhibitLosses } from '../../preload/contract/plans/index';
import { ask, type Host, printStatus } from './host';

/** Says which tables and figures of the lab's own lose something with what was removed. */
export async function printExhibitLosses(
  workbench: Host,
  removed: Parameters<typeof exhibitLosses>[0],
): Promise<void> {
  const all = await ask(workbench, 'exhibit.list', {});
  const losses = all.ok ? exhibitLosses(removed, all.value.exhibits) : '';
  if (losses !== '') printStatus(losses);
}
