/**
 * Whether the value is the highest of these, ties included; values closer than 1e-9 are ties, because they differ by
 * rounding only. Without two values there is no highest.
 */
export function isHighest(value: number, all: readonly number[]): boolean {
  return all.length > 1 && value >= Math.max(...all) - 1e-9;
}
