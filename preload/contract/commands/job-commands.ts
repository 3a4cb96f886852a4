import { z } from 'zod';
import { gpuCurvesSchema } from '../gpu';
import { jobLogSchema, jobRequestSchema, jobViewSchema, logMatchSchema } from '../job';
import { provenanceSchema } from '../provenance';
import { logPieceSchema } from '../server';
import { usageRequestSchema, usageSchema } from '../usage';
import { command, done, none } from './command';

const jobId = z.string().min(1);

/** Jobs and their logs. */
export const jobCommands = {
  /** As last seen. */
  'job.list': command(none, z.array(jobViewSchema)),
  /** The same, after every machine with running jobs was probed since the start or found unreachable. */
  'job.probe': command(none, z.array(jobViewSchema)),
  'job.start': command(jobRequestSchema, jobViewSchema),
  /** One job per line, the rest as in `request`; on Slurm one job array. Lines can be refused individually. */
  'job.startMany': command(
    z.strictObject({
      request: jobRequestSchema,
      commandLines: z.array(jobRequestSchema.shape.commandLine).min(1).max(1_000),
    }),
    z.object({
      jobs: z.array(jobViewSchema),
      /** `line` counts from 1. */
      refused: z.array(z.object({ line: z.number().int().positive(), message: z.string() })),
    }),
  ),
  /** TERM, then KILL, then checks that all processes are gone; names those that are not. */
  'job.stop': command(z.strictObject({ jobId }), jobViewSchema),
  /** Runs an ended job again, appending to its log. */
  'job.retry': command(z.strictObject({ jobId }), jobViewSchema),
  /** Deletes an ended job with its files. */
  'job.remove': command(z.strictObject({ jobId }), done),
  /** What made its last start: code, packages, GPUs, weights; null: not recorded (yet). */
  'job.provenance': command(z.strictObject({ jobId }), provenanceSchema.nullable()),
  /** What its GPUs did in all its starts: samples of `nvidia-smi` from inside the job, at most `points` a GPU. */
  'job.gpus': command(
    z.strictObject({ jobId, points: z.number().int().min(10).max(5_000).default(500) }),
    gpuCurvesSchema,
  ),
  /** GPU-hours and tokens of all jobs, also of those removed since. The first call reads every journal that has grown. */
  'job.usage': command(usageRequestSchema, usageSchema),
  'job.readLog': command(
    z.strictObject({
      jobId,
      log: jobLogSchema.default('output'),
      /** Byte offset; negative counts from the end. */
      offset: z.number().int(),
      maxBytes: z.number().int().min(1).max(4_194_304),
      /** Where the machine does not answer, of the copy on this computer, which may lack what is asked for. */
      orCopy: z.boolean().default(false),
    }),
    logPieceSchema,
  ),
  /** Lines that contain `text` (literal, ignoring case), searched on the machine; at most `limit`, from `offset` on. */
  'job.searchLog': command(
    z.strictObject({
      jobId,
      log: jobLogSchema.default('output'),
      text: z.string().min(1).max(200),
      offset: z.number().int().nonnegative().default(0),
      limit: z.number().int().min(1).max(1_000).default(200),
    }),
    z.object({ matches: z.array(logMatchSchema), isComplete: z.boolean() }),
  ),
  /** The byte offset of a line (from 1), counted on the machine; the end if the log has fewer lines. */
  'job.findLine': command(
    z.strictObject({ jobId, log: jobLogSchema.default('output'), line: z.number().int().positive() }),
    z.object({ offset: z.number().int().nonnegative(), isThere: z.boolean() }),
  ),
  'job.saveLog': command(
    z.strictObject({ jobId, log: jobLogSchema.default('output'), path: z.string().min(1) }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'terminal',
  ),
  'job.chooseLogFile': command(
    z.strictObject({ jobId, log: jobLogSchema.default('output') }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'window',
  ),
};
