import { z } from 'zod';
import { jobResourcesSchema } from './job';
import { learningEvaluationSchema, learningSchema } from './learning';

/** Of a pocket training; its problems are generated. */
export const trainingEvaluationPlanSchema = z.strictObject({
  split: z.enum(['validation', 'test']).default('test'),
  ...learningEvaluationSchema.shape,
});

/** A pocket policy family's name; main knows which there are. */
const family = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

const learning = learningSchema.shape;

/** Its fields keep this order: trainings are told apart by the text of their specs. */
export const pocketTrainingSchema = z.strictObject({
  kind: z.literal('pocket'),
  method: learning.method,
  /** One agent each, in this order. */
  families: z.array(family).min(1).max(4),
  seed: learning.seed,
  updates: learning.updates,
  batch: learning.batch,
  treesPerRound: learning.treesPerRound,
  nodes: learning.nodes,
  /** Different problems of the train split. */
  problems: z.number().int().min(1).max(5_000).default(1_000),
  rate: learning.rate.default(0.03),
  objective: learning.objective,
  refinement: learning.refinement,
  checkpointEvery: learning.checkpointEvery,
  evaluation: trainingEvaluationPlanSchema.default(() => trainingEvaluationPlanSchema.parse({})),
});
export type PocketTraining = z.output<typeof pocketTrainingSchema>;

/** A value of a flag of a trainer's command, as in the form. */
export const flagValueSchema = z.union([z.string().max(20_000), z.number(), z.boolean()]);

export const martiAgentSchema = z.strictObject({
  /** Folder of the model on the machine, or its name at the hub. */
  model: z.string().min(1).max(4_096),
  role: z.string().max(60).default('generator'),
  isReasoning: z.boolean().default(false),
});

/** MARTI on Ray (spec: docs/training.md). Paths are on the machine. */
export const martiTrainingSchema = z.strictObject({
  kind: z.literal('marti'),
  /** grpo: one model, no tree; single: RS²; shared: one model in several roles; multi: independent models. */
  preset: z.enum(['grpo', 'single', 'shared', 'multi']),
  /** Folder of the MARTI repository. */
  checkout: z.string().min(1).max(4_096),
  /** Python that has MARTI's packages, e.g. "/opt/envs/marti/bin/python3". */
  python: z.string().min(1).max(4_096).default('python3'),
  agents: z.array(martiAgentSchema).min(1).max(8),
  /** Folder with train and test JSON(L) files. */
  data: z.string().min(1).max(4_096),
  /** Folder for logs, TensorBoard, workflow files and checkpoints; made where it is missing. */
  output: z.string().min(1).max(4_096),
  /** null: the program starts Ray by itself on one node; else the address of a cluster that runs. */
  rayAddress: z.string().max(200).nullable().default(null),
  /** Where they differ from the preset (preload/contract/plans/marti-flags.ts), by flag without dashes. */
  flags: z.record(z.string().regex(/^[a-z0-9_.]{1,60}$/i), flagValueSchema).default({}),
  /** Behind the generated arguments, as for a shell. */
  extraArguments: z.string().max(4_000).default(''),
});
export type MartiTraining = z.output<typeof martiTrainingSchema>;

/** Another trainer by a template of a command. */
export const recipeTrainingSchema = z.strictObject({
  kind: z.literal('recipe'),
  recipeId: z.string().min(1).max(80),
  /** By the recipe's field. */
  values: z.record(z.string(), z.string().max(20_000)).default({}),
  extraArguments: z.string().max(4_000).default(''),
});
export type RecipeTraining = z.output<typeof recipeTrainingSchema>;

export const trainingSpecSchema = z.discriminatedUnion('kind', [
  pocketTrainingSchema,
  martiTrainingSchema,
  recipeTrainingSchema,
]);
export type TrainingSpec = z.output<typeof trainingSpecSchema>;

/** What a person orders: where, with what, and which training. */
export const trainingRequestSchema = z.strictObject({
  name: z.string().min(1).max(120),
  machineId: z.string().min(1),
  spec: trainingSpecSchema,
  /** Runs before the command there, e.g. "source ~/envs/marti/bin/activate". */
  setUp: z.string().max(20_000).default(''),
  /** No secrets: it is written to disk. */
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(10_000)).default({}),
  /** `gpus` 0 lets a MARTI preset say how many it needs. */
  resources: jobResourcesSchema.default(() => jobResourcesSchema.parse({})),
});
export type TrainingRequest = z.output<typeof trainingRequestSchema>;
