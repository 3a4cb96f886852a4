import { describe, expect, it } from 'vitest';
import { filterJobs, groupCounts, removableJobs } from '../../../renderer/jobs/job-filters';
import { busyLab } from '../../support/sample-jobs';

const jobs = busyLab().jobs ?? [];
const names = (filters: Partial<Parameters<typeof filterJobs>[1]>) =>
  filterJobs(jobs, { group: 'all', machineId: '', text: '', all: true, ...filters }).map(({ id }) => id);

describe('the list of jobs', () => {
  it('counts a job of a machine that does not answer as active, never as failed', () => {
    expect(names({ group: 'active' })).toContain('job-unknown');
    expect(names({ group: 'failed' })).not.toContain('job-unknown');
  });

  it('has those that were lost among the failed', () => {
    expect(names({ group: 'failed' })).toEqual(['job-failed', 'job-killed', 'job-lost']);
  });

  it('keeps to a machine', () => {
    expect(names({ machineId: 'cluster' })).toEqual(['job-lost']);
  });

  it('finds words in any order, in names, commands and numbers of Slurm', () => {
    expect(names({ text: '1 seed MARTI,' })).toEqual(['job-train']);
    expect(names({ text: '48213' })).toEqual(['job-lost']);
  });

  it('leaves out the jobs of servers and trainings unless asked', () => {
    expect(names({})).toContain('job-train');
    expect(names({ all: false })).not.toContain('job-train');
    expect(names({ all: false })).toContain('job-failed');
  });

  it('offers to remove what has ended, never the job of a training or what may still run', () => {
    const removable = removableJobs(jobs).map(({ id }) => id);
    expect(removable).toEqual(expect.arrayContaining(['job-done', 'job-failed', 'job-lost']));
    expect(removable).not.toContain('job-unknown');
    const ended = { kind: 'exited', code: 0, endedAt: '2026-01-01T00:00:00.000Z' } as const;
    expect(removableJobs(jobs.map((job) => ({ ...job, state: ended }))).map(({ id }) => id)).not.toContain(
      'job-train',
    );
  });

  it('counts every job once', () => {
    const { all, active, done, failed } = groupCounts(jobs);
    expect(active + done + failed).toBe(all);
  });
});
