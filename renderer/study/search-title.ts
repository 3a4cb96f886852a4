import { PRESETS, searchName } from '../../preload/contract/plans/index';
import type { SearchOptions } from '../../preload/contract/strategy';
import { methodTitle } from '../state/index';

/** What a search is called on the screens of a study. */
export function searchTitle(search: SearchOptions): string {
  return methodTitle(search, PRESETS, searchName(search));
}
