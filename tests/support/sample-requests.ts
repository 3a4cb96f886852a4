import type {
  Answer,
  CommandName,
  MemoryPart,
  MemoryStack,
  Payload,
  PlanMemory,
  Recipe,
  TrainingPlan,
  TrainingSpec,
  TrainingView,
  Value,
} from '../../preload/contract';
import { PLAIN_MODEL_TRAINING, PLAIN_POCKET_TRAINING } from '../../preload/contract/plans';

/** A recipe with a field of each kind. */
export const RECIPE: Recipe = {
  id: 'verl-grpo',
  name: 'verl, GRPO',
  homepage: 'https://verl.readthedocs.io',
  about: 'One model with GRPO on Ray. Start it where verl is installed; the data are parquet files.',
  checkedWith: 'verl 0.9.1',
  package: 'verl',
  multiple: null,
  fields: [
    {
      name: 'model',
      label: 'Model',
      help: 'Folder or name at the hub.',
      kind: 'path',
      default: '',
      required: true,
    },
    { name: 'batch', label: 'Prompts of a step', help: '', kind: 'number', default: '256', required: true },
    {
      name: 'engine',
      label: 'Rollout engine',
      help: '',
      kind: 'choice',
      choices: ['vllm', 'sglang'],
      default: 'vllm',
      required: true,
    },
    {
      name: 'note',
      label: 'Note',
      help: 'Shown in its own log.',
      kind: 'text',
      default: '',
      required: false,
    },
  ],
  command: ['python3', '-m', 'verl.trainer.main_ppo', 'actor.path={model}'],
  gpus: null,
  log: { form: 'pairs', stepKey: 'step' },
  tensorboard: null,
  keys: {},
  checkpoints: null,
  weights: '',
  rollouts: null,
  resumes: false,
};

const SPECS: Readonly<Record<Exclude<TrainingSpec['kind'], 'watched'>, TrainingSpec>> = {
  pocket: {
    kind: 'pocket',
    method: 'grpo',
    families: ['tracer'],
    ...PLAIN_POCKET_TRAINING,
    seed: 7,
    updates: 120,
    objective: { ...PLAIN_POCKET_TRAINING.objective, importanceCap: null },
  },
  model: {
    kind: 'model',
    method: 'heter-mars2',
    agents: [
      { id: 'small', model: '/models/SmolLM2-135M', maxTokens: 512, extraction: 'last-fence' },
      {
        id: 'qwen',
        model: '/models/Qwen3-0.6B',
        maxTokens: 1_024,
        thinking: false,
        extraction: 'last-fence',
      },
    ],
    ...PLAIN_MODEL_TRAINING,
    problems: { benchmarkId: 'humaneval', problemIds: ['HumanEval/2', 'HumanEval/3'] },
    updates: 40,
    evaluation: { ...PLAIN_MODEL_TRAINING.evaluation, problems: 50, sampling: { temperature: 0.6 } },
    python: '/opt/envs/learner/bin/python3',
  },
  marti: {
    kind: 'marti',
    preset: 'multi',
    checkout: '/home/lab/MARTI',
    python: '/opt/envs/marti/bin/python3',
    agents: [
      { model: '/models/Qwen3-8B', role: 'generator', isReasoning: false },
      { model: '/models/AReaL-boba-2-8B', role: 'generator', isReasoning: true },
    ],
    data: '/data/deepcoder',
    output: '/scratch/mars2',
    rayAddress: null,
    flags: { max_epochs: 2, enforce_eager: false },
    extraArguments: '',
  },
  recipe: {
    kind: 'recipe',
    recipeId: RECIPE.id,
    values: { model: '/models/Qwen3-8B', batch: '128', engine: 'sglang', note: '' },
    extraArguments: '',
  },
};

/** A training of each kind, as it was ordered. */
export function orderedTraining(kind: keyof typeof SPECS): TrainingView {
  return {
    id: `2026-01-05-${kind}`,
    name: `An earlier ${kind} training`,
    machineId: kind === 'pocket' ? 'local' : 'gpu1',
    jobId: null,
    spec: SPECS[kind],
    scale: kind === 'pocket' ? 'pocket' : kind === 'model' ? 'own' : 'paper',
    title: kind,
    agents:
      kind === 'model'
        ? [
            { id: 'small', name: 'small' },
            { id: 'qwen', name: 'qwen' },
          ]
        : [{ id: 'agent', name: 'agent' }],
    state: { kind: 'exited', code: 0, endedAt: '2026-01-05T10:30:00.000Z' },
    stage: null,
    createdAt: '2026-01-05T09:30:00.000Z',
    startedAt: '2026-01-05T09:30:00.000Z',
    endedAt: '2026-01-05T10:30:00.000Z',
    step: 120,
    steps: 120,
    secondsLeft: null,
    latest: [],
    alarms: [],
    experimentId: null,
  };
}

/** The training of language models on GPUs: all weights, whose answers an engine writes. */
export function orderedWithWriter(): TrainingView {
  const order = orderedTraining('model');
  const writer = { engine: 'vllm', publish: 'reload', memoryShare: 0.45 } as const;
  const spec = { ...SPECS.model, lora: null, dtype: 'bfloat16', writer } as TrainingSpec;
  return { ...order, id: `${order.id}-gpus`, spec };
}

