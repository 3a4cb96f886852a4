import { z } from 'zod';
import { decisionSchema } from './decision';
import { testCaseSchema } from './problem';
import { testResultSchema, verdictSchema } from './verdict';

export const messageSchema = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });
export type ChatMessage = z.infer<typeof messageSchema>;

/** Everything about one node, read from the journal when somebody looks at it. */
export const nodeDetailSchema = z.object({
  answer: z.string(),
  program: z.string().nullable(),
  parentProgram: z.string().nullable(),
  prompt: z.array(messageSchema),
  /** False when this version would ask differently from the version that ran; the prompt is then not the one sent. */
  promptIsExact: z.boolean(),
  /** Why the search made this node here; null in journals without it. */
  why: z.array(decisionSchema).nullable(),
  /** The benchmark is not in the library: prompt and tests are left out. */
  problemIsMissing: z.literal(true).optional(),
  /** `result` is null for a test that was not run (yet). */
  publicTests: z.array(z.object({ test: testCaseSchema, result: testResultSchema.nullable() })),
  privateTests: z.array(z.object({ test: testCaseSchema, result: testResultSchema.nullable() })),
  /** Private verdict of the first grading, where the results above are of a re-grade; left out: they are of the first one. */
  firstVerdict: verdictSchema.optional(),
});
export type NodeDetail = z.infer<typeof nodeDetailSchema>;
