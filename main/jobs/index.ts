/** job: a process launched on a machine, which outlives the app. Its truth is its folder and the process table. */
export { jobHasEnded as hasEnded } from '../../preload/contract';
export { createDetachedStarter } from './detached-starter';
export type { Job, JobService } from './job-api';
export { createJobService } from './job-service';
export type { JobStarter, StartedJob } from './job-starter';
export { chooseGpus } from './logic/gpu-queue';
export { type JobSpec, specOfOrder } from './logic/job-spec';
export type { JobLook, Sighting, Stopped } from './logic/sighting';
export { createSlurmStarter, readCluster, type SlurmCluster, type SlurmStarter } from './slurm';
