import type { TrainingMethod } from '../learning';
import type { Objective } from '../objective';
import type { ModelTraining, PocketTraining, TrainingSpec } from '../training-spec';

type TrainingMethodInfo = {
  readonly id: TrainingMethod;
  readonly name: string;
  /** How the agents learn, in a sentence. */
  readonly line: string;
  /** Fewest families that it makes sense for. */
  readonly families: 1 | 2;
  /** Not from the papers: ours, to show where a gain comes from. */
  readonly isControl: boolean;
};

/** Every method of a pocket training, as the papers order them; the controls last. */
export const TRAINING_METHODS: readonly TrainingMethodInfo[] = [
  {
    id: 'base',
    name: 'Base',
    line: 'Nobody learns: the agents are evaluated as they were pre-trained.',
    families: 1,
    isControl: false,
  },
  {
    id: 'grpo',
    name: 'Vanilla GRPO',
    line: 'Each agent alone: its group is so many independent first attempts at one problem.',
    families: 1,
    isControl: false,
  },
  {
    id: 'rs2',
    name: 'RS²',
    line: 'Each agent alone in its own search trees: its group is all nodes of a tree.',
    families: 1,
    isControl: false,
  },
  {
    id: 'homo-mars2',
    name: 'Homo-MARS²',
    line: 'Each agent alone, but in two roles, solver and refiner, which share its trees and its weights.',
    families: 1,
    isControl: false,
  },
  {
    id: 'heter-mars2',
    name: 'Heter-MARS²',
    line: 'All agents share trees; each has its own weights and learns from the nodes that it wrote.',
    families: 2,
    isControl: false,
  },
  {
    id: 'grpo-all-wrong',
    name: 'GRPO, all-wrong groups count',
    line: 'Vanilla GRPO, but the samples of a group in which all fail have a negative advantage instead of none.',
    families: 1,
    isControl: true,
  },
  {
    id: 'mixed-groups',
    name: 'Mixed groups',
    line: 'First attempts of all agents make one group, without trees: no agent sees the programs of another.',
    families: 2,
    isControl: true,
  },
];

export function trainingMethodOf(id: TrainingMethod): TrainingMethodInfo {
  const method = TRAINING_METHODS.find((method) => method.id === id);
  if (method === undefined) throw new Error(`No training method ${id}`);
  return method;
}

/** Pocket policies that can be trained, as main knows them. */
export const TRAINING_FAMILIES: readonly { readonly id: string; readonly line: string }[] = [
  {
    id: 'reader',
    line: 'Reads the words in order and compares the examples; was never taught squares, running values or pairs of lists.',
  },
  {
    id: 'tracer',
    line: 'Reads a bag of words and follows what its program does; was never taught to cut a list or keep a part of it.',
  },
  { id: 'weak', line: 'Reads the words alone, and was pre-trained with half of the tasks.' },
  {
    id: 'reader-large',
    line: 'As the reader, but pre-trained with twice the tasks, squares among them: clearly stronger.',
  },
  {
    id: 'tracer-large',
    line: 'As the tracer, but pre-trained with twice the tasks, cuts of a list among them: clearly stronger.',
  },
];

/** The objective as the papers have it: what objectiveSchema fills in. */
export const PLAIN_OBJECTIVE: Objective = {
  shaping: { strength: 0.5, siblingShare: 0.5, shapedParent: false },
  group: 'tree',
  allWrongAdvantage: 0,
  ratio: 'sequence',
  clip: { low: 0.2, high: 0.2 },
  importanceCap: 2,
  kl: { estimator: 'k3', coefficient: 0.001 },
  overlong: null,
  filter: null,
};

/** A pocket training as pocketTrainingSchema fills it in. */
export const PLAIN_POCKET_TRAINING: Omit<PocketTraining, 'kind' | 'method' | 'families'> = {
  seed: 1,
  updates: 300,
  batch: 128,
  treesPerRound: 16,
  nodes: 8,
  problems: 1_000,
  rate: 0.03,
  objective: PLAIN_OBJECTIVE,
  refinement: true,
  checkpointEvery: 100,
  evaluation: { split: 'test', problems: 100, nodes: 60, samples: 16, every: 0 },
};

