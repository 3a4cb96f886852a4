import { parsedJson } from '../../base';

/**
 * JSON as it is written. `JSON.parse` makes 1 of 1.0 and loses digits of large numbers, which are other values in
 * Python; and it refuses NaN, which Python's json writes. Here a list or an object is only cut into the texts of its
 * parts. Nested parts are not checked: the caller parses them.
 */

const space = /[ \t\r\n]*/y;
const scalarText = /[^\s,\]}[{":]+/y;
/** All that can matter inside a bracket: the beginning of a string, and further brackets. */
const structure = /["[\]{}]/g;

function afterSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}

function ends(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Index behind the string that begins at `at`. Not with a regular expression: over megabytes it runs out of stack. */
function stringEnd(text: string, at: number): number | null {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return null;
}

/** Lists and objects in each other. Python's own reader gives up about there, and no value of a benchmark comes near. */
const MAX_NESTED = 1_000;

/** Index behind the value that begins at `at`; null when none does, it does not end, or it is nested too deeply. */
function valueEnd(text: string, at: number): number | null {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first !== '[' && first !== '{') return ends(scalarText, text, at);
  structure.lastIndex = at;
  const open: string[] = [];
  for (let match = structure.exec(text); match !== null; match = structure.exec(text)) {
    const sign = match[0];
    if (sign === '"') {
      const end = stringEnd(text, match.index);
      if (end === null) return null;
      structure.lastIndex = end;
    } else if (sign === '[') open.push(']');
    else if (sign === '{') open.push('}');
    else {
      if (open.pop() !== sign) return null;
      if (open.length === 0) return structure.lastIndex;
    }
    if (open.length > MAX_NESTED) return null;
  }
  return null;
}

type Part = { readonly key: string; readonly value: string };

/** The parts of the list or object that the text is; null when it is none. Keys of a list are ''. */
function parts(text: string, open: '[' | '{', close: ']' | '}'): readonly Part[] | null {
  let at = afterSpace(text, 0);
  if (text[at] !== open) return null;
  at = afterSpace(text, at + 1);
  const found: Part[] = [];
  if (text[at] === close) return afterSpace(text, at + 1) === text.length ? found : null;
  for (;;) {
    let key = '';
    if (open === '{') {
      const keyEnd = text[at] === '"' ? valueEnd(text, at) : null;
      if (keyEnd === null) return null;
      key = text.slice(at, keyEnd);
      at = afterSpace(text, keyEnd);
      if (text[at] !== ':') return null;
      at = afterSpace(text, at + 1);
    }
    const end = valueEnd(text, at);
    if (end === null) return null;
    found.push({ key, value: text.slice(at, end) });
    at = afterSpace(text, end);
    if (text[at] === close) return afterSpace(text, at + 1) === text.length ? found : null;
    if (text[at] !== ',') return null;
    at = afterSpace(text, at + 1);
  }
}

/** The elements' texts; null when the text is no JSON list. */
export function rawElements(text: string): readonly string[] | null {
  return parts(text, '[', ']')?.map(({ value }) => value) ?? null;
}

/** The fields' texts by name, the last of a name twice as in JSON; null when the text is no JSON object. */
export function rawFields(text: string): ReadonlyMap<string, string> | null {
  const found = parts(text, '{', '}');
  if (found === null) return null;
  const fields = new Map<string, string>();
  for (const { key, value } of found) {
    const name = parsedJson(key);
    if (typeof name !== 'string') return null;
    fields.set(name, value);
  }
  return fields;
}

/** Is it JSON as Python's json module reads and writes it, which also allows NaN, Infinity and -Infinity? Not
 * where it is nested more than 1,000 deep. */
export function isPythonJson(text: string): boolean {
  if (valueEnd(text, afterSpace(text, 0)) === null) return false;
  const plain: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const outside = text.slice(at, quote === -1 ? text.length : quote);
    plain.push(outside.replace(/-?\bInfinity\b|\bNaN\b/g, '0'));
    if (quote === -1) break;
    const end = stringEnd(text, quote);
    if (end === null) return false;
    plain.push(text.slice(quote, end));
    at = end;
  }
  return parsedJson(plain.join('')) !== undefined;
}
