import { z } from 'zod';
import { type JobRequest, jobResourcesSchema, retryPolicySchema } from '../../../preload/contract';

/** A file name in the job's own folder. */
const ownFile = z.string().regex(/^[\w-][\w.-]*$/);

/** What to run: a program with its arguments, or a line for /bin/sh. */
const jobCommandSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program'), program: z.string().min(1), args: z.array(z.string()) }),
  z.object({ kind: z.literal('line'), line: z.string().min(1) }),
]);
export type JobCommand = z.infer<typeof jobCommandSchema>;

export const jobSpecSchema = z.object({
  machineId: z.string().min(1),
  /** Display name. */
  name: z.string().min(1),
  /** Its purpose, e.g. "model-server"; lists are filtered by it. */
  purpose: z.string().min(1),
  command: jobCommandSchema,
  /** Lines that run before the command in one shell, with their own log; empty: none. */
  setUp: z.string().default(''),
  /** Working folder on the machine; null is the job's own folder. */
  cwd: z.string().nullable().default(null),
  /** Added to the machine's environment. Is written to disk: no secrets. */
  env: z.record(z.string(), z.string()).default({}),
  /** Files in the job's own folder that are removed before each start, e.g. a port file. */
  freshFiles: z.array(ownFile).default([]),
  /** Notes of the launcher about the job, stored unchanged. */
  notes: z.record(z.string(), z.string()).default({}),
  resources: jobResourcesSchema.default(() => jobResourcesSchema.parse({})),
  retry: retryPolicySchema.default(() => retryPolicySchema.parse({})),
  /**
   * A start continues where the last one ended, so that every end nobody asked for counts as lost; before a retry the
   * launcher is asked whether there is anything to continue from (`gateRetries`).
   */
  resumes: z.boolean().default(false),
});
/** Notes that say what the command does not: a line each. `python`: interpreters; `weights`: as `--model` names them. */
export const PROVENANCE_NOTES = { python: 'provenance.python', weights: 'provenance.weights' } as const;
/** As callers provide it, with defaults for absent fields. */
export type JobSpec = z.input<typeof jobSpecSchema>;
export type FullJobSpec = z.output<typeof jobSpecSchema>;

/** The job of a person's request. */
export function specOfRequest({ commandLine, ...request }: JobRequest): JobSpec {
  return { ...request, purpose: 'command', command: { kind: 'line', line: commandLine } };
}
