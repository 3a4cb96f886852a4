import { z } from 'zod';

export const serverStateSchema = z.discriminatedUnion('kind', [
  /** `stage` in words: "process up", "port open", "waiting for one token". */
  z.object({ kind: z.literal('starting'), stage: z.string() }),
  z.object({ kind: z.literal('ready'), baseUrl: z.string() }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().optional() }),
]);
export type ServerState = z.infer<typeof serverStateSchema>;

/** A model server that the workbench has started, or an outside address. */
export const serverViewSchema = z.object({
  id: z.string(),
  kind: z.enum(['pocket', 'recorded', 'url']),
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
