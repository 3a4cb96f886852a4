/** Charts of how the GPUs of a job were used. */
export { GpuCharts } from './gpu-charts';
export { JobGpus } from './job-gpus';
