import { trainingEvaluationView, trainingSweep } from '../../main/metrics';
import type {
  Answer,
  CommandName,
  ExperimentView,
  JobState,
  Payload,
  Rollout,
  TrainingCheckpoint,
  TrainingCurve,
  TrainingEvaluation,
  TrainingEvaluationView,
  TrainingGain,
  TrainingMethod,
  TrainingSweep,
  TrainingView,
  Value,
  WorkbenchEvent,
} from '../../preload/contract';
import { martiTrainingSchema, pocketTrainingSchema, recipeTrainingSchema } from '../../preload/contract';
import { checkpointMember, isOwnTraining, trainingMethodOf } from '../../preload/contract/plans';
import { sampleGpuCurves } from './sample-gpu-curves';
import { orderedTraining } from './sample-requests';

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

export type SampleTrainingOptions = {
  readonly trainings?: readonly TrainingView[];
  readonly experiments?: readonly ExperimentView[];
  /** Points of every curve; as many as the training has made steps when left out. */
  readonly points?: number;
};

const MINUTE = 60_000;

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

function missing(what: string): Answer<never> {
  return { ok: false, error: { code: 'not-found', message: `There is no ${what}.` } };
}

/** A made-up value in [-1, 1], the same for the same place: noise that every picture shows alike. */
function noise(...keys: readonly number[]): number {
  let hash = 2_166_136_261;
  for (const part of keys) hash = Math.imul(hash ^ (part + 0x9e37), 16_777_619);
  return (hash >>> 8) / 2 ** 23 - 1;
}

/** A made-up training of a pocket team; it has trained for as long as it was ordered ago. */
export function samplePocketTraining(
  change: Partial<TrainingView> & { readonly method?: TrainingMethod; readonly families?: readonly string[] },
  minutesAgo: number,
  seed = 1,
): TrainingView {
  const { method = 'heter-mars2', families = ['reader', 'tracer'], ...rest } = change;
  const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
  const facts = trainingMethodOf(method);
  const title = `${facts.name}, ${families.join(' + ')}`;
  const step = rest.step ?? 300;
  return {
    id: `training-${method}-${seed}`,
    name: `${facts.name}, seed ${seed}`,
    machineId: 'local',
    jobId: 'job-done',
    spec: pocketTrainingSchema.parse({ kind: 'pocket', method, families, seed }),
    scale: 'pocket',
    title,
    agents: families.map((family) => ({ id: family, name: family })),
    state: { kind: 'exited', code: 0, endedAt: at(minutesAgo - 2) },
    stage: null,
    createdAt: at(minutesAgo),
    startedAt: at(minutesAgo),
    endedAt: at(minutesAgo - 2),
    step,
    steps: 300,
    secondsLeft: null,
    latest: families.flatMap((family, agent) =>
      ['reward', 'pass@1', 'entropy'].map((key) => ({
        agentId: family,
        key,
        value: courseOf(key, agent, seed + method.length, step, 300),
      })),
    ),
    alarms: [],
    experimentId: null,
    ...rest,
  };
}

/** A run that others started, in a folder. */
export function sampleWatchedTraining(machineId: string, folder: string): TrainingView {
  const plain = samplePocketTraining({ id: 'training-watched', name: folder, machineId }, 1);
  return {
    ...plain,
    jobId: null,
    spec: {
      ...{ kind: 'watched', folder, slurmId: null, metrics: null },
      ...{ logs: [], logForm: 'python-dict', agents: [], scale: 'own' },
    },
    scale: 'own',
    title: `Watched only: ${folder}`,
    state: { kind: 'running', pid: null },
    endedAt: null,
  };
}

const RUNNING: JobState = { kind: 'running', pid: 48_211 };

