import { type Exhibit, type ExhibitProblem, exhibitSchema } from '../../../preload/contract';
import { failed, ok, pathText, type Result } from '../../base';
import { exhibitProblems } from './exhibit-problems';
import { jsonErrorOffset } from './json-error-offset';

/** Errors to list at most: a file of another kind would have hundreds. */
const MAX_PROBLEMS = 50;

/** Parses an exhibit from the text of its file, or lists everything that is wrong, each with its location. */
export function readExhibit(text: string): Result<Exhibit, readonly ExhibitProblem[]> {
  const json = readJson(text);
  if (!json.ok) return failed([{ path: '', message: json.error }]);
  const parsed = exhibitSchema.safeParse(json.value);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, MAX_PROBLEMS);
    return failed(issues.map((issue) => ({ path: pathText(issue.path), message: messageOf(issue) })));
  }
  const problems = exhibitProblems(parsed.data);
  return problems.length > 0 ? failed(problems.slice(0, MAX_PROBLEMS)) : ok(parsed.data);
}

const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list, in [ ]',
  object: 'an object, in { }',
};

/** The words that may stand there, in place of the validator's notation. */
function messageOf(issue: {
  readonly message: string;
  readonly code?: string;
  readonly values?: unknown;
  readonly expected?: unknown;
}): string {
  const { message, code, values, expected } = issue;
  if (code === 'invalid_type' && typeof expected === 'string') {
    const expectedType = TYPE_LABELS[expected] ?? expected;
    return message.endsWith('received undefined')
      ? `It is missing: ${expectedType}.`
      : `Only ${expectedType} may stand here.`;
  }
  if (code !== 'invalid_value' || !Array.isArray(values)) return `${message}.`;
  return values.length === 1 ? `Only ${values[0]} may stand here.` : `One of: ${values.join(', ')}.`;
}

function readJson(text: string): Result<unknown, string> {
  const offset = jsonErrorOffset(text);
  if (offset === null) return ok(JSON.parse(text));
  if (offset === text.length) {
    return failed('This is not valid JSON: the text ends too early. A bracket may not be closed.');
  }
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return failed(`This is not valid JSON: unexpected character at line ${before.length}, column ${column}.`);
}
