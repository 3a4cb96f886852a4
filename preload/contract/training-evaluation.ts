import { z } from 'zod';
import { oddsRatioSchema } from './analysis';

/** First attempts of an agent at a problem, independent of each other, and how many pass all its tests. */
export const sampleCountSchema = z.object({
  agentId: z.string(),
  count: z.number().int(),
  passed: z.number().int(),
});
export type SampleCount = z.infer<typeof sampleCountSchema>;

/** A problem's first attempts, by agent. */
export const passCountSchema = z.object({ problemId: z.string(), samples: z.array(sampleCountSchema) });
export type PassCount = z.infer<typeof passCountSchema>;

/** The results per problem: which agents answered, and how each did. */
export const teamEvaluationSchema = z.object({
  /** Agents that shared the trees; one: alone. */
  agentIds: z.array(z.string()).min(1),
  nodes: z.number().int().positive(),
  problems: z.array(
    z.object({
      problemId: z.string(),
      samples: z.array(sampleCountSchema),
      /** The chosen node of the tree passes; some node passes; different programs among its nodes. */
      chosenPasses: z.boolean(),
      somePasses: z.boolean(),
      distinctPrograms: z.number().int(),
      /** Sizes of the clusters of correct candidates by algorithm, largest first. */
      algorithms: z.array(z.number().int().positive()),
    }),
  ),
});
export type TeamEvaluation = z.infer<typeof teamEvaluationSchema>;

/** Pass@1 of an agent alone before and after its training, on the same problems; shares in [0, 1]. */
export const trainingGainSchema = z.object({
  agentId: z.string(),
  problems: z.number().int().positive(),
  before: z.number(),
  after: z.number(),
  /** Mean of after - before over problems, and its 95 % interval, paired over problems. */
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  /** Problems on which it does better after for each on which it did before; null: they differ on none. */
  oddsRatio: oddsRatioSchema.nullable(),
});
export type TrainingGain = z.infer<typeof trainingGainSchema>;

export const trainingEvaluationSchema = z.object({
  split: z.string(),
  seed: z.number().int(),
  /** Each agent alone, in order, then the team where it has more than one. */
  teams: z.array(teamEvaluationSchema),
  /** First attempts of each agent at the same problems before the first update; left out: not measured. */
  before: z.array(passCountSchema).optional(),
});
export type TrainingEvaluation = z.infer<typeof trainingEvaluationSchema>;

/** A mean over this many problems with its 95 % interval; shares in [0, 1]. */
export const trainingRateSchema = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  problems: z.number().int().positive(),
});
export type TrainingRate = z.infer<typeof trainingRateSchema>;

/** Of one entry of `teams`. null: it has no such values. */
export const teamRatesSchema = z.object({
  /** For a team: the mean over its agents. */
  passOne: trainingRateSchema.nullable(),
  passOneSearch: trainingRateSchema.nullable(),
  passAny: trainingRateSchema.nullable(),
});

/** An evaluation as it is shown and exported: with what is computed of it. */
export const trainingEvaluationViewSchema = trainingEvaluationSchema.extend({
  /** In the order of `teams`. */
  rates: z.array(teamRatesSchema),
  /** Empty: nothing was measured before the training. */
  gains: z.array(trainingGainSchema),
  /** Belongs beside every comparison of the team with its agents alone; null: nothing does. */
  caution: z.string().nullable(),
});
export type TrainingEvaluationView = z.infer<typeof trainingEvaluationViewSchema>;
