import { z } from 'zod';

/** Names beside a job. Together with the process table they are all there is to know about it. */
export const jobFiles = {
  /** What was asked for; written before anything starts. */
  command: 'command.json',
  /** Written by the wrapper as its first act: see `parseProcessFile`. */
  process: 'process.txt',
  /** stdout and stderr, appended by the job itself. */
  output: 'output.log',
  /** Written by the wrapper after the command has ended. */
  exit: 'exit.json',
} as const;

const jobSpecShape = {
  /** What it is for, e.g. "model-server"; lists are filtered by it. */
  purpose: z.string().min(1),
  command: z.string().min(1),
  args: z.array(z.string()),
  /** Working folder; null is the job's own folder. */
  cwd: z.string().nullable(),
  /** Added to the machine's environment. Is written to disk: no secrets. */
  env: z.record(z.string(), z.string()),
  /** Names in the job's own folder that are removed before it starts (again), e.g. a port file. */
  freshFiles: z.array(z.string().regex(/^[\w.-]+$/)),
  /** The launcher's own words about the job, kept as they are. */
  notes: z.record(z.string(), z.string()),
};
export const jobSpecSchema = z.object(jobSpecShape);
export type JobSpec = Readonly<z.infer<typeof jobSpecSchema>>;

export const commandFileSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  /** ISO date. */
  createdAt: z.string(),
  ...jobSpecShape,
});
export type CommandFile = z.infer<typeof commandFileSchema>;

export const exitFileSchema = z.object({
  /** Exit code; 128 + n when signal n ended the command; null when it was killed with its wrapper. */
  code: z.int().nullable(),
  endedAt: z.string(),
});
export type ExitFile = z.infer<typeof exitFileSchema>;

/** Parses a file's text; null for what does not fit (a file of a newer version, a damaged one). */
export function parseFile<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
