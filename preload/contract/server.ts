import { z } from 'zod';
import { leftOutSchema } from './job';
import { engineSchema } from './launch';
import { serverSpecSchema } from './team';

export const serverStateSchema = z.discriminatedUnion('kind', [
  /** `stage` in words: "process up", "port open", "waiting for one token". */
  z.object({ kind: z.literal('starting'), stage: z.string() }),
  z.object({ kind: z.literal('ready'), baseUrl: z.string() }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().optional() }),
]);
export type ServerState = z.infer<typeof serverStateSchema>;

/** From the engine's own metrics; null: it does not report this one. */
export const serverMetricsSchema = z.object({
  /** ISO date of the reading. */
  at: z.string(),
  running: z.number().nonnegative().nullable(),
  waiting: z.number().nonnegative().nullable(),
  tokensPerSecond: z.number().nonnegative().nullable(),
  /** Share of the KV cache that is in use, 0 to 1. */
  cacheUse: z.number().min(0).max(1).nullable(),
});
export type ServerMetrics = z.infer<typeof serverMetricsSchema>;

export const serverDiagnosisSchema = z.object({
  /** The likely cause, e.g. "The GPU ran out of memory." */
  cause: z.string(),
  todo: z.string(),
  /** Settings of its launch are to be changed; started again as it is, it fails again. Left out: false, or not known. */
  inLaunch: z.literal(true).optional(),
  /** Last lines of its log. */
  lines: z.array(z.string()),
});
export type ServerDiagnosis = z.infer<typeof serverDiagnosisSchema>;

/** A model server that the workbench has started, or an external address. */
export const serverViewSchema = z.object({
  id: z.string(),
  kind: z.enum(['pocket', 'recorded', 'url', ...engineSchema.options]),
  model: z.string(),
  /** How a team names it. Left out by an older background service. */
  spec: serverSpecSchema.optional(),
  state: serverStateSchema,
  startedAt: z.string(),
  /** Process id while it runs; null for an external address or a stopped server. */
  pid: z.number().int().nullable(),
  /** The study that started it; null when a person did. */
  studyId: z.string().nullable(),
  /** Requests of this workbench in flight, and answered: since its start, or since the workbench was opened. */
  inFlight: z.number().int().nonnegative(),
  answered: z.number().int().nonnegative(),
  /** true: an earlier opening of the workbench started it, whose requests are not counted. Left out: false. */
  isAdopted: z.boolean().optional(),
  /** Bytes in its log file. */
  logBytes: z.number().int().nonnegative(),
  /** Where it runs; null for an external address. */
  machineId: z.string().nullable(),
  /** Its job, whose log is its log; null for an external address. */
  jobId: z.string().nullable(),
  /** Its launch; null for pocket, recorded and external servers. */
  launchId: z.string().nullable(),
  gpuIds: z.array(z.string()),
  /** Stages that the current or last start has reached, in order, with the time of each (ISO date). */
  stages: z.array(z.object({ name: z.string(), at: z.string() })),
  /** Its metrics; null where it reports none. */
  metrics: serverMetricsSchema.nullable(),
  /** Why its last start failed or it died; null where it did not. */
  diagnosis: serverDiagnosisSchema.nullable(),
});
export type ServerView = z.infer<typeof serverViewSchema>;

/** A piece of a log file, read by offset: a late reader loses and repeats nothing. */
export const logPieceSchema = z.object({
  text: z.string(),
  /** Offset of the first byte of `text` where it is not the requested one: what lies between was left out. */
  start: z.number().int().nonnegative().optional(),
  /** What the log's limit left out; absent: nothing, as far as known. */
  leftOut: leftOutSchema.optional(),
  /** Offset of the first byte after `text`. */
  nextOffset: z.number().int().nonnegative(),
  /** Bytes in the file now. */
  size: z.number().int().nonnegative(),
  /** The log's machine does not answer: this is of the copy on this computer. Absent: it is of the log itself. */
  copy: z
    .object({
      /** When it was copied, ISO date. */
      at: z.string(),
      /** Nothing is missing at its end. */
      hasEnd: z.boolean(),
      /** Why the log itself cannot be read, a sentence. */
      why: z.string(),
    })
    .optional(),
});
export type LogPiece = z.infer<typeof logPieceSchema>;
