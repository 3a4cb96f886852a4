import {
  type Exhibit,
  LOCAL_MACHINE,
  type MartiTraining,
  type PaperSettings,
  type PocketTraining,
  pocketTrainingSchema,
  ROLES,
  TRAINING_METHODS,
  type TrainingMethod,
  type TrainingRequest,
  trainingMethodOf,
  trainingRequestSchema,
} from '../../../../preload/contract';
import type { TrainingGroup } from './models';

/** Minimal evaluation: searches measure the results. */
const NO_EVALUATION = { split: 'validation', problems: 0, nodes: 1, samples: 1, every: 0 } as const;
/** Points of a learning curve where the exhibit does not say how far apart they are. */
const CURVE_POINTS = 10;
/** First attempts per problem at each point of it. */
const CURVE_SAMPLES = 4;

type PocketScale = NonNullable<Exhibit['scales']['pocket']>;

/** A pocket training that ends with a checkpoint; `curve`: and is evaluated on the way. */
export function pocketTraining(
  { method, models }: TrainingGroup,
  seed: number,
  { training, benchmark }: PocketScale,
  curve: boolean,
): PocketTraining {
  const { evaluation, ...change } = training;
  const families = models.map(({ pocket }) => pocket?.family ?? '');
  const plain = pocketTrainingSchema.parse({ kind: 'pocket', method, families, seed, ...change });
  const every = Math.max(1, Math.round(plain.updates / CURVE_POINTS));
  const duringTraining = {
    split: evaluation?.split ?? benchmark.split,
    problems: evaluation?.problems ?? benchmark.problems,
    // Pass@1 alone is what a curve shows; trees are left to the searches.
    nodes: 1,
    samples: evaluation === undefined ? CURVE_SAMPLES : evaluation.samples,
    every: evaluation === undefined || evaluation.every === 0 ? every : evaluation.every,
  };
  return {
    ...plain,
    checkpointEvery: change.checkpointEvery ?? plain.updates,
    evaluation: curve ? duringTraining : NO_EVALUATION,
  };
}

export function pocketTrainingRequest(name: string, spec: PocketTraining): TrainingRequest {
  return trainingRequestSchema.parse({ name, machineId: LOCAL_MACHINE, spec });
}

/** Controls of ours that no script of MARTI's trains. */
const PRESET_OF: Readonly<Record<TrainingMethod, MartiTraining['preset'] | null>> = {
  base: null,
  grpo: 'grpo',
  rs2: 'single',
  'homo-mars2': 'shared',
  'heter-mars2': 'multi',
  'grpo-all-wrong': null,
  'mixed-groups': null,
};

export function martiPreset(method: TrainingMethod): MartiTraining['preset'] | null {
  return PRESET_OF[method];
}

/** How the released MARTI departs from a method that it has a script for; left out: it does not. */
const MARTI_MAKES: Partial<Record<TrainingMethod, string>> = {
  grpo: 'mixes answers to different problems in one group, so their advantage is not that of GRPO',
  'homo-mars2': 'makes one agent of all roles and sends no role prompt, so it trains RS² in its place',
  'heter-mars2':
    'passes no parents on, so its reward shaping changes nothing: it trains MARS² without shaping',
};

/** What trains at paper scale. */
export function trainerOf({ trainer, martiCheckout }: PaperSettings): 'own' | 'marti' {
  return trainer ?? (martiCheckout === null ? 'own' : 'marti');
}

/** The reason why the released MARTI cannot fill a cell of this method, in sentences; null: it can. */
export function notByMartiReason(method: TrainingMethod): string | null {
  const { name } = trainingMethodOf(method);
  const makes = MARTI_MAKES[method];
  return makes === undefined
    ? null
    : `${name} is not started: MARTI as released ${makes} (docs/training.md, "MARTI on Ray"). Name checkpoints that were trained by ${name} to measure it.`;
}

/** The same for a training that is planned or done already. */
export function martiOutputNote({ preset }: MartiTraining): string | null {
  const method = TRAINING_METHODS.find(({ id }) => martiPreset(id) === preset);
  const makes = method === undefined ? undefined : MARTI_MAKES[method.id];
  return makes === undefined ? null : `MARTI as released ${makes}.`;
}

/**
 * Optimiser steps between two checkpoints that can be served. MARTI's own values, 1 to 20, would write some terabytes,
 * since it never deletes checkpoints.
 */
export const SAVE_STEPS = 50;
/** Stands for a path that is not set; such a plan is not started. */
const NOT_SET = 'not set';

/** As in MARTI's scripts, except for seed, GPUs and checkpoints. `gpusPerAgent`: 1, 2, 4 or 8, on one node. */
export function martiTraining(
  { method, models }: TrainingGroup,
  seed: number,
  settings: PaperSettings,
  gpusPerAgent: number,
): MartiTraining | null {
  const preset = martiPreset(method);
  if (preset === null) return null;
  const agents = models.map(({ id, paper }) => settings.weights[id] ?? paper?.hub ?? id);
  const [first = ''] = agents;
  const folder = `${method}-${models.map(({ id }) => id).join('+')}-${seed}`;
  return {
    kind: 'marti',
    preset,
    checkout: settings.martiCheckout ?? NOT_SET,
    python: settings.martiPython,
    agents:
      preset === 'shared'
        ? ROLES.map(({ name }) => ({ model: first, role: name, isReasoning: false }))
        : agents.map((model) => ({ model, role: 'generator', isReasoning: false })),
    data: settings.trainingData ?? NOT_SET,
    output: `${(settings.trainingOutput ?? NOT_SET).replace(/(?<!\/)\/+$/, '')}/${folder}`,
    rayAddress: null,
    flags: {
      seed,
      save_steps: SAVE_STEPS,
      actor_num_gpus_per_node: gpusPerAgent,
      ref_num_gpus_per_node: gpusPerAgent,
      // Engines and training take turns on the same GPUs, so their numbers must be equal.
      vllm_num_engines: gpusPerAgent,
      vllm_tensor_parallel_size: 1,
    },
    extraArguments: '',
  };
}