/** A model training as modelTrainingSchema fills it in. */
export const PLAIN_MODEL_TRAINING: Omit<ModelTraining, 'kind' | 'method' | 'agents' | 'problems'> = {
  lora: { rank: 16, alpha: 32 },
  seed: 1,
  updates: 20,
  batch: 32,
  treesPerRound: 8,
  nodes: 8,
  rate: 1e-5,
  objective: PLAIN_OBJECTIVE,
  oldFrom: 'recomputed',
  refinement: true,
  checkpointEvery: 10,
  evaluation: { problems: 20, nodes: 16, samples: 8, every: 0, on: null },
  python: 'python3',
  device: 'auto',
  dtype: 'float32',
  processes: 1,
  threads: null,
};

/** Limits of the agents of a model training, as modelTrainingSchema has them (a test compares them). */
export const MODEL_AGENT_LIMITS = {
  agents: [1, 4],
  id: /^[a-z0-9][a-z0-9-]{0,40}$/,
  model: 4_096,
  maxTokens: [1, 1_000_000],
} as const;

/** Trained by the workbench's own loop: pocket policies, and language models with a learner. */
export function isOwnTraining(spec: TrainingSpec): spec is PocketTraining | ModelTraining {
  return spec.kind === 'pocket' || spec.kind === 'model';
}

/** In the place of the updates of a training that makes none. */
export const NOT_TRAINED = 'not trained';

/** Base: its policies are evaluated as they were before any training. */
export function isUntrained(spec: TrainingSpec): boolean {
  return isOwnTraining(spec) && spec.method === 'base';
}

/**
 * Is it measured on problems that it never saw? Exhibits measure by searches; until they could ask for no evaluation
 * they asked for one of a single program, which says nothing.
 */
export function isEvaluatedAtEnd(spec: TrainingSpec): boolean {
  if (!isOwnTraining(spec)) return true;
  const { problems, nodes, samples } = spec.evaluation;
  return problems > 0 && problems * nodes * samples > 1;
}

/** Do its evaluations give a line, with a point before its end? Of trainings of others only their curves tell. */
export function isEvaluatedOnTheWay(spec: TrainingSpec): boolean {
  if (!isOwnTraining(spec)) return true;
  const isBefore = spec.kind === 'model' && spec.evaluation.before === true;
  return spec.evaluation.every > 0 || isBefore;
}

/** How many programs a training of our own writes: to learn, in evaluations before its end (of how many), and in the final one. */
export function trainingPrograms(spec: PocketTraining | ModelTraining) {
  const { method, updates, batch, evaluation } = spec;
  const { problems, nodes, samples, every } = evaluation;
  const agents = spec.kind === 'pocket' ? spec.families.length : spec.agents.length;
  const { before = every > 0 } = spec.kind === 'model' ? spec.evaluation : {};
  const duringTraining = (before ? 1 : 0) + (every > 0 ? Math.ceil(updates / every) - 1 : 0);
  const evaluations = method === 'base' || problems === 0 ? 0 : duringTraining;
  const attempts = problems * samples * agents;
  const trees = agents > 1 ? agents + 1 : 1;
  return {
    learned: method === 'base' ? 0 : agents * updates * batch,
    evaluations,
    evaluated: evaluations * attempts,
    final: problems * nodes * trees + attempts,
  };
}

/**
 * Seed of the pocket problems that trainings are evaluated on; used for no other list of problems, so that nothing was
 * selected on these. Problems of another seed have the same ids and are others.
 */
export const HELD_OUT_SEED = 5;

/** Where the problems of an evaluation come from: "the test split (problem seed 5)", or a benchmark by its id. */
export function heldOutPart(split: string, spec: TrainingSpec): string {
  if (spec.kind !== 'model') return `the ${split} split (problem seed ${HELD_OUT_SEED})`;
  return (spec.evaluation.on ?? spec.problems).benchmarkId;
}

/**
 * What a training's Pass@1 is called. evaluation: of first attempts at problems that it never saw, n of them; train: of
 * those among the samples that it learned from last.
 */
export function passOneLabel(part: 'train' | 'evaluation', spec: TrainingSpec): string {
  if (part === 'train') return 'Training Pass@1';
  return isOwnTraining(spec) ? `Pass@1, n = ${spec.evaluation.problems}` : 'Pass@1';
}
