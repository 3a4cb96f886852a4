import { expect, test } from 'vitest';
import { seedsP, smallestSignFlip } from '../../../main/metrics/seeds-test';

test('two seeds give no p, however well they agree', () => {
  expect(seedsP([0.1, 0.1001])).toBeNull();
  expect(seedsP([0.1, 0.11, 0.12])).toBeLessThan(0.05);
});

test.each([
  [2, '0.50'],
  [5, '0.063'],
  [8, '0.0078'],
])('signs of %i seeds cannot give less than p = %s', (seeds, p) => {
  expect(smallestSignFlip(seeds)).toBe(p);
});
