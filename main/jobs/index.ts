/** Job: a process launched on a machine that outlives the app. Its state is in its folder and the process table. */
export { jobHasEnded as hasEnded } from '../../preload/contract';
export { createDetachedStarter } from './detached-starter';
export type { Job, JobService, RetryGate } from './job-api';
export { createJobService } from './job-service';
export type { JobStarter, StartedJob } from './job-starter';
export { launchOnce } from './launch-once';
export { chooseGpus } from './logic/choose-gpus';
export { type JobSpec, PROVENANCE_NOTES, specOfRequest } from './logic/job-spec';
export { DEFAULT_LOG_LIMIT_BYTES } from './logic/log-limit';
export type { JobProbe, Observation, StopResult } from './logic/observation';
export { saveFile } from './save-file';
export { createSlurmStarter, readCluster, readOthersJob, type SlurmCluster } from './slurm';
export { readStored } from './stored-log';
export { type GpuAvailability, whyNever } from './why-never';