/** Trainings of a lab's day: of every kind, in every state. */
export function sampleTrainings(): readonly TrainingView[] {
  const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
  const methods: readonly TrainingMethod[] = ['base', 'grpo', 'rs2', 'homo-mars2', 'heter-mars2'];
  return [
    samplePocketTraining(
      {
        id: 'training-live',
        name: 'First pocket team',
        state: RUNNING,
        stage: 'updating',
        endedAt: null,
        step: 184,
        secondsLeft: 47,
      },
      1.4,
      7,
    ),
    martiTraining({
      alarms: [
        {
          kind: 'entropy-collapse',
          agentId: 'boba',
          message:
            'The entropy of AReaL-boba-2-14B fell from 0.41 to 0.03 within 20 steps: it has stopped to explore. Stop it and go on from the checkpoint of step 60 with a higher KL coefficient or temperature.',
          step: 71,
        },
        {
          kind: 'old-checkpoint',
          agentId: null,
          message:
            'The last checkpoint is 3 h old, and four were due since. Look whether the disk of gpu1 is full (df -h).',
          step: null,
        },
      ],
    }),
    samplePocketTraining(
      {
        id: 'training-stopped',
        method: 'grpo-all-wrong',
        name: 'All-wrong groups count, by hand',
        families: ['reader'],
        state: { kind: 'exited', code: 75, endedAt: at(50) },
        endedAt: at(50),
        step: 112,
      },
      52,
      3,
    ),
    samplePocketTraining(
      {
        id: 'training-failed',
        name: 'Rate of 3, to see it break',
        state: { kind: 'exited', code: 1, endedAt: at(70) },
        endedAt: at(70),
        step: 41,
        alarms: [
          {
            kind: 'nan',
            agentId: 'tracer',
            message:
              'The loss of tracer is no number any more. Stop it; start a copy with a smaller learning rate (now 3).',
            step: 41,
          },
        ],
      },
      73,
      5,
    ),
    recipeTraining(),
    ...[11, 12, 13].flatMap((seed, round) =>
      methods.map((method, index) =>
        samplePocketTraining(
          {
            method,
            experimentId: 'experiment-five',
            ...(seed === 13 && index === 4
              ? {
                  state: { kind: 'queued', why: 'other trainings go first' },
                  step: 0,
                  latest: [],
                  endedAt: null,
                  startedAt: null,
                }
              : seed === 13 && index === 3
                ? { state: RUNNING, stage: 'evaluating the team', endedAt: null, step: 300, secondsLeft: 20 }
                : {}),
          },
          200 - round * 20 - index * 3,
          seed,
        ),
      ),
    ),
  ];
}

function martiTraining(change: Partial<TrainingView>): TrainingView {
  const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
  return {
    id: 'training-marti',
    name: 'MARTI, Qwen3-8B and boba-2-14B',
    machineId: 'gpu1',
    jobId: 'job-train',
    spec: martiTrainingSchema.parse({
      kind: 'marti',
      preset: 'multi',
      checkout: '/home/lab/MARTI',
      python: '/home/lab/envs/marti/bin/python3',
      agents: [{ model: '/models/Qwen3-8B' }, { model: '/models/AReaL-boba-2-14B', isReasoning: true }],
      data: '/home/lab/data/deepcoder',
      output: '/home/lab/runs/heter-1',
      flags: { init_kl_coef: 0.01, n_samples_per_prompt: 8 },
    }),
    scale: 'paper',
    title: 'Heter-MARS², Qwen3-8B + AReaL-boba-2-14B',
    agents: [
      { id: 'qwen', name: 'Qwen3-8B' },
      { id: 'boba', name: 'AReaL-boba-2-14B' },
    ],
    state: RUNNING,
    stage: 'rollout',
    createdAt: at(1_300),
    startedAt: at(1_290),
    endedAt: null,
    step: 88,
    steps: 200,
    secondsLeft: 98_000,
    latest: [
      { agentId: 'qwen', key: 'reward', value: 0.512 },
      { agentId: 'boba', key: 'reward', value: 0.304 },
      { agentId: 'qwen', key: 'pass@1', value: 0.447 },
      { agentId: 'boba', key: 'pass@1', value: 0.291 },
    ],
    alarms: [],
    experimentId: null,
    ...change,
  };
}

