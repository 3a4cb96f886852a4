import type { JobView } from '../../preload/contract/job';
import { isPartOfServerOrTraining, jobHasEnded, wasStopped } from '../state/index';

export const JOB_GROUPS = ['all', 'active', 'done', 'failed'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

export type JobFilter = {
  readonly group: JobGroup;
  /** Empty: every machine. */
  readonly machineId: string;
  /** Words that must occur in its name, command, purpose, id or Slurm number, in any order. */
  readonly text: string;
  /** With the jobs of servers and trainings. */
  readonly all: boolean;
};

/**
 * Jobs of an unreachable machine may be running: they count as active. A job that a person has stopped counts as done,
 * not failed.
 */
export function groupOf(job: JobView): Exclude<JobGroup, 'all'> {
  const { state } = job;
  if (!jobHasEnded(state)) return 'active';
  if (wasStopped(job)) return 'done';
  return state.kind === 'exited' && state.code === 0 ? 'done' : 'failed';
}

export function filterJobs(jobs: readonly JobView[], filter: JobFilter): readonly JobView[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return jobs.filter((job) => {
    if (!filter.all && isPartOfServerOrTraining(job)) return false;
    if (filter.group !== 'all' && groupOf(job) !== filter.group) return false;
    if (filter.machineId !== '' && job.machineId !== filter.machineId) return false;
    if (words.length === 0) return true;
    const text = `${job.name} ${job.commandLine} ${job.purpose} ${job.id} ${job.slurmId ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/**
 * The jobs that one press may remove: a job of a server or training holds its logs and files, and is removed only with
 * it.
 */
export function removableJobs(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.filter((job) => jobHasEnded(job.state) && !isPartOfServerOrTraining(job));
}

export function groupCounts(jobs: readonly JobView[]): Readonly<Record<JobGroup, number>> {
  const counts = { all: jobs.length, active: 0, done: 0, failed: 0 };
  for (const job of jobs) counts[groupOf(job)] += 1;
  return counts;
}
