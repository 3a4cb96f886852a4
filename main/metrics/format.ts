/** Formats numbers and lists for sentences. */

/** Percentage points with one decimal; a true minus sign, and no minus zero. */
export function formatPoints(rate: number): string {
  const rounded = Math.round(rate * 1000) / 10;
  return (rounded < 0 ? '\u2212' : '') + Math.abs(rounded).toFixed(1);
}

export function formatList(names: readonly string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** e.g. "p < 0.0001", "p = 0.0042", "p = 0.31". */
export function formatP(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${p < 0.01 ? p.toFixed(4) : p.toFixed(2)}`;
}