/** Two small language models on a machine with GPUs, half way. */
export function sampleModelTraining(): TrainingView {
  const running = martiTraining({});
  const order = orderedTraining('model');
  const agents = order.agents.map(({ id }) => id);
  return {
    ...running,
    id: 'training-model',
    name: order.name,
    spec: order.spec,
    scale: 'own',
    title: 'Heter-MARS², SmolLM2-135M + Qwen3-0.6B',
    agents: [...order.agents],
    step: 26,
    steps: 40,
    problemsKept: { from: 0.1, to: 0.8, measured: 200, kept: 37, neverSolved: 120, below: 0, above: 43 },
    secondsLeft: 11_000,
    latest: agents.flatMap((agentId, agent) => [
      { agentId, key: 'reward', part: 'train' as const, value: 0.31 + 0.06 * agent },
      { agentId, key: 'pass@1', part: 'train' as const, value: 0.24 + 0.06 * agent },
    ]),
  };
}

function recipeTraining(): TrainingView {
  return {
    ...martiTraining({}),
    id: 'training-recipe',
    name: 'TRL GRPO, Qwen3-1.7B',
    jobId: 'job-unknown',
    machineId: 'basement',
    spec: recipeTrainingSchema.parse({
      kind: 'recipe',
      recipeId: 'trl-grpo',
      values: { model: 'Qwen/Qwen3-1.7B', dataset: '/data/problems.jsonl', output: '/runs/trl-1' },
    }),
    title: 'TRL GRPO',
    agents: [],
    state: { kind: 'unknown', since: new Date(Date.now() - 42 * MINUTE).toISOString(), last: 'running' },
    stage: null,
    step: 1_240,
    steps: null,
    secondsLeft: null,
    latest: [{ agentId: null, key: 'reward', value: 0.61 }],
  };
}

/** Two learning rates with three seeds each, of which one failed. */
function sampleSweep(): TrainingSweep {
  const rows = ['1e-6', '3e-6'].map((rate, row) => ({
    label: `actor_learning_rate ${rate}`,
    trainings: [1, 2, 3].map((seed) => ({
      ...{ trainingId: `training-marti-${rate}-${seed}`, seed },
      notDone: row === 1 && seed === 3 ? 'has failed' : null,
      curves: ['qwen', 'boba'].map((agentId, agent) => {
        const values = [1, 2, 3].map(
          (step) => 0.3 + 0.08 * row - 0.1 * agent + 0.02 * step + 0.013 * seed * seed,
        );
        return {
          ...{ agentId, key: 'pass@1', part: 'evaluation' as const, steps: [10, 20, 30], values },
          ...{ samples: null, seconds: null },
        };
      }),
    })),
  }));
  return trainingSweep('MARTI, Qwen3-8B and boba-2-14B', rows);
}

