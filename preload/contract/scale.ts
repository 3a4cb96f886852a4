import { z } from 'zod';

/**
 * Where numbers come from; shown and exported wherever a number is.
 * pocket: generated problems and small policies, really run. recorded: replayed model outputs. paper: the papers' models.
 * own: other language models, and those that were trained here.
 */
export const scaleSchema = z.enum(['pocket', 'recorded', 'paper', 'own']);
export type Scale = z.infer<typeof scaleSchema>;
