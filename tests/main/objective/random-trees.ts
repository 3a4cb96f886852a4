import fc from 'fast-check';
import type { Random } from '../../../main/base';

export type RandomTree = { parents: number[]; raw: number[] };

/** Trees of 1 to `most` nodes whose parents stand before them, with rewards in steps of a quarter. */
export function anyTree(most: number): fc.Arbitrary<RandomTree> {
  return fc
    .array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(4)), {
      minLength: 1,
      maxLength: most,
    })
    .map((rows) => ({
      parents: rows.map(([share], node) => Math.floor(share * (node + 1)) - 1),
      raw: rows.map(([, quarters]) => quarters / 4),
    }));
}

export function randomTree(random: Random, nodes: number): RandomTree {
  return {
    parents: Array.from({ length: nodes }, (_, node) => random.integer(node + 1) - 1),
    raw: Array.from({ length: nodes }, () => random.integer(5) / 4),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function expectClose(actual: readonly number[], wanted: readonly number[], largest = 1e-9): void {
  if (actual.length !== wanted.length) throw new Error(`${actual.length} values, wanted ${wanted.length}`);
  actual.forEach((value, i) => {
    const expected = wanted[i] as number;
    if (!(Math.abs(value - expected) <= largest * Math.max(1, Math.abs(expected)))) {
      throw new Error(`value ${i} is ${value}, wanted ${expected}`);
    }
  });
}
