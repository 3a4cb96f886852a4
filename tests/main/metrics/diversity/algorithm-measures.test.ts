import { describe, expect, it } from 'vitest';
import { areaUnderDistinct, distinctAlgorithms, effectiveAlgorithms } from '../../../../main/metrics';

describe('clusters of sizes 3 and 1', () => {
  it.each([
    [1, 1],
    [2, 1.5],
    [3, 1.75],
    [4, 2],
    [5, 2],
  ])('give %i draws %f algorithms', (k, expected) => {
    expect(distinctAlgorithms([3, 1], k)).toBeCloseTo(expected, 12);
  });

  it('are worth 1.7548 equal ones', () => {
    // exp(0.75 ln(4/3) + 0.25 ln 4)
    expect(effectiveAlgorithms([3, 1])).toBeCloseTo((4 / 3) ** 0.75 * 4 ** 0.25, 12);
    expect(effectiveAlgorithms([3, 1])).toBeCloseTo(1.7548, 4);
  });

  it('have an area of 1.9479', () => {
    // Trapezoids: (1 + 1.5) / 2 + (1.5 + 1.75) / 2 + (1.75 + 2) / 2 + 21 * 2, over 24.
    expect(areaUnderDistinct([3, 1])).toBeCloseTo((1.25 + 1.625 + 1.875 + 42) / 24, 12);
    expect(areaUnderDistinct([3, 1])).toBeCloseTo(1.9479, 4);
  });
});

it('the algorithms in K draws are the mean over all ways to draw', () => {
  const sizes = [4, 2, 1, 2];
  const members = sizes.flatMap((size, cluster) => Array<number>(size).fill(cluster));
  for (let k = 1; k <= members.length; k++) {
    let [ways, algorithms] = [0, 0];
    for (let drawn = 0; drawn < 1 << members.length; drawn++) {
      const taken = members.filter((_, i) => (drawn >> i) & 1);
      if (taken.length !== k) continue;
      ways += 1;
      algorithms += new Set(taken).size;
    }
    expect(distinctAlgorithms(sizes, k)).toBeCloseTo(algorithms / ways, 12);
  }
});

it.each([
  [[5], 1],
  [[2, 2, 2], 3],
])('clusters of equal sizes %j are worth their number', (sizes, number) => {
  expect(effectiveAlgorithms(sizes)).toBeCloseTo(number, 12);
});
