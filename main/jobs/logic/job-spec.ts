import { z } from 'zod';
import { type JobOrder, jobResourcesSchema, retryPolicySchema } from '../../../preload/contract';

/** A name in the job's own folder. */
const ownFile = z.string().regex(/^[\w-][\w.-]*$/);

/** What to run: a program with its arguments as they are, or a line for /bin/sh. */
const jobCommandSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program'), program: z.string().min(1), args: z.array(z.string()) }),
  z.object({ kind: z.literal('line'), line: z.string().min(1) }),
]);
export type JobCommand = z.infer<typeof jobCommandSchema>;

export const jobSpecSchema = z.object({
  machineId: z.string().min(1),
  /** What people call it. */
  name: z.string().min(1),
  /** What it is for, e.g. "model-server"; lists are filtered by it. */
  purpose: z.string().min(1),
  command: jobCommandSchema,
  /** Lines that run before the command in one shell, their output in a log of its own; empty: none. */
  setUp: z.string().default(''),
  /** Working folder on the machine; null is the job's own folder. */
  cwd: z.string().nullable().default(null),
  /** Added to the machine's environment. Is written to disk: no secrets. */
  env: z.record(z.string(), z.string()).default({}),
  /** Names in the job's own folder that are removed before it starts (again), e.g. a port file. */
  freshFiles: z.array(ownFile).default([]),
  /** The launcher's own words about the job, kept as they are. */
  notes: z.record(z.string(), z.string()).default({}),
  resources: jobResourcesSchema.default(() => jobResourcesSchema.parse({})),
  retry: retryPolicySchema.default(() => retryPolicySchema.parse({})),
});
/** As callers give it: what is left out has the defaults above. */
export type JobSpec = z.input<typeof jobSpecSchema>;
export type FullJobSpec = z.output<typeof jobSpecSchema>;

/** A person's order as a job. */
export function specOfOrder({ commandLine, ...order }: JobOrder): JobSpec {
  return { ...order, purpose: 'command', command: { kind: 'line', line: commandLine } };
}
