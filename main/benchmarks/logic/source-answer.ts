import { z } from 'zod';
import { parsedJson, printableText, shortText } from '../../base';

/** Is a text Python? unknown: nobody could say. */
export type SourceAnswer =
  | 'parsed'
  | 'unknown'
  | {
      /** Python's own words, e.g. "'(' was never closed". */
      readonly message: string;
      /** Of the text; null: Python names none. */
      readonly line: number | null;
    };

const answerSchema = z.union([z.boolean(), z.tuple([z.string(), z.int().nullable()])]);

/** Null where the text is no answer of the process that parses. */
export function parseAnswerLine(text: string): SourceAnswer | null {
  const answer = answerSchema.safeParse(parsedJson(text));
  if (!answer.success) return null;
  if (typeof answer.data === 'boolean') return answer.data ? 'parsed' : 'unknown';
  const [message, line] = answer.data;
  return { message: shortText(printableText(message), 200), line: line || null };
}
