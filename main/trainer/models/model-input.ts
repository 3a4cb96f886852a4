import { z } from 'zod';
import { modelTrainingSchema } from '../../../preload/contract/index';

/** The input of a model training. Its problems are beside it, in PROBLEMS_FILE. */
export const modelInputSchema = z.strictObject({
  spec: modelTrainingSchema,
  agents: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** SHA-256 of the file of problems, in hex: with other ones it would be another training. */
  problemsDigest: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ModelInput = z.output<typeof modelInputSchema>;

export const PROBLEMS_FILE = 'problems.jsonl';
