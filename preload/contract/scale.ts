import { z } from 'zod';

/**
 * Where numbers come from; shown and exported wherever a number is.
 * pocket: generated problems and small policies, really run. recorded: replayed model outputs. desk: small language models
 * by name, on a processor or one GPU. paper: the papers' models on all problems of a paper and no others. own: other language
 * models or other problems, and models that were trained here.
 */
export const scaleSchema = z.enum(['pocket', 'recorded', 'desk', 'paper', 'own']);
export type Scale = z.infer<typeof scaleSchema>;
