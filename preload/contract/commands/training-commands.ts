import { z } from 'zod';
import { experimentRequestSchema, experimentResultSchema, experimentViewSchema } from '../experiment';
import { gpuCurvesSchema } from '../gpu';
import { launchPlanSchema } from '../launch';
import { MAX_TRAININGS } from '../plans/experiment-settings';
import { recipeSchema } from '../recipe';
import { agentSchema, serverSpecSchema } from '../team';
import {
  rolloutSchema,
  trainingCheckpointSchema,
  trainingCurveSchema,
  trainingPlanSchema,
  trainingViewSchema,
} from '../training';
import { trainingEvaluationViewSchema } from '../training-evaluation';
import { trainingRequestSchema } from '../training-spec';
import { trainingSweepSchema } from '../training-sweep';
import { command, done, none } from './command';

const trainingId = z.string().min(1);
const experimentId = z.string().min(1);
/** tensorboard: event files; wandb: an offline run of Weights & Biases, which `wandb sync` uploads. */
export const curveFormatSchema = z.enum(['csv', 'tensorboard', 'wandb']);
const exportedCurvesSchema = z.object({
  path: z.string(),
  files: z.array(z.string()),
  bytes: z.number().int(),
});

/** Trainings, recipes of trainers, and experiments. */
export const trainingCommands = {
  'training.list': command(none, z.array(trainingViewSchema)),
  /** The command and its problems. `check`: also checks the machine. Changes nothing. */
  'training.plan': command(
    z.strictObject({ request: trainingRequestSchema, check: z.boolean().default(false) }),
    trainingPlanSchema,
  ),
  'training.start': command(trainingRequestSchema, trainingViewSchema),
  /**
   * Several at once: equal requests to one Slurm machine become one job array. Refused, with none started, where the plan of
   * one of them has a problem; `refused`: those that could not be started all the same.
   */
  'training.startMany': command(
    z.strictObject({ requests: z.array(trainingRequestSchema).min(1).max(MAX_TRAININGS) }),
    z.object({
      trainings: z.array(trainingViewSchema),
      refused: z.array(z.object({ name: z.string(), message: z.string() })),
    }),
  ),
  /**
   * Watches a run that others started: `source` is a folder (with TensorBoard's event files, logs or our own trainer's
   * files) or a Slurm id. Nothing of it is ever stopped, changed or deleted.
   */
  'training.watch': command(
    z.strictObject({
      machineId: z.string().min(1),
      source: z.string().trim().min(1).max(4_096),
      name: z.string().trim().min(1).max(120).optional(),
    }),
    trainingViewSchema,
  ),
  'training.stop': command(z.strictObject({ trainingId }), trainingViewSchema),
  /** Continues from its last checkpoint. */
  'training.resume': command(z.strictObject({ trainingId }), trainingViewSchema),
  /** Moves an ended training to the trash: its files stay, and `training.restore` brings it back. */
  'training.remove': command(z.strictObject({ trainingId }), done),
  'training.restore': command(z.strictObject({ trainingId }), done),
  /** The trainings that `training.restore` can bring back, oldest first. */
  'training.trash': command(
    none,
    z.array(
      z.object({
        trainingId: z.string(),
        name: z.string(),
        machineId: z.string(),
        createdAt: z.string(),
        /** Of its files on this computer, with checkpoints. */
        bytes: z.number().int().nonnegative(),
      }),
    ),
  ),
  /** Deletes a training that is in the trash for good. Checkpoints are kept, here and on its machine, unless `checkpoints`. */
  'training.delete': command(z.strictObject({ trainingId, checkpoints: z.boolean().default(false) }), done),
  /** Reads new log lines first. Curves with more than `points` points are thinned, keeping ends and extremes. */
  'training.curves': command(
    z.strictObject({ trainingId, points: z.number().int().min(10).max(100_000).default(1_000) }),
    z.array(trainingCurveSchema),
  ),
  /** What the GPUs of its job did, on the axis of its curves (`seconds`, `steps`). */
  'training.gpus': command(
    z.strictObject({ trainingId, points: z.number().int().min(10).max(5_000).default(500) }),
    gpuCurvesSchema,
  ),
  /** Newest first; optionally of one agent and not after `upToStep`. */
  'training.rollouts': command(
    z.strictObject({
      trainingId,
      agentId: z.string().min(1).optional(),
      upToStep: z.number().int().nonnegative().optional(),
      limit: z.number().int().min(1).max(200).default(20),
    }),
    z.array(rolloutSchema),
  ),
  /** Oldest first, by agent. */
  'training.checkpoints': command(z.strictObject({ trainingId }), z.array(trainingCheckpointSchema)),
  /** Copies a checkpoint of language models from its machine to this computer, if it is not here; large, so on request. */
  'training.fetchCheckpoint': command(
    z.strictObject({ trainingId, checkpointId: z.string().min(1) }),
    z.object({ path: z.string() }),
  ),
  /** The trainer's own evaluation; null: none yet. */
  'training.evaluation': command(z.strictObject({ trainingId }), trainingEvaluationViewSchema.nullable()),
  /**
   * The sweep of MARTI or of a recipe that the training is part of, as a table over seeds; null: of none. Those of our own trainers
   * are experiments (`experiment.result`).
   */
  'training.sweep': command(z.strictObject({ trainingId }), trainingSweepSchema.nullable()),
  /** Serves a checkpoint: one of our own trainings by a server that is ready then, others by a launch to review. */
  'training.serve': command(
    z.strictObject({ trainingId, checkpointId: z.string().min(1) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('server'), serverId: z.string() }),
      z.object({ kind: z.literal('launch'), launchId: z.string(), plan: launchPlanSchema.nullable() }),
    ]),
  ),
  /**
   * The checkpoint as a member of a team, with how it is asked where that differs from the default. Saves the launch that
   * it needs; refused where the checkpoint is gone or cannot be served.
   */
  'training.member': command(
    z.strictObject({ trainingId, checkpointId: z.string().min(1) }),
    z.object({
      server: serverSpecSchema,
      ...agentSchema.pick({ sampling: true, extraction: true }).partial().shape,
    }),
  ),
  /**
   * Creates a study of these checkpoints, each alone, and as a team if `team`. They may be of several trainings.
   */
  'training.evaluate': command(
    z.strictObject({
      name: z.string().min(1).max(120),
      checkpoints: z
        .array(z.strictObject({ trainingId, checkpointId: z.string().min(1) }))
        .min(1)
        .max(16),
      team: z.boolean().default(false),
      benchmarkId: z.string().min(1),
      problems: z.number().int().positive().optional(),
      nodes: z.number().int().min(1).max(1_000).default(60),
      samples: z.number().int().min(0).max(1_000).default(8),
      start: z.boolean().default(true),
    }),
    z.object({ studyId: z.string() }),
  ),
  /** Writes the curves as other programs read them, below the folder `path`. Same numbers, same bytes. */
  'training.export': command(
    z.strictObject({ trainingId, format: curveFormatSchema, path: z.string().min(1).max(4_096) }),
    exportedCurvesSchema,
    'terminal',
  ),
  'training.chooseExport': command(
    z.strictObject({ trainingId, format: curveFormatSchema }),
    exportedCurvesSchema,
    'window',
  ),
  'recipe.list': command(none, z.object({ recipes: z.array(recipeSchema), problems: z.array(z.string()) })),

  'experiment.list': command(none, z.array(experimentViewSchema)),
  'experiment.start': command(experimentRequestSchema, experimentViewSchema),
  'experiment.pause': command(z.strictObject({ experimentId }), experimentViewSchema),
  /** Also retries what failed. */
  'experiment.resume': command(z.strictObject({ experimentId }), experimentViewSchema),
  /** With its trainings and their checkpoints. */
  'experiment.remove': command(z.strictObject({ experimentId }), done),
  /** Results of the finished trainings. */
  'experiment.result': command(z.strictObject({ experimentId }), experimentResultSchema),
  'experiment.export': command(
    z.strictObject({ experimentId, kind: z.enum(['cells', 'pairs']), path: z.string().min(1) }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'terminal',
  ),
  'experiment.chooseExport': command(
    z.strictObject({ experimentId, kind: z.enum(['cells', 'pairs']) }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'window',
  ),
} as const;