/** A made-up course of a quantity over a training. */
function courseOf(key: string, agent: number, seed: number, step: number, steps: number): number {
  const share = step / steps;
  const learned = 1 - Math.exp(-3.2 * share);
  const jitter = (size: number): number => size * noise(step, agent, seed, key.length);
  switch (key) {
    case 'reward':
      return 0.22 + (0.34 + 0.05 * (seed % 5) - 0.08 * agent) * learned + jitter(0.06);
    case 'shaped-reward':
      return 0.2 + (0.36 - 0.08 * agent) * learned + jitter(0.07);
    case 'pass@1':
      return 0.18 + (0.3 + 0.04 * (seed % 5) - 0.06 * agent) * learned + jitter(0.03);
    case 'entropy':
      return 1.1 - 0.55 * learned + 0.1 * agent + jitter(0.03);
    case 'kl':
      return 0.02 * learned + 0.02 * share + jitter(0.002);
    case 'clipped':
      return Math.max(0, 0.03 + 0.04 * share + jitter(0.03));
    case 'gradient-norm':
      return 0.8 + 0.3 * (1 - learned) + jitter(0.2) + (noise(step, 7, seed) > 0.985 ? 6 : 0);
    case 'policy-loss':
      return -0.01 * learned + jitter(0.02);
    case 'logp-gap':
      return 0.004 + 0.004 * share + Math.abs(jitter(0.001));
    case 'vetoed':
      return Math.max(0, jitter(0.004));
    case 'capped':
      return 0.002 + Math.abs(jitter(0.002));
    case 'tokens-per-second':
      return 96 + jitter(9);
    case 'time-writing':
      return 0.68 + jitter(0.03);
    case 'time-grading':
      return 0.05 + jitter(0.01);
    case 'time-learning':
      return 0.27 + jitter(0.02);
    case 'learning-rate':
      return 0.03 * Math.min(1, step / (0.03 * steps)) * (0.55 + 0.45 * Math.cos(Math.PI * share));
    case 'zero-advantage':
      return Math.max(0, 0.42 - 0.2 * learned + 0.06 * agent + jitter(0.05));
    case 'node-share':
      return 0.5 + (agent === 0 ? 1 : -1) * (0.08 * learned + jitter(0.02));
    case 'tokens':
      return 18 + 9 * learned + 3 * agent + jitter(1.5);
    default:
      return jitter(1);
  }
}

const KEYS = [
  'reward',
  'pass@1',
  'shaped-reward',
  'entropy',
  'kl',
  'clipped',
  'gradient-norm',
  'policy-loss',
  'learning-rate',
  'zero-advantage',
  'node-share',
  'tokens',
];

const MODEL_KEYS = ['logp-gap', 'vetoed', 'capped'];
const TIME_KEYS = ['tokens-per-second', 'time-writing', 'time-grading', 'time-learning'];

/** The curves of a training as main would read them; `points` of each, its steps when left out. */
export function sampleCurves(training: TrainingView, points?: number): TrainingCurve[] {
  const made = points ?? training.step;
  const total = Math.max(made, training.steps ?? made);
  const seed = training.spec.kind === 'pocket' ? training.spec.seed + training.spec.method.length : 2;
  if (made === 0) return [];
  const curve = (
    agentId: string | null,
    agent: number,
    key: string,
    part: TrainingCurve['part'],
    every: number,
  ): TrainingCurve => {
    const steps = Array.from({ length: Math.floor(made / every) }, (_, at) => (at + 1) * every);
    const perStep = training.scale === 'pocket' ? 0.42 : 870;
    return {
      agentId,
      key,
      part,
      steps,
      values: steps.map((step) => courseOf(key, agent, seed, step, total)),
      samples: training.spec.kind === 'recipe' ? null : steps.map((step) => step * 128),
      seconds: steps.map((step) => step * perStep),
    };
  };
  const agents = training.agents.length === 0 ? [{ id: null }] : training.agents;
  const isModel = training.spec.kind === 'model';
  const keys = isModel ? [...KEYS, ...MODEL_KEYS] : KEYS;
  return [
    ...agents.flatMap(({ id }, agent) => [
      ...keys.map((key) => curve(id, agent, key, 'train', 1)),
      ...(made >= 50 ? [curve(id, agent, 'pass@1', 'evaluation', 25)] : []),
    ]),
    ...(isModel ? TIME_KEYS.map((key) => curve(null, 0, key, 'train', 1)) : []),
  ];
}

/** Every so many of its points; main keeps the extremes as well. */
function thinnedCurve(curve: TrainingCurve, points: number): TrainingCurve {
  const every = Math.ceil(curve.steps.length / points);
  const some = <T>(values: readonly T[]): T[] => values.filter((_, at) => at % every === 0);
  return {
    ...curve,
    steps: some(curve.steps),
    values: some(curve.values),
    samples: curve.samples === null ? null : some(curve.samples),
    seconds: curve.seconds === null ? null : some(curve.seconds),
  };
}

