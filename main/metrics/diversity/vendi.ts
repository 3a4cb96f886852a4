import { symmetricEigenvalues } from './eigenvalues';

/** A vector and the number of items that have it. */
export type WeightedVector = { readonly vector: Float64Array; readonly count: number };

/**
 * Vendi score (Friedman and Dieng, arXiv 2210.02410) with the cosine as kernel: exp of the entropy of the eigenvalues
 * of K / n; between 1 (all alike) and n. Zero vectors are left out; null if none remain. Vectors are of equal length.
 * With gradients as vectors it is G-Vendi.
 */
export function vendiScore(items: readonly WeightedVector[]): number | null {
  const units = items.flatMap(({ vector, count }) => {
    const length = Math.sqrt(dot(vector, vector));
    return length > 0 && count > 0 ? [{ unit: vector.map((value) => value / length), count }] : [];
  });
  const total = units.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const width = units[0]?.unit.length ?? 0;
  const eigenvalues =
    units.length <= width
      ? symmetricEigenvalues(similarities(units, total), units.length)
      : symmetricEigenvalues(moments(units, total, width), width);
  let entropy = 0;
  for (const value of eigenvalues) if (value > 0) entropy -= value * Math.log(value);
  return Math.exp(entropy);
}

type WeightedUnit = { readonly unit: Float64Array; readonly count: number };

/** K / n without its repeated rows: a row shared by c items is weighted by sqrt(c), which keeps the eigenvalues. */
function similarities(units: readonly WeightedUnit[], total: number): Float64Array {
  const size = units.length;
  const matrix = new Float64Array(size * size);
  for (const [i, unit] of units.entries()) {
    for (let j = 0; j <= i; j++) {
      const other = units[j] as WeightedUnit;
      const value = (dot(unit.unit, other.unit) * Math.sqrt(unit.count * other.count)) / total;
      matrix[i * size + j] = value;
      matrix[j * size + i] = value;
    }
  }
  return matrix;
}

/** The sum of g gT / n, which has the same nonzero eigenvalues. */
function moments(units: readonly WeightedUnit[], total: number, width: number): Float64Array {
  const matrix = new Float64Array(width * width);
  for (const { unit, count } of units) {
    for (let i = 0; i < width; i++) {
      const weight = ((unit[i] as number) * count) / total;
      if (weight === 0) continue;
      for (let j = 0; j < width; j++) {
        matrix[i * width + j] = (matrix[i * width + j] as number) + weight * (unit[j] as number);
      }
    }
  }
  return matrix;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
