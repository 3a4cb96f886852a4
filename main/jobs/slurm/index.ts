/** Slurm: the batch system of a cluster, to which jobs are submitted; it decides what runs when. */
export type { SlurmCluster } from '../logic/slurm/cluster';
export { readForeignJob } from './foreign-job';
export { createSlurmStarter } from './slurm-starter';
export { readCluster } from './survey';
