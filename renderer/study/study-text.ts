import type { StudyView } from '../../preload/contract/study';
import { isActive } from '../text/studies';
import { duration, roughDuration } from '../widgets/index';

/** Time spent and time left: "2 min so far, about 1 min left", when finished "took 3 min". */
export function timeText(view: Pick<StudyView, 'progress' | 'state'>): string {
  const { progress, state } = view;
  if (state.kind === 'finished') return `took ${duration(progress.elapsedMs)}`;
  const soFar = `${duration(progress.elapsedMs)} so far`;
  if (!isActive(state)) return soFar;
  return progress.remainingMs === null
    ? `${soFar}, time left unknown`
    : `${soFar}, about ${roughDuration(progress.remainingMs)} left`;
}