function samplePlan({ request, check }: Payload<'training.plan'>): TrainingPlan {
  const { spec } = request;
  if (spec.kind === 'pocket') {
    return {
      commandLine: 'mars2-workbench pocket-trainer --spec spec.json --out .',
      gpus: 0,
      notes: [],
      problems: [],
      checks: [],
      estimateSeconds: ((spec.updates ?? 300) * (spec.families.length + 1)) / 6,
    };
  }
  if (spec.kind === 'model')
    return modelPlan(check === true, spec.writer === undefined ? (request.resources?.gpus ?? 0) : 2);
  const marti = spec.kind === 'marti';
  return {
    commandLine: marti
      ? `cd ${spec.checkout} && OPENRLHF_ASYNC_NUM_TASKS=16 ${spec.python} -m examples.mars2.multi_agent_train_ppo_ray \\\n  --actor_num_gpus_per_node 2 \\\n  --policy_loss_type gspo \\\n  --prompt_data json@${spec.data}`
      : 'python3 -m verl.trainer.main_ppo actor.path=/models/Qwen3-8B',
    gpus: marti ? 4 : 8,
    notes: marti
      ? [
          'A link openrlhf → marti is made in a copy of the checkout: the scripts import the old name.',
          'The grader is tried with one right and one wrong program before anything is trained.',
        ]
      : [],
    problems: check && marti ? ['2 of the 4 GPUs that it needs are in use.'] : [],
    checks: check
      ? [
          { id: 'checkout', title: 'MARTI', state: 'good', found: 'commit a2fe2c7', todo: null },
          {
            id: 'packages',
            title: 'Python packages',
            state: 'good',
            found: 'ray 2.48.0, vllm 0.8.5',
            todo: null,
          },
          {
            id: 'treequest',
            title: 'treequest',
            state: 'bad',
            found: 'not installed',
            todo: 'pip install treequest',
          },
          {
            id: 'disk',
            title: 'Disk',
            state: 'warning',
            found: '210 GB free',
            todo: 'Checkpoints take 64 GB each.',
          },
        ]
      : [],
    estimateSeconds: null,
  };
}

const stack = (sizes: Partial<Record<MemoryPart, number>>): MemoryStack =>
  Object.entries(sizes).map(([part, gigabytes]) => ({ part: part as MemoryPart, bytes: gigabytes * 1e9 }));

const SMALL = { weights: 0.6, gradients: 0.02, optimiser: 0.04, base: 0.5 };
const QWEN = { weights: 2.4, gradients: 0.04, optimiser: 0.08, base: 0.5 };
/** Adapters on processors, written without an engine. */
const MACHINE_MEMORY: PlanMemory = {
  device: 'processor',
  deviceBytes: 25.3e9,
  agents: [
    {
      id: 'small',
      total: 3.26e9,
      writing: stack({ ...SMALL, keysAndValues: 0.57 }),
      learning: stack({ ...SMALL, activations: 0.36, logits: 0.48, fragments: 1.26 }),
    },
    {
      id: 'qwen',
      total: 5.94e9,
      writing: stack({ ...QWEN, keysAndValues: 1.9 }),
      learning: stack({ ...QWEN, activations: 0.7, logits: 0.5, fragments: 1.72 }),
    },
  ],
};
/** All weights on GPUs, with an engine that takes 45 % of each. */
const GPU_MEMORY: PlanMemory = {
  device: 'gpu',
  deviceBytes: 25.8e9,
  agents: [
    {
      id: 'small',
      total: 15.52e9,
      writing: stack({
        weights: 0.54,
        gradients: 0.54,
        optimiser: 1.07,
        frozenCopy: 0.27,
        base: 1.5,
        engine: 11.6,
      }),
      learning: stack({
        ...{ weights: 0.54, gradients: 0.54, optimiser: 1.07, frozenCopy: 0.27, base: 1.5 },
        ...{ passCopies: 0.27, activations: 2, logits: 1, fragments: 0.6 },
      }),
    },
    {
      id: 'qwen',
      total: 23.9e9,
      writing: stack({
        weights: 2.4,
        gradients: 2.4,
        optimiser: 4.8,
        frozenCopy: 1.2,
        base: 1.5,
        engine: 11.6,
      }),
      learning: stack({
        ...{ weights: 2.4, gradients: 2.4, optimiser: 4.8, frozenCopy: 1.2, base: 1.5 },
        ...{ passCopies: 1.2, activations: 3.8, logits: 1.4, fragments: 1.04 },
      }),
    },
  ],
};

function modelPlan(check: boolean, gpus: number): TrainingPlan {
  return {
    commandLine: 'node model-trainer.cjs --spec spec.json --out .',
    gpus,
    expected: [
      'Takes 2 to 5 hours, at the rate at which "Before" trained these models on this machine.',
      gpus === 0
        ? 'Memory: about 9.2 GB of the 25.3 GB of the machine, all agents together.'
        : 'Memory: about 23.9 GB of the 25.8 GB of a GPU, for the largest agent.',
    ],
    memory: gpus === 0 ? MACHINE_MEMORY : GPU_MEMORY,
    notes: [
      '2 learners of one process each.',
      '412 problems are trained on, 20 are kept for the evaluation.',
    ],
    problems: [],
    checks: check
      ? [
          { id: 'torch', title: 'torch', state: 'good', found: '2.6.0, one GPU', todo: null },
          {
            id: 'peft',
            title: 'peft',
            state: 'bad',
            found: 'not installed',
            todo: 'pip install peft',
          },
        ]
      : [],
    estimateSeconds: 7_200,
  };
}

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

/** What the forms of trainings ask. */
export function sampleRequestHandlers(): Handlers {
  return {
    'training.plan': (payload) => ({ ok: true, value: samplePlan(payload) }),
    'recipe.list': () => ({
      ok: true,
      value: { recipes: [RECIPE], problems: ['mine.json: "command" is missing.'] },
    }),
  };
}
