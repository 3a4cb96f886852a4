import { expect, test } from 'vitest';
import { studyColumns } from '../../../renderer/studies/study-columns';
import { leastWidth } from '../../support/columns-width';

/** The button that chooses the columns. */
const CHOICE = 18;

test.each([756, 800, 890, 990, 1_110, 1_232, 1_330, 1_410, 1_540])('in %i px the columns fit', (width) => {
  const columns = studyColumns(new Set(), () => {});
  expect(leastWidth(columns, width) + CHOICE).toBeLessThanOrEqual(width);
});