function sampleCheckpoints(training: TrainingView): TrainingCheckpoint[] {
  const every = training.scale === 'pocket' ? 100 : 20;
  const ofModel = training.spec.kind === 'model';
  return training.agents.flatMap(({ id }) =>
    Array.from({ length: Math.floor(training.step / every) }, (_, at) => {
      const step = (at + 1) * every;
      const name = `${id}-${String(step).padStart(6, '0')}`;
      return {
        id: name,
        agentId: id,
        step,
        path:
          training.scale === 'pocket'
            ? `/home/lab/.local/share/mars2-workbench/checkpoints/${training.id}/${name}.json`
            : ofModel
              ? `/home/lab/.local/share/mars2-workbench/trainings/${training.id}/checkpoints/${name}`
              : `/home/lab/runs/heter-1/ckpt/${id}/global_step${step}_hf`,
        at: new Date(Date.parse(training.createdAt) + step * 420).toISOString(),
        bytes: training.scale === 'pocket' ? 48_212 : ofModel ? 538_000_000 : 16_381_517_824,
        canServe: training.scale === 'pocket' || ofModel || step % 40 === 0,
      };
    }),
  );
}

const PROMPT = `You are given a programming problem.

Given a list of integers: keep only the even numbers, then double each, then report the largest.

Input: the numbers in one line, separated by spaces.
Output: one number.

Examples:
Input: 1 4 -2 8
Output: 16

Answer with one Python program in a fenced block.`;

const EARLIER = `${PROMPT}

Your earlier program:

\`\`\`python
numbers = [int(word) for word in input().split()]
numbers = [n for n in numbers if n % 2 == 0]
print(max(numbers))
\`\`\`

It fails: for the input "1 4 -2 8" it prints 8, and 16 is expected.`;

function answerOf(reward: number): string {
  const doubled = reward === 1 ? '\nnumbers = [n * 2 for n in numbers]' : '';
  return `I keep what is asked for, step by step.

\`\`\`python
numbers = [int(word) for word in input().split()]
numbers = [n for n in numbers if n % 2 == 0]${doubled}
print(max(numbers))
\`\`\``;
}

function sampleRollouts(training: TrainingView): Rollout[] {
  const agents = training.agents.length === 0 ? [{ id: 'model' }] : training.agents;
  return Array.from({ length: Math.min(48, training.step) }, (_, at) => {
    const node = 7 - (at % 8);
    const reward = (at * 7) % 3 === 0 ? 1 : node % 2 === 0 ? 0.5 : 0;
    return {
      agentId: agents[(at >> 1) % agents.length]?.id ?? 'model',
      step: training.step - Math.floor(at / 8),
      problemId: `pocket/train/${String(113 + Math.floor(at / 8) * 17).padStart(4, '0')}`,
      node,
      parent: node === 0 ? -1 : node > 3 ? node - 3 : -1,
      prompt: node > 3 ? EARLIER : PROMPT,
      answer: answerOf(reward),
      reward,
      shapedReward: reward + 0.11 * noise(at, 1),
      advantage: (reward - 0.5) * 1.8 + 0.1 * noise(at, 2),
    };
  });
}

function sampleEvaluation(training: TrainingView): TrainingEvaluationView | null {
  if (training.state.kind !== 'exited' || training.state.code !== 0 || !isOwnTraining(training.spec))
    return null;
  const { seed } = training.spec;
  const ids = training.agents.map(({ id }) => id);
  const teams = [...ids.map((id) => [id]), ...(ids.length > 1 ? [ids] : [])];
  const evaluation: TrainingEvaluation = {
    split: 'test',
    seed,
    teams: teams.map((agentIds, team) => ({
      agentIds,
      nodes: 60,
      problems: Array.from({ length: 100 }, (_, at) => {
        const hard = noise(at, 3);
        return {
          problemId: `pocket/test/${String(at).padStart(3, '0')}`,
          samples: agentIds.map((agentId, agent) => ({
            agentId,
            count: 16,
            passed: Math.max(
              0,
              Math.min(16, Math.round(8 + 9 * hard - 2 * agent + 2 * noise(at, agent, seed))),
            ),
          })),
          chosenPasses: hard + 0.15 * team + 0.3 * noise(at, team, seed) > -0.2,
          somePasses: hard + 0.2 * team + 0.3 * noise(at, team, seed) > -0.45,
          distinctPrograms: Math.round(14 + 6 * team + 5 * noise(at, 5)),
          algorithms: [3, 1],
        };
      }),
    })),
  };
  const view = trainingEvaluationView(evaluation, training.spec);
  return training.spec.kind === 'model' ? { ...view, gains: ids.map(sampleGain) } : view;
}

