import { expect, test } from 'vitest';
import { headWidth } from '../../../../renderer/shared/studies/outcome-grid';

test('names of a sweep have room beside their squares, and no name takes the room of the squares', () => {
  const name = 'reader, Repeated sampling, nodes 16';
  expect(headWidth([name])).toBeGreaterThan(name.length * 7.4);
  expect(headWidth(['x'.repeat(80)])).toBe(headWidth(['x'.repeat(60)]));
});
