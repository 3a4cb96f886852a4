import { expect, test } from 'vitest';
import { TOUR } from '../../../renderer/shell/tour-steps';

test('the tour has four steps at most, each of a few words', () => {
  expect(TOUR.length).toBeLessThanOrEqual(4);
  for (const { title, text } of TOUR) {
    expect(title.length).toBeLessThanOrEqual(32);
    expect(text.length).toBeLessThanOrEqual(170);
  }
});
