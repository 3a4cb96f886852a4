import { z } from 'zod';

/** A process that uses memory of a GPU. null: the machine does not report it. */
export const gpuProcessSchema = z.object({
  pid: z.number().int().positive(),
  user: z.string().nullable(),
  command: z.string().nullable(),
  memoryMib: z.number().nonnegative().nullable(),
  /** ISO date. */
  startedAt: z.string().nullable(),
});
export type GpuProcess = z.infer<typeof gpuProcessSchema>;

/** A GPU, or one MIG slice of one. null: the driver does not report it. */
export const gpuSchema = z.object({
  /** UUID: stays the same when another card fails or cards are moved. */
  id: z.string(),
  index: z.number().int().nonnegative().nullable(),
  name: z.string(),
  vendor: z.enum(['nvidia', 'amd']),
  /** UUID of the GPU that a MIG slice belongs to. */
  sliceOf: z.string().nullable(),
  /** Percent. */
  utilisation: z.number().min(0).max(100).nullable(),
  memoryUsedMib: z.number().nonnegative().nullable(),
  memoryTotalMib: z.number().nonnegative().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nonnegative().nullable(),
  powerLimitW: z.number().nonnegative().nullable(),
  /** ECC errors, XID events, throttling, a card that fell off the bus: whole sentences. */
  problems: z.array(z.string()),
  /**
   * Why it is given only to who names it: what would make results wrong or end a job at once, e.g. "XID 79". Left out:
   * nothing.
   */
  heldBack: z.string().optional(),
  processes: z.array(gpuProcessSchema),
  /** Names of our jobs that hold it, whether they use it yet or not: `withAssignedGpus`. Left out: none, or not known here. */
  assignedTo: z.array(z.string()).optional(),
});
export type Gpu = z.infer<typeof gpuSchema>;

export const gpuReadingSchema = z.object({
  /** ISO date. */
  at: z.string(),
  driver: z.string().nullable(),
  gpus: z.array(gpuSchema),
  /** What could not be read, in sentences: the rest is still valid. */
  problems: z.array(z.string()),
  /** Earlier readings, oldest first: by GPU id, percent of use and of memory. At most 120 each, one for each half minute. */
  history: z.record(
    z.string(),
    z.array(z.object({ at: z.string(), utilisation: z.number().nullable(), memory: z.number().nullable() })),
  ),
});
export type GpuReading = z.infer<typeof gpuReadingSchema>;

const sample = z.number().nullable();
/** What one GPU of a job did. Arrays are equally long, oldest first; null: the driver does not report it. */
export const gpuCurveSchema = z.object({
  /** As `nvidia-smi` counts on its machine, or among those that Slurm gave the job. */
  gpu: z.number().int().nonnegative(),
  /** Since `fromMs`. */
  seconds: z.array(z.number()),
  /**
   * For a training: the step that it had reached by then, with its fraction; null: before the first or after the last.
   */
  steps: z.array(sample).optional(),
  /** Percent of the time. */
  use: z.array(sample),
  memoryMib: z.array(sample),
  powerW: z.array(sample),
  temperatureC: z.array(sample),
  memoryTotalMib: sample,
});
export type GpuCurve = z.infer<typeof gpuCurveSchema>;

/** What the GPUs of a job did, by number. Empty: it has none, or none was sampled. */
export const gpuCurvesSchema = z.object({
  /**
   * Second 0 in milliseconds since 1970, by the machine's clock: the first sample, or the first point of a training.
   * null: no samples.
   */
  fromMs: z.number().nullable(),
  gpus: z.array(gpuCurveSchema),
});
export type GpuCurves = z.infer<typeof gpuCurvesSchema>;
