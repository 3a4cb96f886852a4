/** Parts for machines: forwarded ports; of forms: which one, which GPUs, paths there, Slurm options. */
export { freeGpusText, GpuSection } from './gpu-section';
export { MachineSelect } from './machine-select';
export { PathInput, PathSetting } from './path-input';
export { PortsSection, useIsRemote } from './ports-section';
export * from './resource-fields';
export { SlurmSection } from './slurm-section';
export { useSlurmChoices } from './use-slurm-choices';
