import { z } from 'zod';
import { engineSchema } from './launch';

export const serverStateSchema = z.discriminatedUnion('kind', [
  /** `stage` in words: "process up", "port open", "waiting for one token". */
  z.object({ kind: z.literal('starting'), stage: z.string() }),
  z.object({ kind: z.literal('ready'), baseUrl: z.string() }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().optional() }),
]);
export type ServerState = z.infer<typeof serverStateSchema>;

/** From the engine's own metrics; null: it has no such number. */
export const serverMetricsSchema = z.object({
  /** ISO date of the reading. */
  at: z.string(),
  running: z.number().nonnegative().nullable(),
  waiting: z.number().nonnegative().nullable(),
  tokensPerSecond: z.number().nonnegative().nullable(),
  /** Share of the cache of keys and values that is taken, 0 to 1. */
  cacheUse: z.number().min(0).max(1).nullable(),
});
export type ServerMetrics = z.infer<typeof serverMetricsSchema>;

export const serverDiagnosisSchema = z.object({
  /** The likely cause, e.g. "The GPU's memory was too small." */
  cause: z.string(),
  todo: z.string(),
  /** Last lines of its log. */
  lines: z.array(z.string()),
});
export type ServerDiagnosis = z.infer<typeof serverDiagnosisSchema>;

/** A model server that the workbench has started, or an outside address. */
export const serverViewSchema = z.object({
  id: z.string(),
  kind: z.enum(['pocket', 'recorded', 'url', ...engineSchema.options]),
  model: z.string(),
  state: serverStateSchema,
  startedAt: z.string(),
  /** Process id while it runs; null for an outside address or a stopped server. */
  pid: z.number().int().nullable(),
  /** The study that started it; null when a person did. */
  studyId: z.string().nullable(),
  /** Requests under way and answered since its start. */
  inFlight: z.number().int().nonnegative(),
  answered: z.number().int().nonnegative(),
  /** Bytes in its log file. */
  logBytes: z.number().int().nonnegative(),
  /** Where it runs; null for an outside address. */
  machineId: z.string().nullable(),
  /** Its job, whose log is its log; null for an outside address. */
  jobId: z.string().nullable(),
  /** The launch that it came from; null for pocket, recorded and outside ones. */
  launchId: z.string().nullable(),
  gpuIds: z.array(z.string()),
  /** Reached stages of the start under way or the last one, in order, with the time of each (ISO date). */
  stages: z.array(z.object({ name: z.string(), at: z.string() })),
  /** What the server tells about itself; null where it does not. */
  metrics: serverMetricsSchema.nullable(),
  /** Why its last start or life ended, where it failed. */
  diagnosis: serverDiagnosisSchema.nullable(),
});
export type ServerView = z.infer<typeof serverViewSchema>;

/** A piece of a log file: read by offset, so nothing is lost or doubled however late the reader is. */
export const logPieceSchema = z.object({
  text: z.string(),
  /** Offset of the first byte after `text`. */
  nextOffset: z.number().int().nonnegative(),
  /** Bytes in the file now. */
  size: z.number().int().nonnegative(),
});
export type LogPiece = z.infer<typeof logPieceSchema>;
