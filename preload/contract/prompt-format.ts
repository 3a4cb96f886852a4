import { z } from 'zod';
import { LONGEST_TEMPLATE, namesTheProblem } from './plans/prompt-template';

const templateText = z.string().max(LONGEST_TEMPLATE, `must have at most ${LONGEST_TEMPLATE} characters`);

/** A prompt of the user's own; see docs/search.md for the placeholders. */
export const promptTemplateSchema = z.object({
  /** Empty: no system message. */
  system: templateText,
  user: templateText.refine(namesTheProblem, 'must contain {statement} or {starter}'),
});
export type PromptTemplate = z.infer<typeof promptTemplateSchema>;

/**
 * How an agent is asked, where it is not by the workbench's own format.
 *
 * - bare: the problem's statement and nothing else (MARTI's first prompt).
 * - completion: the starter code as plain text, which the model continues: no chat template (base models).
 * - file: a template of the user's own.
 */
export const promptFormatSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bare') }),
  z.object({
    kind: z.literal('completion'),
    /** The starter code loses the white space at its end; its name is then completion-trimmed. */
    isTrimmed: z.literal(true).optional(),
  }),
  promptTemplateSchema.extend({
    kind: z.literal('file'),
    /** First 16 hex digits of the SHA-256 of its texts; set when a study is created, before that empty. */
    digest: z.string().regex(/^(?:[0-9a-f]{16})?$/),
  }),
]);
export type PromptFormat = z.infer<typeof promptFormatSchema>;
