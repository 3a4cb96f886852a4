import type { JobState, JobView } from '../job';

/** Nothing comes after it: no more output, and no other state but by a new start. */
export function jobHasEnded(state: JobState): boolean {
  return state.kind === 'exited' || state.kind === 'lost';
}

/** Did a person ask for the end of its last start? An exit code says nothing of that: the timeline does. */
export function stopRequested({ timeline }: Pick<JobView, 'timeline'>): boolean {
  return timeline.findLast(({ what }) => what === 'stopping' || what === 'starting')?.what === 'stopping';
}

/** It has ended, because a person wanted it to. */
export function wasStopped(job: Pick<JobView, 'state' | 'timeline'>): boolean {
  return jobHasEnded(job.state) && stopRequested(job);
}
