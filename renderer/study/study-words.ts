import { PRESETS, searchName } from '../../preload/contract/plans/index';
import type { SearchOptions } from '../../preload/contract/strategy';
import type { StudyView } from '../../preload/contract/study';
import { isActive, methodTitle } from '../state/index';
import { duration, roughDuration } from '../widgets/index';

/** How long the study has worked, and how long it will: "2 min so far, about 1 min left", in the end "took 3 min". */
export function timeWords(view: Pick<StudyView, 'progress' | 'state'>): string {
  const { progress, state } = view;
  if (state.kind === 'finished') return `took ${duration(progress.elapsedMs)}`;
  const soFar = `${duration(progress.elapsedMs)} so far`;
  if (!isActive(state)) return soFar;
  return progress.remainingMs === null
    ? `${soFar}, time left not known yet`
    : `${soFar}, about ${roughDuration(progress.remainingMs)} left`;
}

/** What a search is called on the screens of a study. */
export function searchTitle(search: SearchOptions): string {
  return methodTitle(search, PRESETS, searchName(search));
}
