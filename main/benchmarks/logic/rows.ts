import { z } from 'zod';
import { failed, ok, type Result } from '../../base';

/** Control characters would break lists, logs and file names. */
export const taskIdSchema = z
  .string()
  .min(1, 'is empty')
  .max(200, 'is longer than 200 characters')
  .regex(/^\P{Cc}+$/u, 'has control characters in it');

/** `message` is the end of a sentence: `has no "prompt".`; `value` is the line's JSON where it is JSON. */
export type RowError = { readonly message: string; readonly value: unknown };

function problemOf(issue: z.core.$ZodIssue): string {
  const field = `"${issue.path.join('.')}"`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return `has no ${field}.`;
  if (issue.code === 'invalid_type') return `has a ${field} that is not a ${issue.expected}.`;
  return `has a ${field} that ${issue.message}.`;
}

/** Checks a value that was read as one row against its schema. */
export function rowOf<S extends z.ZodType>(value: unknown, schema: S): Result<z.output<S>, RowError> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failed({ message: 'is JSON, but not an object; one JSON object a line is needed.', value });
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return failed({ message: issue === undefined ? 'cannot be understood.' : problemOf(issue), value });
}

/** Parses one line of a JSON-lines file against its schema. */
export function parseRow<S extends z.ZodType>(line: string, schema: S): Result<z.output<S>, RowError> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return failed({ message: 'is not JSON; one JSON object a line is needed.', value: null });
  }
  return rowOf(value, schema);
}
