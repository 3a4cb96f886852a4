import { closingQuote, failed, type JsonSize, jsonSize, ok, type Result } from '../../base';

/**
 * JSON as Python's reader takes it: integers of any size stay exact (their digits, with a sign only below 0), `NaN`,
 * `Infinity` and `-Infinity` are numbers, the last of several equal keys wins.
 */
export type PythonValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly digits: string }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly PythonValue[] }
  | { readonly kind: 'dict'; readonly entries: ReadonlyMap<string, PythonValue> };

type OpenList = { readonly kind: 'list'; readonly items: PythonValue[] };
type OpenDict = { readonly kind: 'dict'; readonly entries: Map<string, PythonValue>; key: string };

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const BLANKS = /[ \t\n\r]*/y;
const WORD = /true|false|null|NaN|Infinity|-Infinity/y;

/** Some 400 MB of values. Python's own reader, with LiveCodeBench's recursion limit, stops before this depth. */
export const PYTHON_JSON_LIMITS: JsonSize = { depth: 100_000, parts: 4_000_000 };

/** The value, or at which character the text stops being JSON or exceeds the limits. */
export function parsePythonJson(
  text: string,
  limits: JsonSize = PYTHON_JSON_LIMITS,
): Result<PythonValue, { readonly at: number }> {
  const size = jsonSize(text, limits);
  if (!size.ok) return size;
  let at = 0;
  const open: (OpenList | OpenDict)[] = [];
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const takeMark = (marks: string): string | null => {
    take(BLANKS);
    const mark = text[at];
    if (mark === undefined || !marks.includes(mark)) return null;
    at += 1;
    return mark;
  };
  const takeString = (): string | null => {
    const end = text[at] === '"' ? closingQuote(text, at) : null;
    if (end === null) return null;
    try {
      // Python refuses raw control characters in strings, so this reader does too.
      const decoded: unknown = JSON.parse(text.slice(at, end + 1));
      at = end + 1;
      return typeof decoded === 'string' ? decoded : null;
    } catch {
      return null;
    }
  };
  const takeKey = (dict: OpenDict): boolean => {
    take(BLANKS);
    const key = takeString();
    if (key === null || takeMark(':') === null) return false;
    dict.key = key;
    return true;
  };
  const broken = () => failed({ at });

  for (;;) {
    // A value begins here. An opening bracket continues the loop, unless the bracket pair is empty.
    let value: PythonValue;
    take(BLANKS);
    if (takeMark('[') !== null) {
      const list: OpenList = { kind: 'list', items: [] };
      if (takeMark(']') === null) {
        open.push(list);
        continue;
      }
      value = list;
    } else if (takeMark('{') !== null) {
      const dict: OpenDict = { kind: 'dict', entries: new Map(), key: '' };
      if (takeMark('}') === null) {
        if (!takeKey(dict)) return broken();
        open.push(dict);
        continue;
      }
      value = dict;
    } else {
      const scalar = takeScalar(take, takeString);
      if (scalar === null) return broken();
      value = scalar;
    }
    // A value has ended here; closing brackets may follow.
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) {
        take(BLANKS);
        return at === text.length ? ok(value) : broken();
      }
      if (container.kind === 'list') container.items.push(value);
      else container.entries.set(container.key, value);
      const mark = takeMark(container.kind === 'list' ? ',]' : ',}');
      if (mark === null) return broken();
      if (mark === ',') {
        if (container.kind === 'dict' && !takeKey(container)) return broken();
        break;
      }
      open.pop();
      value = container;
    }
  }
}

function takeScalar(
  take: (pattern: RegExp) => RegExpExecArray | null,
  takeString: () => string | null,
): PythonValue | null {
  const word = take(WORD)?.[0];
  if (word === 'null') return { kind: 'null' };
  if (word === 'true' || word === 'false') return { kind: 'boolean', value: word === 'true' };
  if (word !== undefined) return { kind: 'float', value: Number(word) };
  const number = take(NUMBER);
  if (number !== null) {
    const isInteger = number[1] === undefined && number[2] === undefined;
    if (isInteger) return { kind: 'integer', digits: number[0] === '-0' ? '0' : number[0] };
    return { kind: 'float', value: Number(number[0]) };
  }
  const text = takeString();
  return text === null ? null : { kind: 'string', value: text };
}
