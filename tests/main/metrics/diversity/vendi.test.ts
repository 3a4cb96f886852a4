import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../../main/base';
import { symmetricEigenvalues, tokenCounts, vendiScore } from '../../../../main/metrics';

const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b);

/** A symmetric matrix with these eigenvalues: a diagonal one, mirrored at random planes. */
function matrixWith(eigenvalues: readonly number[], name: string): Float64Array {
  const random = randomStream(name);
  const n = eigenvalues.length;
  const matrix = new Float64Array(n * n);
  for (const [i, value] of eigenvalues.entries()) matrix[i * n + i] = value;
  const at = (i: number, j: number) => matrix[i * n + j] ?? 0;
  for (let times = 0; times < 3; times++) {
    const normal = Array.from({ length: n }, () => random.normal());
    const square = normal.reduce((sum, value) => sum + value * value, 0);
    for (let j = 0; j < n; j++) {
      const along = (2 / square) * normal.reduce((sum, value, i) => sum + value * at(i, j), 0);
      for (let i = 0; i < n; i++) matrix[i * n + j] = at(i, j) - along * (normal[i] ?? 0);
    }
    for (let i = 0; i < n; i++) {
      const along = (2 / square) * normal.reduce((sum, value, j) => sum + value * at(i, j), 0);
      for (let j = 0; j < n; j++) matrix[i * n + j] = at(i, j) - along * (normal[j] ?? 0);
    }
  }
  return matrix;
}

describe('eigenvalues', () => {
  it.each([
    [[3]],
    [[2, -1]],
    [[1, 1, 1, 1]],
    [[0, 0, 0, 5]],
    [[1e-9, 1, 1000]],
    [Array.from({ length: 60 }, (_, i) => (i < 40 ? 0 : i / 10))],
    [Array.from({ length: 90 }, (_, i) => Math.sin(i) * 3)],
  ])('of a matrix made with them are found: %j', (eigenvalues) => {
    const found = sorted(symmetricEigenvalues(matrixWith(eigenvalues, 'mirror'), eigenvalues.length));
    const scale = Math.max(...eigenvalues.map(Math.abs));
    for (const [i, value] of sorted(eigenvalues).entries())
      expect(Math.abs((found[i] ?? Number.NaN) - value)).toBeLessThan(1e-12 * scale);
  });

  it('of the vibrating string are 2 - 2 cos(k pi / (n + 1))', () => {
    const n = 40;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      matrix[i * n + i] = 2;
      if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
    }
    const found = sorted(symmetricEigenvalues(matrix, n));
    for (const [i, value] of found.entries())
      expect(value).toBeCloseTo(2 - 2 * Math.cos(((i + 1) * Math.PI) / (n + 1)), 12);
  });
});

const items = (...vectors: readonly (readonly number[])[]) =>
  vectors.map((vector) => ({ vector: Float64Array.from(vector), count: 1 }));

describe('the Vendi score', () => {
  it('is 1 for equal items of any length', () => {
    expect(vendiScore(items([1, 2], [2, 4], [5, 10]))).toBeCloseTo(1, 12);
  });

  it('is their number of items that have nothing in common', () => {
    expect(vendiScore(items([1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0]))).toBeCloseTo(3, 12);
  });

  it.each([0.1, 0.5, 0.9])('of four items at the same similarity %f is as by hand', (similarity) => {
    // K = (1 - s) I + s 11T: eigenvalues of K / 4 are (1 + 3 s) / 4 once and (1 - s) / 4 three times.
    const [own, common] = [Math.sqrt(1 - similarity), Math.sqrt(similarity)];
    const vectors = [0, 1, 2, 3].map((i) =>
      [0, 1, 2, 3, 4].map((j) => (j === 4 ? common : i === j ? own : 0)),
    );
    const parts = [(1 + 3 * similarity) / 4, ...Array<number>(3).fill((1 - similarity) / 4)];
    const expected = Math.exp(-parts.reduce((sum, part) => sum + part * Math.log(part), 0));
    expect(vendiScore(items(...vectors))).toBeCloseTo(expected, 10);
  });

  it('is the same of many items as of few with counts, and in many or few dimensions', () => {
    const few = items([1, 0.5, 0], [0, 1, 1], [1, 1, 1]);
    const counted = few.map((item, i) => ({ ...item, count: i + 1 }));
    const many = few.flatMap((item, i) => Array<typeof item>(i + 1).fill(item));
    const wide = counted.map(({ vector, count }) => ({
      vector: Float64Array.from([...vector, 0, 0, 0, 0, 0]),
      count,
    }));
    expect(vendiScore(counted)).toBeCloseTo(vendiScore(many) ?? 0, 10);
    expect(vendiScore(wide)).toBeCloseTo(vendiScore(many) ?? 0, 10);
  });

  it('leaves out zero vectors, and is unknown of nothing else', () => {
    expect(vendiScore(items([0, 0], [1, 1]))).toBeCloseTo(1, 12);
    expect(vendiScore(items([0, 0]))).toBeNull();
    expect(vendiScore([])).toBeNull();
  });
});

describe('token counts', () => {
  it('count names, numbers, texts and signs, but no comments and spaces', () => {
    const [counts] = tokenCounts(['x = x + 10 # x\nprint("a b", x)']);
    // x = + 10 print ( "a b" , )
    expect([...(counts ?? [])]).toEqual([3, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('are over one vocabulary', () => {
    const [one, other] = tokenCounts(['a b', 'b c']);
    expect([...(one ?? [])]).toEqual([1, 1, 0]);
    expect([...(other ?? [])]).toEqual([0, 1, 1]);
  });
});