/** Of the first agent a clear one. */
function sampleGain(agentId: string, agent: number): TrainingGain {
  const difference = agent === 0 ? 0.094 : 0.031;
  const [low, high] = [difference - 0.08, difference + 0.08];
  const oddsRatio = agent === 0 ? { value: 3, low: 1.21, high: 8.61 } : { value: 1.4, low: 0.56, high: 3.59 };
  return {
    agentId,
    problems: 100,
    before: 0.312,
    after: 0.312 + difference,
    difference,
    low,
    high,
    oddsRatio,
  };
}

/** The experiment of the sample's five methods. */
export function sampleExperiments(trainings: readonly TrainingView[]): readonly ExperimentView[] {
  const own = trainings.filter(({ experimentId }) => experimentId === 'experiment-five');
  const first = own[0];
  if (first === undefined) return [];
  const rows = new Map(
    own.flatMap(({ spec }) => (spec.kind === 'pocket' ? [[spec.method, spec] as const] : [])),
  );
  return [
    {
      id: 'experiment-five',
      order: {
        name: 'Five methods, two families',
        rows: [...rows.values()].map((spec) => ({
          label: trainingMethodOf(spec.method).name,
          method: spec.method,
          families: spec.families,
          change: {},
        })),
        seeds: [11, 12, 13],
        training: {},
      },
      state: { kind: 'running' },
      createdAt: first.createdAt,
      endedAt: null,
      done: own.filter(({ state }) => state.kind === 'exited').length,
      total: own.length,
      secondsLeft: 64,
      trainings: own.flatMap(({ id, spec }) =>
        spec.kind === 'pocket'
          ? [{ label: trainingMethodOf(spec.method).name, seed: spec.seed, trainingId: id }]
          : [],
      ),
    },
  ];
}

