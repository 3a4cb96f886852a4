import { z } from 'zod';
import { pocketTrainingSchema } from '../../../preload/contract/index';

/** The training's spec and its agents: one per family, in the same order. */
export const trainingInputSchema = z
  .strictObject({
    spec: pocketTrainingSchema,
    agents: z.array(
      z.strictObject({ id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,60}$/), name: z.string().min(1) }),
    ),
  })
  .refine(({ spec, agents }) => agents.length === spec.families.length, {
    message: 'must have one agent for each family',
    path: ['agents'],
  })
  .refine(({ agents }) => new Set(agents.map(({ id }) => id)).size === agents.length, {
    message: 'has an agent twice',
    path: ['agents'],
  });
export type TrainingInput = z.output<typeof trainingInputSchema>;
