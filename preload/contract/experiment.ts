import { z } from 'zod';
import { chipsSchema, oddsRatioSchema, seedSpreadSchema } from './analysis';
import { trainingMethodSchema } from './learning';
import { MAX_LABEL, MAX_ROWS } from './plans/experiment-settings';
import { modelTrainingSchema, pocketTrainingSchema, trainingRequestSchema } from './training-spec';

const training = pocketTrainingSchema.shape;

/** Without defaults, which zod keeps under `partial()`: what is left out here is not filled in. */
const changeSchema = z.strictObject({
  updates: training.updates.unwrap().optional(),
  batch: training.batch.unwrap().optional(),
  treesPerRound: training.treesPerRound.unwrap().optional(),
  nodes: training.nodes.unwrap().optional(),
  problems: training.problems.unwrap().optional(),
  rate: training.rate.unwrap().optional(),
  objective: training.objective.unwrap().optional(),
  refinement: training.refinement.unwrap().optional(),
  checkpointEvery: training.checkpointEvery.unwrap().optional(),
  /** Of language models. */
  lora: modelTrainingSchema.shape.lora.unwrap().optional(),
});

/** One row of an experiment: a method for a set of families, repeated over the seeds. */
export const experimentRowSchema = z.strictObject({
  /** e.g. "Heter-MARS²"; unique in its experiment. */
  label: z.string().min(1).max(MAX_LABEL),
  method: trainingMethodSchema,
  /** Pocket families; of an experiment with language models, ids of its agents. */
  families: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/))
    .min(1)
    .max(4),
  /** Where it differs from the experiment's training, e.g. half the updates or shaping off. */
  change: changeSchema.default({}),
});
export type ExperimentRow = z.output<typeof experimentRowSchema>;

/** Trainings side by side: rows x seeds, each trained and then evaluated on the same held-out problems. */
export const experimentRequestSchema = z.strictObject({
  name: z.string().min(1).max(120),
  rows: z.array(experimentRowSchema).min(1).max(MAX_ROWS),
  seeds: z.array(z.number().int().min(0).max(2_147_483_647)).min(1).max(100),
  /** What all rows have in common; method, families and seed come from row and seed. */
  training: changeSchema.extend({ evaluation: training.evaluation.unwrap().optional() }),
  /**
   * Language models instead of pocket policies: the training that every row changes, and where it runs; `training` is then
   * empty. Left out: pocket policies on this computer.
   */
  models: trainingRequestSchema.omit({ name: true }).extend({ spec: modelTrainingSchema }).optional(),
});
export type ExperimentRequest = z.output<typeof experimentRequestSchema>;

export const experimentStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running') }),
  z.object({ kind: z.literal('paused') }),
  z.object({ kind: z.literal('done') }),
  /** Some trainings failed; the others are done. `message` of the first. */
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

/** A learning curve of a row of an experiment. */
export type ExperimentLine = {
  readonly label: string;
  /** Of a training curve; train: of the samples that it learned from. */
  readonly key: string;
  readonly part: 'train' | 'evaluation' | 'other';
  readonly x: 'updates' | 'samples';
  /** How many are in it. */
  readonly seeds: number;
  /** From the lowest to the highest seed. */
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly low: number;
    readonly high: number;
  }[];
};

export const experimentViewSchema = z.object({
  id: z.string(),
  /** Name of the bundle of another lab that it came with: read-only. Left out: the workbench's own. */
  fromBundle: z.string().optional(),
  order: experimentRequestSchema,
  state: experimentStateSchema,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** Trainings that are done, and all of them. */
  done: z.number().int().nonnegative(),
  total: z.number().int().positive(),
  /** null: not known yet. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** In the order of seeds, then rows; `trainingId` null: not begun. */
  trainings: z.array(
    z.object({ label: z.string(), seed: z.number().int(), trainingId: z.string().nullable() }),
  ),
});
export type ExperimentView = z.infer<typeof experimentViewSchema>;

/**
 * pass@1: independent first attempts. pass@1(mcts), pass@n: of a tree of N nodes. da@k: expected number of different
 * algorithms in K correct candidates. zero-advantage: share of training samples without a gradient.
 */
export const experimentMetricSchema = z.enum(['pass@1', 'pass@1(mcts)', 'pass@n', 'da@k', 'zero-advantage']);
export type ExperimentMetric = z.infer<typeof experimentMetricSchema>;

/** Whose metric: one agent alone, the mean over agents alone, or all agents in one tree. */
export const experimentPartSchema = z.enum(['agent', 'alone', 'team']);
export type ExperimentPart = z.infer<typeof experimentPartSchema>;

export const experimentCellSchema = z.object({
  label: z.string(),
  metric: experimentMetricSchema,
  part: experimentPartSchema,
  /** Of `agent` alone. */
  agentId: z.string().nullable(),
  /** Rates in [0, 1], except da@k; the interval is the 95 % bootstrap over seeds and problems. */
  value: z.number(),
  low: z.number(),
  high: z.number(),
  seeds: z.number().int().positive(),
  problems: z.number().int().nonnegative(),
  seedSpread: seedSpreadSchema.optional(),
});
export type ExperimentCell = z.infer<typeof experimentCellSchema>;

export const experimentPairSchema = z.object({
  metric: experimentMetricSchema,
  part: experimentPartSchema,
  /** first minus second, on the problems and seeds that both have. */
  first: z.string(),
  second: z.string(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  /** Two-sided, by a sign-flip test over problems (mean over seeds), and a paired t test over seeds; null: fewer than three seeds. */
  pProblems: z.number().min(0).max(1),
  pSeeds: z.number().min(0).max(1).nullable(),
  /** The larger of both (1: not tested over seeds) after Holm's correction over the pairs of the metric and part. */
  pHolm: z.number().min(0).max(1),
  /** Of the problems' means over the seeds; null: they differ on no problem. */
  oddsRatio: oddsRatioSchema.nullable(),
  /** Of the seeds' own differences; left out: fewer than two seeds. */
  seedSpread: seedSpreadSchema.optional(),
  /** That both have. */
  seeds: z.number().int().positive(),
  problems: z.number().int().positive(),
});
export type ExperimentPair = z.infer<typeof experimentPairSchema>;

export const experimentResultSchema = z.object({
  experimentId: z.string(),
  cells: z.array(experimentCellSchema),
  pairs: z.array(experimentPairSchema),
  /** Samples and updates that each row's agents had, so that equal totals stand beside equal shares. */
  budgets: z.array(
    z.object({
      label: z.string(),
      updatesPerAgent: z.number(),
      samplesPerAgent: z.number(),
      samplesTotal: z.number(),
      seconds: z.number(),
    }),
  ),
  /** What can be said and what cannot, in plain sentences. */
  sentences: z.array(z.string()),
  chips: chipsSchema,
  complete: z.boolean(),
});
export type ExperimentResult = z.infer<typeof experimentResultSchema>;
