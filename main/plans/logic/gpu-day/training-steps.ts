import {
  type GpuDayRequest,
  type GpuDayStep,
  type ModelTraining,
  type TrainingCurve,
  type TrainingRequest,
  trainingRequestSchema,
} from '../../../../preload/contract';
import { WRITER_MEMORY_SHARE } from '../../../../preload/contract/plans';
import { counted } from '../../../base/index';

/** A training of a GPU day. */
export type TrainingStep = {
  readonly id: GpuDayStep['id'];
  readonly title: string;
  readonly request: TrainingRequest;
};

/** Updates of a step that only has to show that something works: after the first, the weights have been published. */
const FEW = 3;
/** Trees of a round; each of their nodes is a first attempt. */
const TREES = 4;

/** The inputs of the trainings of a GPU day. */
export type GpuDayContext = {
  readonly request: GpuDayRequest;
  /** Found or named: of the learner, and of vLLM. */
  readonly python: string;
  readonly vllm: string;
  /** GPUs of the machine; 0: a rehearsal. */
  readonly gpus: number;
  /** Problems that are trained on. */
  readonly problemIds: readonly string[];
  /** Prefix of the trainings' names, unique to this GPU day. */
  readonly name: string;
};

/**
 * The trainings, in order: the learner alone, then each way of publishing to vLLM; full weights at a rate of 1e-6, as in the
 * papers, where a lost publication is hardest to notice. On GPUs vLLM sleeps while the learner works in the ways "reload"
 * and "adapter".
 */
export function trainingSteps(context: GpuDayContext): readonly TrainingStep[] {
  const { request, gpus } = context;
  const step = (id: GpuDayStep['id'], title: string, change: Partial<ModelTraining>): TrainingStep => ({
    id,
    title,
    request: requestOf(context, title, change),
  });
  const vllm = (publish: 'restart' | 'reload' | 'adapter') => ({
    writer: { engine: 'vllm' as const, python: context.vllm, publish, memoryShare: WRITER_MEMORY_SHARE },
  });
  const sglang = (publish: 'restart' | 'reload') => ({
    writer: { engine: 'sglang' as const, python: request.sglang, publish, memoryShare: WRITER_MEMORY_SHARE },
  });
  const full = { lora: null, rate: 1e-6 };
  return [
    step('learner', 'Learner writes, adapter', { updates: FEW }),
    step('restart', 'vLLM, published by a restart', { ...full, ...vllm('restart'), updates: 2 }),
    step('reload', 'vLLM, published by a reload', { ...full, ...vllm('reload'), updates: request.updates }),
    step('adapter', 'vLLM, published as an adapter', { ...vllm('adapter'), updates: FEW }),
    ...(gpus >= 2
      ? [
          step('ranks', 'Two GPUs (FSDP), by a reload', {
            ...full,
            ...vllm('reload'),
            processes: 2,
            updates: FEW,
          }),
        ]
      : []),
    ...(request.sglang === undefined
      ? []
      : [
          step('sglang-restart', 'SGLang, published by a restart', {
            ...{ ...full, ...sglang('restart'), updates: 2 },
          }),
          step('sglang-reload', 'SGLang, published by a reload', {
            ...{ ...full, ...sglang('reload'), updates: FEW },
          }),
        ]),
  ];
}

function requestOf(
  { request, python, gpus, problemIds, name }: GpuDayContext,
  title: string,
  change: Partial<ModelTraining>,
): TrainingRequest {
  const { updates = FEW, processes = 1 } = change;
  return trainingRequestSchema.parse({
    name: `${name}: ${title}`.slice(0, 120),
    machineId: request.machineId,
    restarts: 0,
    resources: { gpus: gpus === 0 ? 0 : processes },
    spec: {
      kind: 'model',
      // Its samples have a gradient also where a small model solves nothing.
      method: 'grpo-all-wrong',
      agents: [{ id: 'model', model: request.model, maxTokens: request.maxTokens, thinking: false }],
      problems: { benchmarkId: request.benchmarkId, problemIds },
      batch: request.batch,
      treesPerRound: TREES,
      nodes: request.batch / TREES,
      rate: 1e-4,
      checkpointEvery: updates,
      evaluation: { problems: 0 },
      python,
      device: gpus === 0 ? 'cpu' : 'cuda',
      dtype: gpus === 0 ? 'float32' : 'bfloat16',
      // On a processor that others use too, more threads wait for each other.
      threads: gpus === 0 ? 1 : null,
      ...change,
    },
  });
}

/** Of the published change from the learner's; a training continues up to 0.5, but here the path itself is judged. */
const LARGEST_DIFFERENCE = 0.1;

/** Curves whose means are results (docs/training.md). */
const MEASURED = [
  ...['logp-gap', 'vetoed', 'publish-seconds', 'publish-proven', 'publish-slope', 'publish-gap'],
  ...['tokens', 'prompt-tokens', 'tokens-per-second', 'time-writing', 'time-grading', 'time-learning'],
  ...['learner-memory', 'gradient-norm', 'cut-answers'],
];

/** Mean of each measured curve over the updates, and the number of updates. Curves that are missing have no value. */
export function measuredValues(curves: readonly TrainingCurve[]): Record<string, number> {
  const own = curves.filter(({ part, values }) => part === 'train' && values.length > 0);
  const means = own
    .filter(({ key }) => MEASURED.includes(key))
    .map(({ key, values }) => [key, values.reduce((sum, value) => sum + value, 0) / values.length]);
  const updates = own.find(({ key }) => key === 'gradient-norm')?.values.length ?? 0;
  return { ...Object.fromEntries(means), updates };
}

/** What is wrong with a training that ended well; null: nothing. An engine that was never proven has shown nothing. */
export function stepProblem(
  { spec }: Pick<TrainingRequest, 'spec'>,
  values: Record<string, number>,
): string | null {
  if (spec.kind !== 'model') return null;
  if ((values.updates ?? 0) < spec.updates)
    return `It made ${values.updates ?? 0} of ${counted(spec.updates, 'update')}.`;
  if ((values['gradient-norm'] ?? 0) === 0) return 'No update had a gradient, so nothing was learned.';
  if (spec.writer !== undefined && (values['publish-proven'] ?? 0) === 0)
    return 'No publication could be proven: the weights changed too little beside rounding.';
  const slope = values['publish-slope'];
  if (slope !== undefined && Math.abs(slope - 1) > LARGEST_DIFFERENCE)
    return `Of the learner’s change ${slope.toFixed(2)} arrived at the engine, not 1.00.`;
  return null;
}
