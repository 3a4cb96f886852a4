/** A nested value of parsed JSON of unknown shape; undefined where the path does not exist. */
export function valueAt(value: unknown, ...way: readonly (string | number)[]): unknown {
  return way.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined;
    return Object.entries(at).find(([key]) => key === String(step))?.[1];
  }, value);
}

/** Parses JSON after possible warnings of a tool; null if the text has none. */
export function jsonIn(text: string): unknown {
  const start = text.search(/^[ \t]*[[{]/m);
  if (start === -1) return null;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return null;
  }
}

/** A number as these tools write it: 12, "12.5", {"value": 12, "unit": "W"}; null for "N/A" and all else. */
export function numberFact(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
  const inner = valueAt(value, 'value');
  return inner === undefined ? null : numberFact(inner);
}

/** A non-empty text; null for "N/A" and all else. */
export function textFact(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' && value.trim() !== 'N/A' ? value.trim() : null;
}

/** The first of several numbers that is one. */
export function firstNumber(...values: readonly unknown[]): number | null {
  return values.map(numberFact).find((value) => value !== null) ?? null;
}

/** Items of a list, whether it stands alone or under a name (amd-smi changed from the first to the second). */
export function listIn(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const inner = valueAt(value, name);
  return Array.isArray(inner) ? inner : [];
}
