/** What the GPUs of a job did, as charts. */
export { GpuCharts } from './gpu-charts';
export { JobGpus } from './job-gpus';