/** Trainings and experiments in memory, with the answers and events of main. */
export function sampleTrainingHandlers(
  options: SampleTrainingOptions,
  emit: (...batch: readonly WorkbenchEvent[]) => void,
): Handlers {
  const trainings = new Map((options.trainings ?? []).map((training) => [training.id, training]));
  const experiments = new Map((options.experiments ?? []).map((one) => [one.id, one]));
  const removed = new Map<string, TrainingView>();
  /** Paths on this computer, by checkpoint. */
  const copies = new Map<string, string>();
  const change = (id: string, part: Partial<TrainingView>): Answer<TrainingView> => {
    const before = trainings.get(id);
    if (before === undefined) return missing(`training ${id}`);
    const training = { ...before, ...part };
    trainings.set(id, training);
    emit({ kind: 'training-changed', training });
    return good(training);
  };
  const of = <T>(id: string, read: (training: TrainingView) => T): Answer<T> => {
    const training = trainings.get(id);
    return training === undefined ? missing(`training ${id}`) : good(read(training));
  };
  const changeExperiment = (id: string, state: ExperimentView['state']): Answer<ExperimentView> => {
    const before = experiments.get(id);
    if (before === undefined) return missing(`experiment ${id}`);
    const experiment = { ...before, state };
    experiments.set(id, experiment);
    emit({ kind: 'experiment-changed', experiment });
    return good(experiment);
  };
  return {
    'training.list': () => good([...trainings.values()]),
    'training.watch': ({ machineId, source }) => {
      const watched = sampleWatchedTraining(machineId, source);
      trainings.set(watched.id, watched);
      return good(watched);
    },
    'training.chooseExport': () => good({ path: '/home/lab/export', files: [], bytes: 1 }),
    'training.stop': ({ trainingId }) => {
      const endedAt = new Date().toISOString();
      return change(trainingId, { state: { kind: 'exited', code: 75, endedAt }, endedAt, stage: null });
    },
    'training.resume': ({ trainingId }) => change(trainingId, { state: { kind: 'starting' }, endedAt: null }),
    'training.remove': ({ trainingId }) => {
      const training = trainings.get(trainingId);
      if (training !== undefined) removed.set(trainingId, training);
      trainings.delete(trainingId);
      emit({ kind: 'training-removed', trainingId });
      return good(null);
    },
    'training.restore': ({ trainingId }) => {
      const training = removed.get(trainingId);
      if (training === undefined) return missing(`training ${trainingId}`);
      trainings.set(trainingId, training);
      removed.delete(trainingId);
      emit({ kind: 'training-changed', training });
      return good(null);
    },
    'training.trash': () =>
      good(
        [...removed.values()].map(({ id, name, machineId, createdAt }) => ({
          ...{ trainingId: id, name, machineId, createdAt },
          bytes: 8_400_000,
        })),
      ),
    'training.delete': ({ trainingId }) => {
      removed.delete(trainingId);
      return good(null);
    },
    'training.curves': ({ trainingId, points }) =>
      of(trainingId, (training) =>
        sampleCurves(training, options.points).map((curve) => thinnedCurve(curve, points ?? 1_000)),
      ),
    'training.gpus': ({ trainingId }) =>
      of(trainingId, ({ machineId, step }) =>
        machineId === 'gpu1' ? sampleGpuCurves((870 * step) / 3_600, 870) : { fromMs: null, gpus: [] },
      ),
    'training.checkpoints': ({ trainingId }) =>
      of(trainingId, (training) =>
        sampleCheckpoints(training).map((one) => {
          const copy = copies.get(one.id);
          return copy === undefined ? one : { ...one, copy };
        }),
      ),
    'training.fetchCheckpoint': ({ trainingId, checkpointId }) => {
      const path = `/home/me/.local/share/mars2-workbench/trainings/${trainingId}/checkpoints/${checkpointId}`;
      copies.set(checkpointId, path);
      return good({ path });
    },
    'training.rollouts': ({ trainingId, agentId, upToStep, limit }) =>
      of(trainingId, (training) =>
        sampleRollouts(training)
          .filter((one) => agentId === undefined || one.agentId === agentId)
          .filter(({ step }) => upToStep === undefined || step <= upToStep)
          .slice(0, limit),
      ),
    'training.evaluation': ({ trainingId }) => of(trainingId, sampleEvaluation),
    'training.sweep': ({ trainingId }) => good(trainingId === 'training-marti' ? sampleSweep() : null),
    'training.serve': () => good({ kind: 'server', serverId: 'server-reader' }),
    'training.member': ({ trainingId, checkpointId }) =>
      of(trainingId, (training) => {
        const checkpoint = sampleCheckpoints(training).find(({ id }) => id === checkpointId);
        if (checkpoint === undefined) throw new Error(`There is no checkpoint ${checkpointId}`);
        return checkpointMember({ training, checkpoint }, []);
      }),
    'training.evaluate': () => good({ studyId: 'study-1' }),
    'recipe.list': () => good({ recipes: [], problems: [] }),
    'experiment.list': () => good([...experiments.values()]),
    'experiment.pause': ({ experimentId }) => changeExperiment(experimentId, { kind: 'paused' }),
    'experiment.resume': ({ experimentId }) => changeExperiment(experimentId, { kind: 'running' }),
    'experiment.remove': ({ experimentId }) => {
      experiments.delete(experimentId);
      emit({ kind: 'experiment-removed', experimentId });
      return good(null);
    },
  };
}
