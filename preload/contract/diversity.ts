import { z } from 'zod';
import { seedSpreadSchema } from './analysis';

/**
 * How candidates are grouped into algorithms and compared. structure: normalised syntax trees, deterministic;
 * server: a chat model says "same" or "different". The judge is part of each figure's name.
 */
export const diversityJudgeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('structure') }),
  z.object({ kind: z.literal('server'), baseUrl: z.url(), model: z.string().min(1) }),
]);
export type DiversityJudge = z.infer<typeof diversityJudgeSchema>;

/** The similarity behind the Vendi score. tokens: cosine of token counts, deterministic. */
export const similaritySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tokens') }),
  z.object({ kind: z.literal('server'), baseUrl: z.url(), model: z.string().min(1) }),
]);
export type Similarity = z.infer<typeof similaritySchema>;

/**
 * distinct: share of different programs; da@k, ea, nauadc (arXiv 2503.00691): over correct candidates, problems
 * without one left out; aec (ours): mean effective number of algorithms, an unsolved problem counting 0; vendi:
 * over all candidates of a problem; g-vendi: the same over gradients, where the policy gives them (pocket).
 */
export const diversityCellSchema = z.object({
  configuration: z.string(),
  measure: z.enum(['distinct', 'da@k', 'ea', 'nauadc', 'aec', 'vendi', 'g-vendi']),
  /** Of da@k. */
  k: z.number().int().positive().nullable(),
  value: z.number(),
  /** 95 % bootstrap interval over problems, of several seeds over problems and seeds. */
  low: z.number(),
  high: z.number(),
  problems: z.number().int(),
  seedSpread: seedSpreadSchema.optional(),
});
export type DiversityCell = z.infer<typeof diversityCellSchema>;

export const diversitySchema = z.object({
  studyId: z.string(),
  cells: z.array(diversityCellSchema),
  /** In words: what is built in, the judge, the similarity, what was left out. */
  method: z.string(),
  /** What is damaged of the journals, a sentence a run: their incomplete problems are in no number. */
  damage: z.array(z.string()),
});
export type Diversity = z.infer<typeof diversitySchema>;
