/** Slurm: the queue of a cluster. We submit to it and read from it; what runs when is its own business. */
export type { SlurmCluster } from '../logic/slurm/cluster';
export { readCluster } from './read-cluster';
export { createSlurmStarter, type SlurmStarter } from './slurm-starter';
