import type {
  Answer,
  CommandName,
  Payload,
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

function samplePlan({ request: order, check }: Payload<'training.plan'>): TrainingPlan {
  const { spec } = order;
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
  if (spec.kind === 'model') return modelPlan(check === true, order.resources?.gpus ?? 0);
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

function modelPlan(check: boolean, gpus: number): TrainingPlan {
  return {
    commandLine: 'node model-trainer.cjs --spec spec.json --out .',
    gpus,
    expected: [
      'Takes 2 to 5 hours, at the rate at which "Before" trained these models on this machine.',
      'Memory: about 9.2 GB of the 25.3 GB of the machine, all agents together.',
    ],
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
export function sampleOrderHandlers(): Handlers {
  return {
    'training.plan': (payload) => ({ ok: true, value: samplePlan(payload) }),
    'recipe.list': () => ({
      ok: true,
      value: { recipes: [RECIPE], problems: ['mine.json: "command" is missing.'] },
    }),
  };
}
