import type { PythonToken } from './python-tokens';

/** One open bracket and what it holds so far. */
type Frame = {
  readonly open: '(' | '[' | '{';
  /** Finished elements, or finished pairs of a dictionary. */
  readonly parts: string[];
  commas: number;
  /** The value after which a comma, a colon or the end must come; null where a value must come. */
  pending: string | null;
  /** For a dictionary: the key whose value comes next or is pending. */
  key: string | null;
  isDictionary: boolean;
};

/**
 * A text that is equal for two literals when Python's == says that they are equal: 1, 1.0 and True are, (1,) and
 * [1] are not. `value` is null when this reader cannot be sure (escapes beyond the common ones, huge numbers).
 */
export type PythonLiteral = { readonly value: string | null };

const words: Readonly<Record<string, string>> = { True: 'n1', False: 'n0', None: 'none' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"' };
/** Stands for a value that cannot be compared; no other value has this sign in it: JSON escapes it. */
const UNSURE = '\u0000';

function numberValue(text: string, negative: boolean): string | null {
  const digits = text.replaceAll('_', '');
  if (/[jJ]$/.test(digits)) return null;
  const value = Number(digits);
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return UNSURE;
  return `n${negative ? 0 - value : value}`;
}

function stringValue(text: string): string | null {
  const quote = text.search(/['"]/);
  const prefix = text.slice(0, quote).toLowerCase();
  if (prefix.includes('f')) return null; // not a literal: it is computed
  const inside = text.slice(quote + 1, -1);
  const kind = prefix.includes('b') ? 'b' : 's';
  if (prefix.includes('r') || !inside.includes('\\')) return kind + JSON.stringify(inside);
  let sure = true;
  const decoded = inside.replace(/\\(.)/g, (_, sign: string) => {
    const character = escapes[sign];
    if (character === undefined) sure = false;
    return character ?? '';
  });
  return sure ? kind + JSON.stringify(decoded) : UNSURE;
}

function scalarValue(token: PythonToken, negative: boolean): string | null {
  if (token.kind === 'number') return numberValue(token.text, negative);
  if (negative) return null;
  if (token.kind === 'string') return stringValue(token.text);
  return token.kind === 'name' ? (words[token.text] ?? null) : null;
}

/** Makes the pending value (or pair) an element. False: a dictionary's value without a key. */
function completePart(frame: Frame): boolean {
  if (frame.pending === null || (frame.isDictionary && frame.key === null)) return false;
  frame.parts.push(frame.isDictionary ? `${frame.key}:${frame.pending}` : frame.pending);
  frame.pending = null;
  frame.key = null;
  return true;
}

/** The value of a bracket that ends here; null when it may not end here. */
function closed(frame: Frame): string | null {
  const { open, parts } = frame;
  const mayEnd = frame.key === null && frame.commas === parts.length; // empty, or after a comma
  if (frame.pending === null ? !mayEnd : !completePart(frame)) return null;
  if (open === '[') return `[${parts.join(',')}]`;
  if (open === '{') {
    const kind = frame.isDictionary || parts.length === 0 ? 'd' : 's';
    return `${kind}{${[...new Set(parts)].sort().join(',')}}`;
  }
  // (1) is 1 in brackets; (1,) is a tuple.
  return parts.length === 1 && frame.commas === 0 ? (parts[0] ?? null) : `(${parts.join(',')})`;
}

/** A colon makes what is pending the key of a pair. */
function beginPair(frame: Frame): boolean {
  if (frame.open !== '{' || frame.pending === null || frame.key !== null) return false;
  if (!frame.isDictionary && frame.parts.length > 0) return false;
  frame.isDictionary = true;
  frame.key = frame.pending;
  frame.pending = null;
  return true;
}

const openers: Readonly<Record<string, Frame['open']>> = { ')': '(', ']': '[', '}': '{' };

/** Reads tokens that are one Python literal from the first to the last; null when they are anything else. */
export function pythonLiteral(tokens: readonly PythonToken[]): PythonLiteral | null {
  const root: Frame = { open: '(', parts: [], commas: 0, pending: null, key: null, isDictionary: false };
  const frames: Frame[] = [root];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as PythonToken;
    const frame = frames.at(-1) as Frame;
    const mark = token.kind === 'mark' ? token.text : '';
    if (mark in openers) {
      const outer = frames.at(-2);
      const value = openers[mark] === frame.open ? closed(frame) : null;
      if (outer === undefined || value === null) return null;
      frames.pop();
      outer.pending = value;
    } else if (frame.pending !== null) {
      if (mark === ',' && frame !== root && completePart(frame)) frame.commas += 1;
      else if (mark !== ':' || !beginPair(frame)) return null;
    } else if (mark === '(' || mark === '[' || mark === '{') {
      frames.push({ open: mark, parts: [], commas: 0, pending: null, key: null, isDictionary: false });
    } else {
      const negative = mark === '-';
      const scalar = negative ? tokens[++i] : token;
      const value = scalar === undefined ? null : scalarValue(scalar, negative);
      if (value === null) return null;
      frame.pending = value;
    }
  }
  if (frames.length > 1 || root.pending === null) return null;
  return { value: root.pending.includes(UNSURE) ? null : root.pending };
}
