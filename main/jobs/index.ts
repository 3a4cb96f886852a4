/** Job: a process launched on a machine that outlives the app. Its state is in its folder and the process table. */
export { jobHasEnded as hasEnded } from '../../preload/contract';
export { createDetachedStarter } from './detached-starter';
export type { Job, JobService, RetryGate } from './job-api';
export { createJobService } from './job-service';
export type { JobStarter, StartedJob } from './job-starter';
export { launchOnce } from './launch-once';
export { type JobSpec, PROVENANCE_NOTES, specOfRequest } from './logic/job-spec';
export type { JobProbe, Observation } from './logic/observation';
export { chooseGpusNow, type GpuAvailability, neverStartsReason } from './never-starts';
export { saveFile } from './save-file';
export { createSlurmStarter, readCluster, readForeignJob } from './slurm';
export { readStored } from './stored-log';
