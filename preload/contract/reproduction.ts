import { z } from 'zod';
import { amountSchema, exhibitSchema } from './exhibit';
import { environmentSchema } from './launch';
import { trainingMethodSchema } from './learning';

/** What only the lab knows about a reproduction at paper scale. Paths are on the machines. */
export const paperSettingsSchema = z.strictObject({
  /** Weights by the exhibit's model id: a folder, or a name at the hub; left out: the exhibit's hub name. */
  weights: z.record(z.string(), z.string().min(1).max(4_096)).default({}),
  /** Checkpoints that are there already, so that nothing need be trained for them. */
  checkpoints: z
    .array(
      z.strictObject({
        modelId: z.string().min(1),
        method: trainingMethodSchema,
        /** All models of its training, itself among them. */
        trainedWith: z.array(z.string().min(1)).min(1),
        path: z.string().min(1).max(4_096),
      }),
    )
    .default([]),
  /** own: our trainer. marti: MARTI as released. Left out, of older orders: MARTI where its folder is set, else own. */
  trainer: z.enum(['own', 'marti']).optional(),
  /** Benchmark of the library that our trainer trains on; null: not set, so it cannot train. */
  trainingBenchmark: z.string().min(1).max(120).nullable().default(null),
  /** Python of our trainer: torch, transformers and peft. */
  learnerPython: z.string().min(1).max(4_096).default('python3'),
  /** Of each agent by our trainer. The papers do not say how many they made. */
  updates: z.number().int().min(1).max(100_000).default(300),
  /** Folder of the MARTI repository; null: not set, so MARTI cannot train. */
  martiCheckout: z.string().min(1).max(4_096).nullable().default(null),
  martiPython: z.string().min(1).max(4_096).default('python3'),
  /** Folder of the training data, and one for what trainings write. */
  trainingData: z.string().min(1).max(4_096).nullable().default(null),
  trainingOutput: z.string().min(1).max(4_096).nullable().default(null),
  /** Where vLLM is found. */
  environment: environmentSchema.default({ kind: 'path' }),
  gpusPerServer: z.number().int().min(1).max(16).default(1),
});
export type PaperSettings = z.output<typeof paperSettingsSchema>;

export const reproductionRequestSchema = z.strictObject({
  exhibitId: z.string().min(1),
  scale: z.enum(['pocket', 'paper']),
  /** Left out: the exhibit's. */
  seeds: z.array(z.number().int().min(0).max(2_147_483_647)).min(1).max(20).optional(),
  /** Only this many of its first problems; fewer than the exhibit's make values not comparable. */
  problems: z.number().int().min(1).max(10_000).optional(),
  /** Only what these cells need ("row.column" or a series' id); left out: all. */
  only: z.array(z.string().min(1)).min(1).optional(),
  /** Machines that may be used; left out: all. */
  machineIds: z.array(z.string().min(1)).min(1).optional(),
  paper: paperSettingsSchema.default(() => paperSettingsSchema.parse({})),
});
export type ReproductionRequest = z.output<typeof reproductionRequestSchema>;

/** train -> serve -> search -> grade -> metrics -> cell. */
export const stepKindSchema = z.enum(['train', 'serve', 'search', 'grade', 'metrics', 'cell']);
export type StepKind = z.infer<typeof stepKindSchema>;

/** A place of the paper settings that settles what is missing. */
export const missingFieldSchema = z.enum([
  'trainingBenchmark',
  'martiCheckout',
  'trainingData',
  'trainingOutput',
  'checkpoints',
]);
export type MissingField = z.infer<typeof missingFieldSchema>;

/** Something that stands in the way. */
export const missingSchema = z.object({
  /** e.g. "No machine has 8 free GPUs of 80 GiB." */
  what: z.string(),
  /** e.g. "Add a GPU machine." */
  todo: z.string(),
  /** Where the window goes to do it; null: nowhere. */
  address: z.string().nullable(),
  /** What the order itself can name instead: its key in a file of places, and its field in the window. */
  field: missingFieldSchema.optional(),
  /** The name in `what`, where the same may be said of several. */
  subject: z.string().optional(),
});
export type Missing = z.infer<typeof missingSchema>;

