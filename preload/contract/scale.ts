import { z } from 'zod';

/**
 * Where numbers come from; shown and exported wherever a number is.
 * pocket: generated problems and small policies, really run. recorded: replayed model outputs. paper: paper-scale models.
 */
export const scaleSchema = z.enum(['pocket', 'recorded', 'paper']);
export type Scale = z.infer<typeof scaleSchema>;
