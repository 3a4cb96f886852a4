import type { GpuDay } from '../../preload/contract';

/** Of a made-up H100: the numbers are no measurement. */
export function sampleGpuDay(): GpuDay {
  const values = {
    ...{ updates: 20, tokens: 400, 'prompt-tokens': 600, 'tokens-per-second': 4_000 },
    ...{ 'time-writing': 0.5, 'time-grading': 0.1, 'time-learning': 0.4 },
    ...{ 'logp-gap': 0.0123, 'learner-memory': 14.2 },
  };
  const published = { 'publish-proven': 1, 'publish-slope': 0.98, 'publish-seconds': 3.2 };
  const step = { state: 'done' as const, why: null, seconds: 400 };
  return {
    ...{ format: 'mars2-gpu-day', version: 1, workbench: '0.1.0' },
    ...{ startedAt: '2026-11-20T09:00:00.000Z', endedAt: '2026-11-20T10:30:00.000Z' },
    device: {
      gpus: ['NVIDIA H100 80GB HBM3'],
      memoryMib: [81_559],
      ...{ driver: '570.1', cuda: '12.8' },
    },
    packages: ['torch==2.13.0', 'vllm==0.32.0'],
    model: { name: 'Qwen3-0.6B', parameters: 600_000_000, layers: 28 },
    settings: {
      ...{ dtype: 'bfloat16', batch: 32, maxTokens: 2_048, benchmark: 'livecodebench-v6', problems: 20 },
    },
    steps: [
      { ...step, id: 'learner', title: 'Learner writes, adapter', values },
      {
        ...{ id: 'restart', title: 'vLLM, published by a restart', state: 'failed', seconds: 61 },
        ...{ why: 'The engine of model did not start.', values: {} },
      },
      { ...step, id: 'reload', title: 'vLLM, published by a reload', values: { ...values, ...published } },
      {
        ...{ ...step, id: 'teams', title: '20 problems by three teams' },
        values: { 'Single pass@1': 0.125, 'Heterogeneous pass@n': 0.3 },
      },
    ],
  };
}
