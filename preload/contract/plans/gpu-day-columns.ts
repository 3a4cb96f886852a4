import type { GpuDay, GpuDayStep } from '../gpu-day';

/** What a table of a GPU day shows of each training, in order. */
export const GPU_DAY_COLUMNS: ReadonlyArray<{
  readonly key: string;
  readonly title: string;
  /** What it is, and which values are good. */
  readonly about: string;
  readonly digits: number;
}> = [
  {
    key: 'logp-gap',
    title: 'gap, nats',
    about:
      'Difference between the log-probabilities of writer and learner per token; a few hundredths are usual in bfloat16',
    digits: 4,
  },
  {
    key: 'publish-slope',
    title: 'change',
    about:
      'Change of the engine’s log-probabilities by new weights, as a share of the learner’s: 1, the weights arrived; 0, they did not',
    digits: 2,
  },
  {
    key: 'publish-seconds',
    title: 'publish, s',
    about: 'Time to send new weights to the engine and verify them',
    digits: 1,
  },
  {
    key: 'tokens-per-second',
    title: 'tokens/s',
    about: 'Tokens written per second of writing time',
    digits: 0,
  },
  { key: 'learner-memory', title: 'memory, GB', about: 'Peak memory of the learner', digits: 1 },
];

/** Empty: not measured. */
export function gpuDayCell({ values }: Pick<GpuDayStep, 'values'>, key: string, digits: number): string {
  const value = values[key];
  return value === undefined ? '' : value.toFixed(digits);
}

/** "NVIDIA H100 80GB HBM3, driver 570.1, CUDA 12.8; torch==2.13.0, vllm==0.32.0" */
export function gpuDayDevice({ device, packages }: Pick<GpuDay, 'device' | 'packages'>): string {
  const gpus = device.gpus.length === 0 ? 'No GPU: a rehearsal on processors' : device.gpus.join(', ');
  const driver = device.driver === null ? '' : `, driver ${device.driver}`;
  const cuda = device.cuda === null ? '' : `, CUDA ${device.cuda}`;
  return [`${gpus}${driver}${cuda}`, ...(packages.length === 0 ? [] : [packages.join(', ')])].join('; ');
}

const RATES = [
  ['pass@1', 'Pass@1'],
  ['pass@1(mcts)', 'Pass@1(MCTS)'],
  ['pass@n', 'Pass@N'],
] as const;

/** "Single: Pass@1 12.5 %, Pass@N 20.0 %" for each team; empty where they have not searched. */
export function gpuDayTeams({ steps }: Pick<GpuDay, 'steps'>): readonly string[] {
  const values = steps.find(({ id, state }) => id === 'teams' && state === 'done')?.values ?? {};
  const names = [...new Set(Object.keys(values).map((key) => key.split(' ')[0] ?? ''))];
  return names.map((name) => {
    const rates = RATES.flatMap(([metric, label]) => {
      const value = values[`${name} ${metric}`];
      return value === undefined ? [] : [`${label} ${(100 * value).toFixed(1)} %`];
    });
    return `${name}: ${rates.join(', ')}`;
  });
}
