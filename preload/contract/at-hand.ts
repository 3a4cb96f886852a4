import { z } from 'zod';
import { scaleSchema } from './scale';

const trainingId = z.string().min(1).max(200);

/** Finished trainings at hand, one per seed, each by its id or the first letters of it; one alone needs no list. */
export const trainingsAtHandSchema = z.union([trainingId, z.array(trainingId).min(1).max(20)]);

/** Facts about the runs or trainings at hand behind a cell or a line. */
export const atHandSchema = z.object({
  scale: scaleSchema,
  /** Empty: not known, as of a training whose seed only its trainer knows. */
  seeds: z.array(z.number().int()),
  /** Ids of benchmarks; of trainings what they were evaluated on, e.g. "the pocket validation split". */
  benchmarks: z.array(z.string()),
  models: z.array(z.string()),
  /** How they searched, and the nodes of each tree; left out: of trainings. */
  searches: z.array(z.object({ name: z.string(), nodes: z.number().int().positive() })).optional(),
  /** Left out: not known. */
  problems: z.number().int().optional(),
  /** Of a line over trainings, in the order of their seeds; `seed` null: not known. */
  trainings: z
    .array(z.object({ id: z.string(), name: z.string(), seed: z.number().int().nullable() }))
    .optional(),
});
export type AtHand = z.infer<typeof atHandSchema>;

/** What limits a table or figure so much that it is said wherever it is shown. */
export const exhibitCautionSchema = z.object({
  /**
   * damaged: a journal of a run is; missing: not all of it is filled; tests, searches: its rows are graded, search otherwise;
   * looks: a study was extended after its results.
   */
  kind: z.enum(['damaged', 'missing', 'tests', 'searches', 'looks']),
  text: z.string(),
  /** For a figure; left out: `text`. */
  short: z.string().optional(),
  /** The study whose values it limits; left out: all are. */
  studyId: z.string().optional(),
});
export type ExhibitCaution = z.infer<typeof exhibitCautionSchema>;
