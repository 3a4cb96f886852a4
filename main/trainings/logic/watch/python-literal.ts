/** The value of a Python literal; anything else in it, e.g. `<object at 0x1>`, makes the whole unreadable. */
export type PythonValue =
  | number
  | string
  | boolean
  | null
  | readonly PythonValue[]
  | ReadonlyMap<string, PythonValue>;

/** No trainer prints deeper nesting; a hostile line must not exhaust the stack. */
const MAX_DEPTH = 32;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Parses the literal that begins at `from`, as `repr` prints it (never evaluates anything): dictionaries, lists, tuples,
 * strings, numbers, `nan`, `inf`, True, False, None, and a value wrapped in a call such as `np.float64(0.5)` or
 * `tensor(0.5, device='cuda:0')`. Keys become strings. null: there is none, or it is incomplete.
 */
export function pythonLiteral(
  text: string,
  from = 0,
): { readonly value: PythonValue; readonly end: number } | null {
  const reader = new LiteralReader(text, from);
  const value = reader.value(0);
  return value === undefined ? null : { value, end: reader.at };
}

class LiteralReader {
  readonly #text: string;
  at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.at = from;
  }

  /** undefined: not readable. */
  value(depth: number): PythonValue | undefined {
    if (depth > MAX_DEPTH) return undefined;
    this.#space();
    const mark = this.#text[this.at] ?? '';
    if (mark === '{') return this.#braces(depth);
    if (mark === '[' || mark === '(') {
      this.at += 1;
      return this.#items(mark === '[' ? ']' : ')', depth);
    }
    if (mark === "'" || mark === '"') return this.#quoted(mark, false);
    const number = this.#match(/[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?j?/y);
    if (number !== null) return number.endsWith('j') ? undefined : Number(number.replaceAll('_', ''));
    const nonFinite = this.#match(/[+-]?(?:nan|inf)\b/y);
    if (nonFinite !== null) return nonFiniteNumber(nonFinite);
    return this.#named(depth);
  }

  #named(depth: number): PythonValue | undefined {
    const name = this.#match(/[A-Za-z_][\w.]*/y);
    if (name === null) return undefined;
    const next = this.#text[this.at] ?? '';
    if (/^[bBrRuU]{1,2}$/.test(name) && (next === "'" || next === '"'))
      return this.#quoted(next, /r/i.test(name));
    if (next === '(') {
      this.at += 1;
      const inner = this.#items(')', depth);
      return Array.isArray(inner) ? inner[0] : undefined;
    }
    if (name === 'None') return null;
    if (name === 'True') return true;
    return name === 'False' ? false : undefined;
  }

  /** A dictionary or a set. */
  #braces(depth: number): PythonValue | undefined {
    this.at += 1;
    const entries = new Map<string, PythonValue>();
    const members: PythonValue[] = [];
    for (;;) {
      if (this.#eat('}')) return members.length > 0 ? members : entries;
      const key = this.value(depth + 1);
      if (key === undefined) return undefined;
      if (this.#eat(':')) {
        const value = this.value(depth + 1);
        if (value === undefined) return undefined;
        entries.set(String(key), value);
      } else members.push(key);
      if (!this.#eat(',') && !this.#sees('}')) return undefined;
    }
  }

  /** After the opening bracket; keyword arguments are parsed and dropped. */
  #items(close: string, depth: number): readonly PythonValue[] | undefined {
    const items: PythonValue[] = [];
    for (;;) {
      if (this.#eat(close)) return items;
      this.#space();
      const isNamed = this.#match(/[A-Za-z_]\w*=(?!=)/y) !== null;
      const item = this.#wholeItem(depth, close);
      if (item === undefined) return undefined;
      if (!isNamed) items.push(item);
      if (!this.#eat(',') && !this.#sees(close)) return undefined;
    }
  }

  /** `torch.bfloat16` and `<MeanBackward0>` in keyword arguments are not literals, but harmless. */
  #wholeItem(depth: number, close: string): PythonValue | undefined {
    const start = this.at;
    const item = this.value(depth + 1);
    if (item !== undefined || close !== ')') return item;
    this.at = start;
    return this.#match(/[\w.<>]+/y) ?? undefined;
  }

  #quoted(quote: string, isRaw: boolean): string | undefined {
    this.at += 1;
    let text = '';
    for (;;) {
      const mark = this.#text[this.at];
      if (mark === undefined) return undefined;
      this.at += 1;
      if (mark === quote) return text;
      text += mark === '\\' && !isRaw ? this.#escaped() : mark;
    }
  }

  #escaped(): string {
    const mark = this.#text[this.at] ?? '';
    this.at += 1;
    const digits = HEX_DIGITS[mark];
    if (digits === undefined) return ESCAPES[mark] ?? mark;
    const code = Number.parseInt(this.#text.slice(this.at, this.at + digits), 16);
    this.at += digits;
    return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text)?.[0] ?? null;
    if (match !== null) this.at += match.length;
    return match;
  }

  #sees(mark: string): boolean {
    this.#space();
    return this.#text[this.at] === mark;
  }

  #eat(mark: string): boolean {
    if (!this.#sees(mark)) return false;
    this.at += 1;
    return true;
  }

  #space(): void {
    while (this.#text[this.at] === ' ' || this.#text[this.at] === '\n' || this.#text[this.at] === '\t')
      this.at += 1;
  }
}

/** "nan", "inf" and "-inf" as Python prints them; NaN for anything else. */
export function nonFiniteNumber(text: string): number {
  if (!text.endsWith('inf')) return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
