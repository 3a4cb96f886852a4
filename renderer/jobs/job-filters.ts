import type { JobView } from '../../preload/contract/job';
import { jobHasEnded, wasStopped } from '../state/index';

export const JOB_GROUPS = ['all', 'active', 'done', 'failed'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

export type JobFilter = {
  readonly group: JobGroup;
  /** Empty: every machine. */
  readonly machineId: string;
  /** Words that have to be in its name, command, purpose, id or Slurm number, in any order. */
  readonly text: string;
};

/**
 * Where a job stands, roughly. Jobs of a machine that does not answer may run: they are active. What a person has
 * stopped is done with, and has not failed.
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
    if (filter.group !== 'all' && groupOf(job) !== filter.group) return false;
    if (filter.machineId !== '' && job.machineId !== filter.machineId) return false;
    if (words.length === 0) return true;
    const text = `${job.name} ${job.commandLine} ${job.purpose} ${job.id} ${job.slurmId ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function groupCounts(jobs: readonly JobView[]): Readonly<Record<JobGroup, number>> {
  const counts = { all: jobs.length, active: 0, done: 0, failed: 0 };
  for (const job of jobs) counts[groupOf(job)] += 1;
  return counts;
}
