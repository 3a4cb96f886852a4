import { expect, test } from 'vitest';
import { trainingColumns } from '../../../renderer/training/training-columns';
import { leastWidth } from '../../support/columns-width';

test.each([828, 940, 1_010, 1_140, 1_232, 1_330])('in %i px the columns of the trainings fit', (width) => {
  const columns = trainingColumns((machineId) => machineId);
  expect(leastWidth(columns, width)).toBeLessThanOrEqual(width);
});
