import { z } from 'zod';
import { jobStateSchema } from './job';
import { problemsKeptSchema } from './learning';
import { doctorCheckSchema } from './machine';
import { planMemorySchema } from './plan-memory';
import { scaleSchema } from './scale';
import { graderServiceSchema, trainingSpecSchema } from './training-spec';

/** What would happen, before it does. */
export const trainingPlanSchema = z.object({
  /** Exactly what will be typed on the machine. */
  commandLine: z.string(),
  /** Variables that the job sets, what looks secret hidden. Left out: none. */
  env: z.record(z.string(), z.string()).optional(),
  /** Lines that run before the command, what looks secret hidden. Left out: none. */
  setUp: z.string().optional(),
  gpus: z.number().int().nonnegative(),
  /** What it is expected to take and can show, hours and memory first, a sentence each. Of language models only. */
  expected: z.array(z.string()).optional(),
  /** The memory in `expected`, by parts. Left out: no model's sizes are known. */
  memory: planMemorySchema.optional(),
  /** How the trainer's known traps are met, one line each. */
  notes: z.array(z.string()),
  /** What makes a start pointless: a path that is not there, GPU counts that do not add up. Empty: nothing. */
  problems: z.array(z.string()),
  /** Looked at on the machine: checkout, Python packages, data, models, disk. Empty before it was asked. */
  checks: z.array(doctorCheckSchema),
  /** Seconds, from earlier trainings of the kind; null: nothing to go by. */
  estimateSeconds: z.number().nonnegative().nullable(),
});
export type TrainingPlan = z.infer<typeof trainingPlanSchema>;

export const trainingCheckpointSchema = z.object({
  /** Unique within its training, e.g. "reader-000300". */
  id: z.string(),
  agentId: z.string(),
  /** Updates of the agent that are in it; of MARTI the global step. */
  step: z.number().int().nonnegative(),
  /** On the training's machine. */
  path: z.string(),
  /** Its copy on this computer; left out: there is none, or the training ran here. */
  copy: z.string().optional(),
  /** ISO date; null: not known. */
  at: z.string().nullable(),
  bytes: z.number().nonnegative().nullable(),
  /** A model server can load it as it is. */
  canServe: z.boolean(),
});
export type TrainingCheckpoint = z.infer<typeof trainingCheckpointSchema>;

/** Something that a person should look at while the training runs. */
export const trainingAlarmSchema = z.object({
  kind: z.enum([
    'nan',
    'stall',
    'entropy-collapse',
    'reward-collapse',
    'no-signal',
    /** An engine takes over a part of the published weights only. */
    'partial-publish',
    'old-checkpoint',
    'disk',
    'idle-gpus',
    /** The log of a run that is only watched ends with an error. */
    'log-error',
    /** A file of its numbers is damaged: curves may lack points. */
    'unreadable',
  ]),
  agentId: z.string().nullable(),
  /** What was seen and what to do, in words. */
  message: z.string(),
  /** Step at which it began; null: not tied to one. */
  step: z.number().int().nullable(),
});
export type TrainingAlarm = z.infer<typeof trainingAlarmSchema>;

export const trainingViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  machineId: z.string(),
  jobId: z.string().nullable(),
  spec: trainingSpecSchema,
  /** Grades its programs; left out: a sandbox of its machine. */
  grader: graderServiceSchema.optional(),
  scale: scaleSchema,
  /** e.g. "Heter-MARS², reader + tracer". */
  title: z.string(),
  agents: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Its job's; `exited` with code 0 is done. */
  state: jobStateSchema,
  /** It has ended because a person wanted it to; left out: unknown. */
  wasStopped: z.boolean().optional(),
  /** The sentences with which our own trainer ended, where it failed; left out: it said nothing, or is not read yet. */
  failure: z.string().optional(),
  /** Starts by itself, oldest first: why, and from which checkpoint. Left out: none. */
  restarts: z.array(z.object({ at: z.string(), why: z.string() })).optional(),
  /** Why it was not restarted automatically after an unexpected end; left out: it was, or the end was requested. */
  notRestarted: z.string().optional(),
  /** Stage in words where it is known, e.g. "rollout", "evaluating the team". */
  stage: z.string().nullable(),
  /** ISO dates. */
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Its starts before the present or last one; left out: that was its first, or they are not known. */
  earlierStarts: z.array(z.object({ startedAt: z.string(), endedAt: z.string() })).optional(),
  /** Least number of updates that an agent has made, and how many are planned; null: not known. */
  step: z.number().int().nonnegative(),
  steps: z.number().int().positive().nullable(),
  /** Seconds that are left at the present speed; null: not known. */
  secondsLeft: z.number().nonnegative().nullable(),
  /**
   * By canonical key ("reward", "pass@1" ...) and part: the latest values, one per agent. `part`: measured on the
   * training's own problems, or by an evaluation on problems that it never saw; left out: not noted, of an older record.
   */
  latest: z.array(
    z.object({
      agentId: z.string().nullable(),
      key: z.string(),
      part: z.enum(['train', 'evaluation']).optional(),
      value: z.number(),
    }),
  ),
  alarms: z.array(trainingAlarmSchema),
  /** The result of choosing problems by Pass@1; left out: none was made, or not yet. */
  problemsKept: problemsKeptSchema.optional(),
  /** The experiment that it is a part of; null: none. */
  experimentId: z.string().nullable(),
  /** The reproduction that began it; left out: none. Others may use it too. */
  reproductionId: z.string().optional(),
});
export type TrainingView = z.infer<typeof trainingViewSchema>;

/** One quantity of one agent over a training. Arrays are equally long, in the order of steps. */
export const trainingCurveSchema = z.object({
  agentId: z.string().nullable(),
  /** Canonical: "reward", "pass@1", "entropy", "kl", "clipped", "gradient-norm", "policy-loss", ...; else as logged. */
  key: z.string(),
  /** train: of the optimiser's samples; evaluation: of problems apart. */
  part: z.enum(['train', 'evaluation', 'other']),
  steps: z.array(z.number()),
  values: z.array(z.number()),
  /** Samples that the agent had learned from; null where the source does not say. */
  samples: z.array(z.number()).nullable(),
  /** Seconds since the first point of the training; null where the source does not say. */
  seconds: z.array(z.number()).nullable(),
});
export type TrainingCurve = z.infer<typeof trainingCurveSchema>;

/** A node of a training tree, to be read. */
export const rolloutSchema = z.object({
  agentId: z.string(),
  step: z.number().int().nonnegative(),
  problemId: z.string(),
  /** Node within its tree, and its parent there; -1: the root, null: not known. */
  node: z.number().int().nullable(),
  parent: z.number().int().nullable(),
  prompt: z.string(),
  answer: z.string(),
  reward: z.number().nullable(),
  /** After shaping and penalty; null: unknown. */
  shapedReward: z.number().nullable(),
  advantage: z.number().nullable(),
});
export type Rollout = z.infer<typeof rolloutSchema>;
