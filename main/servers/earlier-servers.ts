import { jobHasEnded, type ServerLaunch } from '../../preload/contract';
import type { Job } from '../jobs';
import { type LaunchNotes, MODEL_SERVER_PURPOSE, readNotes } from './logic/launch-notes';

type EarlierServer = { readonly job: Job; readonly notes: LaunchNotes };

/** One replica of a launch, whichever job runs it. */
export function replicaKey(serves: { readonly launch: ServerLaunch; readonly replica: number }): string {
  return `${serves.replica} ${serves.launch.id}`;
}

/** Ended pocket and recorded servers that stay in the list for their logs. */
export const MAX_ENDED = 20;

/**
 * What earlier starts of the app have left, by their jobs, oldest first: servers that run, those whose newest job has
 * ended (of pocket and recorded ones the last `MAX_ENDED`), and other jobs that have ended, which no list shows.
 */
export function earlierServers(jobs: readonly Job[]): {
  readonly running: readonly EarlierServer[];
  readonly ended: readonly EarlierServer[];
  readonly unlisted: readonly Job[];
} {
  const running: EarlierServer[] = [];
  const ended = new Map<string, EarlierServer>();
  const endedAlone: Job[] = [];
  for (const job of jobs.filter(({ spec }) => spec.purpose === MODEL_SERVER_PURPOSE)) {
    const notes = readNotes(job.spec.notes);
    const hasEnded = jobHasEnded(job.view.state);
    if (hasEnded && notes?.serves.kind !== 'launch') endedAlone.push(job);
    if (notes === null) continue;
    const name = notes.serves.kind === 'launch' ? replicaKey(notes.serves) : notes.key;
    ended.delete(name);
    if (hasEnded) ended.set(name, { job, notes });
    else running.push({ job, notes });
  }
  const newest = [...ended.values()].filter(({ notes }) => notes.serves.kind === 'own').slice(-MAX_ENDED);
  const listed = new Set(newest.map(({ job }) => job));
  return {
    running,
    ended: [...ended.values()].filter(({ job, notes }) => notes.serves.kind === 'launch' || listed.has(job)),
    unlisted: endedAlone.filter((job) => !listed.has(job)),
  };
}
