import { z } from 'zod';

/** What a value is not, by the type that the schema wants. */
const IS_NOT: Readonly<Record<string, string>> = {
  string: 'is not text',
  number: 'is not a number',
  int: 'is not a whole number',
  boolean: 'is neither true nor false',
  array: 'is not a list',
  object: 'is not an object',
  record: 'is not an object',
};

const UNIT: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };

/** Of a value that is not there. */
export const MISSING = 'is missing';

/** The end of "it ..." for what a schema has no words of its own for: those of zod make no sentence. */
function endOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return MISSING;
      return IS_NOT[issue.expected] ?? 'is of another type than it must be';
    case 'invalid_value':
      return `is not ${oneOf(issue.values)}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `is not ${oneOf(issue.options)}`
        : 'has none of the forms that it may have';
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is no name that it may have';
    case 'unrecognized_keys':
      return `has what is not known: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'too_small': {
      const unit = UNIT[issue.origin];
      if (unit === undefined) return `is ${issue.inclusive ? 'below' : 'not above'} ${issue.minimum}`;
      return issue.minimum === 1 ? 'is empty' : `has fewer than ${issue.minimum} ${unit}`;
    }
    case 'too_big': {
      const unit = UNIT[issue.origin];
      if (unit === undefined) return `is ${issue.inclusive ? 'above' : 'not below'} ${issue.maximum}`;
      return `has more than ${issue.maximum} ${unit}`;
    }
    default:
      return 'does not have the form that it must have';
  }
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`;
}

// Last in zod's order: the words of a schema win.
z.config({ localeError: endOf });

/** Of a value that may have several forms: what is wrong by the form that it comes closest to. */
export function closestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const tries = issue.errors.flatMap(([first]) => (first === undefined ? [] : [closestIssue(first)]));
  const best = tries.sort((a, b) => b.path.length - a.path.length)[0];
  if (best === undefined || (best.path.length === 0 && best.code === 'invalid_type')) return issue;
  return { ...best, path: [...issue.path, ...best.path] };
}

/** Of a refused value, in characters. */
const LONGEST_SHOWN = 60;

/**
 * Why a command's payload is refused, parsed with `reportInput`: the field, as its option is written, and what is wrong with
 * it. The command is named where no field is to blame.
 */
export function payloadProblem(command: string, { issues }: z.ZodError): string {
  const issue = issues[0] === undefined ? undefined : closestIssue(issues[0]);
  const { path = [], message = 'does not have the form that it must have', input, code } = issue ?? {};
  // The name of an entry was typed as a value; the field is what it is in.
  const isEntry = code === 'invalid_key' || typeof path.at(-1) === 'number';
  const names = path
    .slice(0, code === 'invalid_key' ? -1 : undefined)
    .filter((part) => typeof part === 'string');
  if (names.length === 0) return `The command "${command}" got an invalid value: it ${message}.`;
  const isShown = isEntry && typeof input === 'string' && input.length <= LONGEST_SHOWN;
  const subject = isShown ? `“${input}” ` : /^(is|has|does|must)\b/.test(message) ? 'it ' : '';
  const option = names.join(' ').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${option}: ${subject}${message}.`;
}