export const planStepSchema = z.object({
  /** Unique in its plan, and the same for the same order, e.g. "train:heter-mars2:qwen3-8b+areal-8b:11". */
  id: z.string(),
  kind: stepKindSchema,
  /** e.g. "Train Heter-MARS², Qwen3-8B + AReaL-8B, seed 11". */
  title: z.string(),
  /** One more line: sizes, the exact model, the command's gist. */
  detail: z.string(),
  /** Steps that must be done first. */
  needs: z.array(z.string()),
  /** Ids of the exhibit's configurations that it serves. */
  configurations: z.array(z.string()),
  seed: z.number().int().nullable(),
  /** Where it runs; null: nowhere in particular, or no machine can. */
  machineId: z.string().nullable(),
  /** Searches of one wave have their servers up together; waves follow each other. */
  wave: z.number().int().nonnegative(),
  /** Why it need not be run, in a line; null: it is run. */
  reuse: z.string().nullable(),
  missing: z.array(missingSchema),
  estimate: amountSchema,
});
export type PlanStep = z.infer<typeof planStepSchema>;

export const reproductionPlanSchema = z.object({
  order: reproductionRequestSchema,
  exhibitDigest: z.string(),
  /** Each after all that it needs. */
  steps: z.array(planStepSchema),
  /** Totals of what is run; `seconds` of wall time, with what may run side by side. */
  estimate: amountSchema,
  /** Where several seeds are run: the first, and what it alone would take. */
  oneSeed: z.object({ seed: z.number().int(), note: z.string() }).optional(),
  diskBytes: z.number().nonnegative().nullable(),
  /** How often a model is loaded into memory. */
  modelLoads: z.number().int().nonnegative(),
  /** Everything that is missing, once each. Empty: it can start. */
  missing: z.array(missingSchema),
  /** What estimates go by, how machines were chosen, what is not measured at this scale. */
  notes: z.array(z.string()),
});
export type ReproductionPlan = z.infer<typeof reproductionPlanSchema>;

export const stepStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned') }),
  /** `why`: what it waits for, in words. */
  z.object({ kind: z.literal('waiting'), why: z.string() }),
  z.object({ kind: z.literal('running'), share01: z.number().min(0).max(1).nullable() }),
  z.object({ kind: z.literal('done'), reused: z.boolean() }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().nullable() }),
  /** Something that it needs has failed. */
  z.object({ kind: z.literal('blocked'), by: z.string() }),
]);
export type StepState = z.infer<typeof stepStateSchema>;

export const reproductionStepSchema = planStepSchema.extend({
  state: stepStateSchema,
  /** What does it, once it has begun. */
  trainingId: z.string().nullable(),
  studyId: z.string().nullable(),
  runId: z.string().nullable(),
  serverIds: z.array(z.string()),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** What it took. */
  took: amountSchema,
});
export type ReproductionStep = z.infer<typeof reproductionStepSchema>;

export const reproductionStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running') }),
  /** Steps that had begun are stopped so that they can be resumed. */
  z.object({ kind: z.literal('pausing') }),
  z.object({ kind: z.literal('paused') }),
  z.object({ kind: z.literal('done') }),
  /** Some steps failed; everything else is done. */
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

export const reproductionViewSchema = z.object({
  id: z.string(),
  order: reproductionRequestSchema,
  /** Of the exhibit as it was when this was ordered. */
  title: z.string(),
  exhibitDigest: z.string(),
  scale: z.enum(['pocket', 'paper']),
  state: reproductionStateSchema,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  steps: z.array(reproductionStepSchema),
  /** Steps that are done, reused ones among them, and all. */
  done: z.number().int().nonnegative(),
  total: z.number().int().nonnegative(),
  /**
   * How much of the work is done, as every place shows it. `time`: by the time that steps took or are expected to take, so that
   * it goes with `secondsLeft`; `steps`: an expectation is missing, so that every step counts alike.
   */
  progress: z.object({ share01: z.number().min(0).max(1), of: z.enum(['time', 'steps']) }),
  /** null: too little is known. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** From a bundle of another lab: read-only. */
  readOnly: z.boolean(),
  /** For such a bundle: its exhibit, if the other lab has entered values of the paper, which only they have. */
  entered: exhibitSchema.optional(),
});
export type ReproductionView = z.infer<typeof reproductionViewSchema>;

/** A record of what was decided and why, oldest first. */
export const reproductionDecisionSchema = z.object({
  at: z.string(),
  stepId: z.string().nullable(),
  /** e.g. "Reused the training of 09:12: same method, families, seed and sizes." */
  text: z.string(),
});
export type ReproductionDecision = z.infer<typeof reproductionDecisionSchema>;
