import { expect, test } from 'vitest';
import { progressMeasure } from '../../../renderer/text/exhibits';

test('a share of a reproduction says what it is a share of', () => {
  expect(progressMeasure({ progress: { share01: 0.3, of: 'time' } })).toBe('of the time');
  expect(progressMeasure({ progress: { share01: 0.3, of: 'steps' } })).toBe('of the steps');
});
