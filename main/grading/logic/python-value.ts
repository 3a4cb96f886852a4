/**
 * A value of a candidate with its Python type, as resources/grader/mars2_grader/encode.py writes it. `of` is an
 * instance of a subclass; `other` is anything that no value of these kinds can equal.
 */
export type PythonObject =
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** In decimal; in hexadecimal ("-0x1f...") where it is beyond all floats. */
  | { readonly kind: 'int'; readonly digits: string }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'complex'; readonly real: number; readonly imaginary: number }
  | { readonly kind: 'str' | 'bytes'; readonly text: string }
  | { readonly kind: 'list' | 'tuple' | 'set' | 'frozenset'; readonly items: readonly PythonObject[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [PythonObject, PythonObject])[] }
  | { readonly kind: 'of'; readonly name: string; readonly base: PythonObject }
  /** A value of another type, known by its `repr` only, e.g. a date. Two are equal if type and text are equal. */
  | { readonly kind: 'value'; readonly name: string; readonly text: string }
  | { readonly kind: 'other'; readonly name: string };

/** Reads one encoded value, nested at most as deeply as encode.py writes; null if the text is invalid. */
export function readPythonObject(encoded: unknown): PythonObject | null {
  if (!Array.isArray(encoded)) return null;
  const [kind, first, second]: readonly unknown[] = encoded;
  switch (kind) {
    case 'none':
      return { kind };
    case 'bool':
      return typeof first === 'boolean' ? { kind, value: first } : null;
    case 'int':
      return typeof first === 'string' && /^-?(?:\d{1,310}|0x[\da-f]+)$/.test(first)
        ? { kind, digits: first }
        : null;
    case 'float':
      return typeof first === 'string' ? { kind, value: floatOf(first) } : null;
    case 'complex':
      if (typeof first !== 'string' || typeof second !== 'string') return null;
      return { kind, real: floatOf(first), imaginary: floatOf(second) };
    case 'str':
    case 'bytes':
      return typeof first === 'string' ? { kind, text: first } : null;
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset': {
      const items = readAll(first);
      return items === null ? null : { kind, items };
    }
    case 'dict': {
      const pairs = Array.isArray(first) ? first.map(readAll) : [];
      const entries = pairs.flatMap((pair) => {
        const [key, value] = pair ?? [];
        return key === undefined || value === undefined ? [] : [[key, value] as const];
      });
      return entries.length === pairs.length ? { kind, entries } : null;
    }
    case 'of': {
      const base = readPythonObject(second);
      return base === null || typeof first !== 'string' ? null : { kind, name: first, base };
    }
    case 'value':
      if (typeof first !== 'string' || typeof second !== 'string') return null;
      return { kind, name: first, text: second };
    case 'other':
      return typeof first === 'string' ? { kind, name: first } : null;
    default:
      return null;
  }
}

/** The value without its subclasses' names. */
export function baseOf(value: PythonObject): PythonObject {
  return value.kind === 'of' ? baseOf(value.base) : value;
}

/** The name of `type(value)`. */
export function typeName(value: PythonObject): string {
  return 'name' in value ? value.name : value.kind;
}

function readAll(encoded: unknown): readonly PythonObject[] | null {
  if (!Array.isArray(encoded)) return null;
  const items = encoded.flatMap((item) => readPythonObject(item) ?? []);
  return items.length === encoded.length ? items : null;
}

/** The float that Python makes of an integer; one beyond all floats is infinite here. */
export function floatOfInteger(digits: string): number {
  if (!digits.includes('x')) return Number(digits);
  return digits.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** From Python's `repr` of a float. */
function floatOf(text: string): number {
  if (text === 'inf') return Number.POSITIVE_INFINITY;
  return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
