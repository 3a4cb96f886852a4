import { jobHasEnded, type ServerLaunch } from '../../preload/contract';
import type { Job } from '../jobs';
import { type LaunchNotes, MODEL_SERVER_PURPOSE, readNotes } from './logic/launch-notes';

type EarlierServer = { readonly job: Job; readonly notes: LaunchNotes };

/** One replica of a launch, whichever job runs it. */
export function replicaKey(serves: { readonly launch: ServerLaunch; readonly replica: number }): string {
  return `${serves.replica} ${serves.launch.id}`;
}

/**
 * What earlier starts of the app have left, by their jobs, oldest first: servers that run, replicas of launches whose
 * newest job has ended, and other jobs that have ended, which no list shows.
 */
export function earlierServers(jobs: readonly Job[]): {
  readonly running: readonly EarlierServer[];
  readonly ended: readonly EarlierServer[];
  readonly unlisted: readonly Job[];
} {
  const running: EarlierServer[] = [];
  const ended = new Map<string, EarlierServer>();
  const unlisted: Job[] = [];
  for (const job of jobs.filter(({ spec }) => spec.purpose === MODEL_SERVER_PURPOSE)) {
    const notes = readNotes(job.spec.notes);
    const hasEnded = jobHasEnded(job.view.state);
    if (notes?.serves.kind === 'launch') {
      const name = replicaKey(notes.serves);
      if (hasEnded) ended.set(name, { job, notes });
      else ended.delete(name);
    } else if (hasEnded) unlisted.push(job);
    if (notes !== null && !hasEnded) running.push({ job, notes });
  }
  return { running, ended: [...ended.values()], unlisted };
}
