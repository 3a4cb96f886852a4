import type { JobState, JobView } from '../job';

/** No more output, and no other state except by a new start. */
export function jobHasEnded(state: JobState): boolean {
  return state.kind === 'exited' || state.kind === 'lost';
}

/** Listed as a server or a training, of which it is a part; lists of jobs leave it out unless asked. */
export function isPartOfServerOrTraining({ purpose }: Pick<JobView, 'purpose'>): boolean {
  return purpose === 'training' || purpose === 'model-server';
}

/** Its command ended with exit code 0. */
export function jobHasSucceeded(state: JobState): boolean {
  return state.kind === 'exited' && state.code === 0;
}

/** Did a person stop its last start? The exit code does not show that; the timeline does. */
export function stopRequested({ timeline }: Pick<JobView, 'timeline'>): boolean {
  return timeline.findLast(({ what }) => what === 'stopping' || what === 'starting')?.what === 'stopping';
}

/** It has ended because a person stopped it. */
export function wasStopped(job: Pick<JobView, 'state' | 'timeline'>): boolean {
  return jobHasEnded(job.state) && stopRequested(job);
}
