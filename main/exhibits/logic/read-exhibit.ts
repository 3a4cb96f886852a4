import { type Exhibit, type ExhibitProblem, exhibitSchema } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { exhibitProblems } from './exhibit-problems';
import { jsonErrorOffset } from './json-error-offset';

/** Enough to see what is wrong; a file of another kind has hundreds. */
const MOST_PROBLEMS = 50;

/** An exhibit from the text of its file, or all that is wrong with it, each with its exact place. */
export function readExhibit(text: string): Result<Exhibit, readonly ExhibitProblem[]> {
  const json = readJson(text);
  if (!json.ok) return failed([{ path: '', message: json.error }]);
  const parsed = exhibitSchema.safeParse(json.value);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, MOST_PROBLEMS);
    return failed(issues.map(({ path, message }) => ({ path: pathWords(path), message: `${message}.` })));
  }
  const problems = exhibitProblems(parsed.data);
  return problems.length > 0 ? failed(problems.slice(0, MOST_PROBLEMS)) : ok(parsed.data);
}

function readJson(text: string): Result<unknown, string> {
  const fault = jsonErrorOffset(text);
  if (fault === null) return ok(JSON.parse(text));
  if (fault === text.length) {
    return failed('This is not JSON: it ends too early; a bracket may not be closed.');
  }
  const before = text.slice(0, fault).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return failed(`This is not JSON: it can not be read from line ${before.length}, column ${column} on.`);
}

/** e.g. "cells[3].configuration". */
function pathWords(path: readonly PropertyKey[]): string {
  let words = '';
  for (const part of path) {
    if (typeof part === 'number') words += `[${part}]`;
    else words += words === '' ? String(part) : `.${String(part)}`;
  }
  return words;
}
