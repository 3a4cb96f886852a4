import { z } from 'zod';

/** What takes memory on a device of a learner; labels: plans/memory-parts.ts. */
export const memoryPartSchema = z.enum([
  'weights',
  'gradients',
  'optimiser',
  'frozenCopy',
  'base',
  'passCopies',
  'activations',
  'logits',
  'fragments',
  'keysAndValues',
  'engine',
]);
export type MemoryPart = z.infer<typeof memoryPartSchema>;

/** Parts that are there at once, what stays first. Null: unknown, as an engine's share of a GPU of unknown size. */
const memoryStackSchema = z.array(
  z.object({ part: memoryPartSchema, bytes: z.number().nonnegative().nullable() }),
);
export type MemoryStack = z.infer<typeof memoryStackSchema>;

/** Memory that a training of language models needs. Each agent has GPUs of its own; on processors all share a machine. */
export const planMemorySchema = z.object({
  device: z.enum(['gpu', 'processor']),
  /** Of the machine's smallest GPU, or of its memory; null: unknown. */
  deviceBytes: z.number().positive().nullable(),
  /** Those whose model could be read. */
  agents: z.array(
    z.object({
      id: z.string(),
      /** Bytes of each device: the larger of the two stacks, as writing and learning take turns. */
      total: z.number().nonnegative(),
      writing: memoryStackSchema,
      learning: memoryStackSchema,
    }),
  ),
});
export type PlanMemory = z.infer<typeof planMemorySchema>;
