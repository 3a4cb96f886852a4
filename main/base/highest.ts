/**
 * Whether it is the highest of these; of equal ones each is, and those closer than 1e-9 differ by rounding alone. Without two
 * values there is no highest.
 */
export function isHighest(value: number, all: readonly number[]): boolean {
  return all.length > 1 && value >= Math.max(...all) - 1e-9;
}
