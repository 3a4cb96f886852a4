/** Form parts for machines: which one, which GPUs, Slurm options. */
export { freeGpusText, GpuSection } from './gpu-section';
export { MachineSelect } from './machine-select';
export * from './resource-fields';
export { SlurmSection } from './slurm-section';
export { useSlurmChoices } from './use-slurm-choices';
