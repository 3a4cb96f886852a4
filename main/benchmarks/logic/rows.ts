import { z } from 'zod';
import { closestIssue } from '../../../preload/contract/index';
import { failed, ok, printableText, type Result, shortText } from '../../base';

/** Control characters would break lists and logs, and marks that turn the direction of writing their readers. */
export const taskIdSchema = z
  .string()
  .min(1, 'is empty')
  .max(200, 'is longer than 200 characters')
  .regex(/^[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u, 'has control characters in it');

/** `message` is the end of a sentence: `has no "prompt".`; `value` is the line's JSON where it is JSON. */
export type RowError = { readonly message: string; readonly value: unknown };

function problemOf(found: z.core.$ZodIssue): string {
  const issue = closestIssue(found);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, 5).map((key) => JSON.stringify(shortText(printableText(key), 50)));
    const what = keys.length === 1 ? 'an unknown field' : 'unknown fields';
    return `${clause(issue.path, `has ${what}: ${keys.join(', ')}`)}. Remove what is unknown, or correct its name.`;
  }
  const value = issue.code === 'invalid_union' && issue.discriminator ? nested(issue) : issue.input;
  const field = issue.path.at(-1);
  return value === undefined && field !== undefined
    ? `${clause(issue.path.slice(0, -1), `has no "${String(field)}"`)}.`
    : `${clause(issue.path, issue.message)}.`;
}

/** The field that tells which kind of object a value is. */
function nested({ input, path }: z.core.$ZodIssueInvalidUnion): unknown {
  return typeof input === 'object' && input !== null ? Reflect.get(input, path.at(-1) ?? '') : undefined;
}

/** `end` with the place that it is about, e.g. `has a "privateTests" whose entry 2 has a "kind" that is not text`. */
function clause(path: readonly PropertyKey[], end: string): string {
  let text = '';
  for (const [at, part] of path.entries()) {
    const isAfterField = at > 0 && typeof path[at - 1] !== 'number';
    if (typeof part === 'number') text += ` whose entry ${part + 1}`;
    else
      text += `${isAfterField ? ' that' : ''} has ${/^[aeio]/i.test(String(part)) ? 'an' : 'a'} "${String(part)}"`;
  }
  const isField = path.length > 0 && typeof path.at(-1) !== 'number';
  return `${text}${isField ? ' that' : ''} ${end}`.trimStart();
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
