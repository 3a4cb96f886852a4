import { z } from 'zod';

export const portSchema = z.number().int().min(1).max(65_535);

/** A port of this computer that leads to a port of a machine, or of the node that runs a Slurm job. */
export const portForwardSchema = z.object({
  id: z.string(),
  machineId: z.string(),
  /** It ends with this job; null: it is of the machine. */
  jobId: z.string().nullable(),
  /** The node of a Slurm job; null: the machine itself. */
  node: z.string().nullable(),
  port: portSchema,
  /** On 127.0.0.1. */
  localPort: portSchema,
  /** ISO date. */
  since: z.string(),
  /** A sentence: why it does not lead there now, while it is tried again; null: it does. */
  brokenBy: z.string().nullable(),
});
export type PortForward = z.infer<typeof portForwardSchema>;
