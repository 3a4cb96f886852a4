import { z } from 'zod';

/** The parts of the report of a problem, in the order in which they stand in it. */
export const diagnosticsPartIdSchema = z.enum([
  'versions',
  'data-folder',
  'machines',
  'running',
  'doctor',
  'messages',
  'log',
]);
export type DiagnosticsPartId = z.infer<typeof diagnosticsPartIdSchema>;

/** A part as it may leave the workbench: without keys, and with placeholders in place of names. */
export const diagnosticsPartSchema = z.object({
  id: diagnosticsPartIdSchema,
  /** Lines without a last line break; empty where it could not be collected. */
  text: z.string(),
  /** Why it could not be collected, in a sentence; null: it was. */
  problem: z.string().nullable(),
});
export type DiagnosticsPart = z.infer<typeof diagnosticsPartSchema>;
