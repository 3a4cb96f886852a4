import { z } from 'zod';
import { seedSpreadSchema } from './analysis';

/** What is compared: an evaluation as the trainer logs it, at its last step, or at the step where it is best. */
const sweepMeasureSchema = z.object({
  /** null: of the run, or of no particular agent. */
  agentId: z.string().nullable(),
  /** Of a training curve. */
  key: z.string(),
  of: z.enum(['last', 'best']),
  /** What is best; of losses and the like the lowest value. */
  best: z.enum(['highest', 'lowest']),
});

/** Of one seed that has no number: why, e.g. "has failed". */
const missingSeedSchema = z.object({ seed: z.number().int().nullable(), why: z.string() });

/** The trainings that several values and seeds of a foreign trainer made, a row for each combination of values. */
export const trainingSweepSchema = z.object({
  /** What the trainings are called without values and seed. */
  name: z.string(),
  rows: z.array(
    z.object({
      label: z.string(),
      trainings: z.array(z.object({ trainingId: z.string(), seed: z.number().int().nullable() })),
      /** Trainings that count in no cell. */
      missing: z.array(missingSeedSchema),
    }),
  ),
  measures: z.array(sweepMeasureSchema),
  /** One for each row and measure; `value` null: no seed has it. */
  cells: z.array(
    sweepMeasureSchema.extend({
      label: z.string(),
      value: z.number().nullable(),
      /** 95 % interval over the seeds; null: fewer than two have it. */
      interval: z.object({ low: z.number(), high: z.number() }).nullable(),
      seeds: z.number().int().nonnegative(),
      seedSpread: seedSpreadSchema.optional(),
      /** Trainings that count elsewhere but have not logged this. */
      missing: z.array(missingSeedSchema),
    }),
  ),
  pairs: z.array(
    sweepMeasureSchema.extend({
      /** first minus second, over the seeds that both have. */
      first: z.string(),
      second: z.string(),
      difference: z.number(),
      interval: z.object({ low: z.number(), high: z.number() }).nullable(),
      /** The difference in standard deviations of the seeds' own differences; null: fewer than two, or no spread. */
      effect: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
      /** Paired t test over the seeds; null: fewer than three, or no spread. */
      pSeeds: z.number().min(0).max(1).nullable(),
      /** After Holm's correction over the pairs of the measure; 1: not tested. */
      pHolm: z.number().min(0).max(1),
      seeds: z.number().int().positive(),
      seedSpread: seedSpreadSchema.optional(),
    }),
  ),
  /** What the numbers are and are not, a sentence each. */
  sentences: z.array(z.string()),
});
export type TrainingSweep = z.infer<typeof trainingSweepSchema>;
export type SweepMeasure = z.infer<typeof sweepMeasureSchema>;
export type SweepCell = TrainingSweep['cells'][number];
