/** job: a process launched on a machine, which outlives the app. Its truth is its folder and the process table. */
export { hasEnded, type Job, type JobState } from './job';
export { createJobService, type JobService } from './job-service';
export type { JobSpec } from './logic/job-files';
