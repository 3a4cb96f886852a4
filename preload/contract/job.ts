import { z } from 'zod';

/** The resources that a job requests on its machine. */
export const jobResourcesSchema = z.strictObject({
  /** How many GPUs; 0 for none. */
  gpus: z.number().int().min(0).max(64).default(0),
  /** Exactly these (UUIDs); null lets the workbench (or Slurm) choose. */
  gpuIds: z.array(z.string().min(1)).nullable().default(null),
  /** Least free memory of each GPU, MiB; null asks for an unused GPU. */
  gpuMemoryMib: z.number().int().positive().nullable().default(null),
  /** Slurm alone: null leaves it to the machine's defaults. */
  minutes: z.number().int().positive().nullable().default(null),
  partition: z.string().nullable().default(null),
  account: z.string().nullable().default(null),
  /** Slurm alone: further options of sbatch, behind the machine's own. */
  slurmOptions: z.string().max(1_000).nullable().default(null),
});
export type JobResources = z.infer<typeof jobResourcesSchema>;

/** How often a job that failed is started again by itself. 0: never. */
export const retryPolicySchema = z.strictObject({
  /** After an end without an exit code, or with 137 (SIGKILL): the machine was restarted, something killed it. */
  lost: z.number().int().min(0).max(20).default(0),
  /** After an exit code other than 0. */
  failed: z.number().int().min(0).max(20).default(0),
});

/** Of the environment, by name. */
export const variablesSchema = z.record(
  z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'is not a variable name: use letters, digits and _, not starting with a digit'),
  z.string().max(10_000),
);

export const jobRequestSchema = z.strictObject({
  machineId: z.string().min(1),
  /** What people call it. */
  name: z.string().min(1).max(120),
  /** A line for /bin/sh on the machine. */
  commandLine: z.string().min(1).max(20_000),
  /** Runs before the command, its output apart; e.g. "module load cuda". Empty: nothing. */
  setUp: z.string().max(20_000).default(''),
  /** Working folder there; null is the job's own folder. */
  cwd: z.string().max(4_096).nullable().default(null),
  /** Added to the environment there. Is written to disk: no secrets. */
  env: variablesSchema.default({}),
  resources: jobResourcesSchema.default(() => jobResourcesSchema.parse({})),
  retry: retryPolicySchema.default(() => retryPolicySchema.parse({})),
});
export type JobRequest = z.output<typeof jobRequestSchema>;

/** Derived from the job's files and the process table (or Slurm) at each probe. Times are ISO dates. */
export const jobStateSchema = z.discriminatedUnion('kind', [
  /** Waits for GPUs here, or in Slurm's queue; `why` in words. */
  z.object({ kind: z.literal('queued'), why: z.string() }),
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('running'), pid: z.number().int().nullable() }),
  /** `code` is null when it was killed before one could be written. */
  z.object({
    kind: z.literal('exited'),
    code: z.number().int().nullable(),
    endedAt: z.string(),
    /** Somebody cancelled it in Slurm, not here. */
    isCancelled: z.boolean().optional(),
  }),
  /** Gone without an exit code; `why` in words: the machine was restarted, something killed it. */
  z.object({ kind: z.literal('lost'), why: z.string() }),
  /** The machine does not answer: the job may run or not. `last` is what was seen before. */
  z.object({
    kind: z.literal('unknown'),
    since: z.string(),
    last: z.enum(['queued', 'starting', 'running']),
  }),
]);
export type JobState = z.infer<typeof jobStateSchema>;

/** One line of a job's timeline. */
export const jobTimelineEntrySchema = z.object({
  /** ISO date. */
  at: z.string(),
  /** e.g. "running" */
  what: z.string(),
  /** Why, in words; empty where it needs none. */
  why: z.string(),
});
export type JobTimelineEntry = z.infer<typeof jobTimelineEntrySchema>;

/** The part of a log that was left out because the log reached its limit: the bytes from `from` to before `to`. */
export const leftOutSchema = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().positive(),
  /** Line ends in it. */
  lines: z.number().int().nonnegative(),
  /** The limit, in bytes kept. */
  limitBytes: z.number().int().positive(),
  /** The disk could not free a part of a file: lines behind this part may be missing too, where the file was cut. */
  isCut: z.boolean(),
  /** A copy of the log's newest part is read, which does not have it; `limitBytes` is that of copies. */
  isCopy: z.boolean().optional(),
});
export type LeftOutPart = z.infer<typeof leftOutSchema>;

export const jobViewSchema = z.object({
  id: z.string(),
  machineId: z.string(),
  name: z.string(),
  /** e.g. "command", "model-server", "training" */
  purpose: z.string(),
  /**
   * What it was started for, where that was no person: a study by its id, or a step of a reproduction
   * ("reproduction:ID/STEP"). Left out: a person, a training, or not noted, of an older record.
   */
  owner: z.string().optional(),
  commandLine: z.string(),
  setUp: z.string(),
  cwd: z.string().nullable(),
  /** Its own folder there, absolute; left out: not made yet, or a workbench that does not tell. */
  folder: z.string().optional(),
  /** What was added to the environment; left out: unknown. */
  env: z.record(z.string(), z.string()).optional(),
  resources: jobResourcesSchema,
  retry: retryPolicySchema,
  state: jobStateSchema,
  /** ISO dates; null: not yet. */
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Starts so far; more than 1 after retries. */
  attempts: z.number().int().nonnegative(),
  /** GPUs that it was given. */
  gpuIds: z.array(z.string()),
  /** Slurm's number of it; null elsewhere. */
  slurmId: z.string().nullable(),
  /** ISO date of the last byte of output; null before the first. It counts as stalled after the user's limit. */
  lastOutputAt: z.string().nullable(),
  /** Bytes of output so far, as last seen. */
  logBytes: z.number().int().nonnegative(),
  /** What the limit of its log left out, as last seen; absent: nothing. */
  logLeftOut: leftOutSchema.optional(),
  /** Numbers of its GPUs that were idle for the last ten minutes (`idleGpusText`); absent: none. */
  idleGpus: z.array(z.number().int()).optional(),
  /** Oldest first. */
  timeline: z.array(jobTimelineEntrySchema),
});
export type JobView = z.infer<typeof jobViewSchema>;

/** output: stdout and stderr of the command; set-up: those of what ran before it. */
export const jobLogSchema = z.enum(['output', 'set-up']);
export type JobLog = z.infer<typeof jobLogSchema>;

/** A line of a log that holds the text that was looked for. */
export const logMatchSchema = z.object({
  /** Byte offset of the line's first byte. */
  offset: z.number().int().nonnegative(),
  /** From 1. */
  line: z.number().int().positive(),
  /** At most 400 characters of it, around the match. */
  text: z.string(),
});
export type LogMatch = z.infer<typeof logMatchSchema>;
