/** What several forms ask of a machine: which one, which GPUs, and what Slurm is asked for. */
export { freeGpusText, GpuSection } from './gpu-section';
export { MachineSelect } from './machine-select';
export * from './resource-fields';
export { SlurmSection } from './slurm-section';
export { useSlurmChoices } from './use-slurm-choices';
