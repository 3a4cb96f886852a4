import { z } from 'zod';
import { failed, ok, printableText, type Result, shortText } from '../../base';

/** Control characters would break lists, logs and file names. */
export const taskIdSchema = z
  .string()
  .min(1, 'is empty')
  .max(200, 'is longer than 200 characters')
  .regex(/^\P{Cc}+$/u, 'has control characters in it');

/** `message` is the end of a sentence: `has no "prompt".`; `value` is the line's JSON where it is JSON. */
export type RowError = { readonly message: string; readonly value: unknown };

/** The end of an error sentence, by the type that the schema expects. */
const IS_NOT: Readonly<Record<string, string>> = {
  string: 'is not text',
  number: 'is not a number',
  int: 'is not a whole number',
  boolean: 'is neither true nor false',
  array: 'is not a list',
  object: 'is not an object',
  record: 'is not an object',
};

/** The end of "has a field that ..." for what a schema has no words of its own for: those of zod make no sentence. */
function endOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return IS_NOT[issue.expected] ?? 'is of another type than it must be';
    case 'invalid_value':
      return `is not ${oneOf(issue.values)}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `is not ${oneOf(issue.options)}`
        : 'has none of the forms that it may have';
    case 'too_small':
      return issue.origin === 'number' ? `is below ${issue.minimum}` : 'is too short';
    case 'too_big':
      return issue.origin === 'number' ? `is above ${issue.maximum}` : 'is too long';
    default:
      return 'does not have the form that it must have';
  }
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`;
}

/** The problem of a value that may have several forms, by the form that it is closest to. */
function closest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const tries = issue.errors.flatMap(([first]) => (first === undefined ? [] : [closest(first)]));
  const best = tries.sort((a, b) => b.path.length - a.path.length)[0];
  if (best === undefined || (best.path.length === 0 && best.code === 'invalid_type')) return issue;
  return { ...best, path: [...issue.path, ...best.path] };
}

function problemOf(found: z.core.$ZodIssue): string {
  const issue = closest(found);
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
  const parsed = schema.safeParse(value, { reportInput: true, error: endOf });
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
