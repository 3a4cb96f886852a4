import { expect, test } from 'vitest';
import { studyColumns } from '../../../renderer/studies/study-columns';
import { fittingColumns } from '../../../renderer/widgets/data-table';

/** Between two columns, and around a row with the button that chooses the columns, with its scroll bar's room. */
const [GAP, FRAME] = [10, 42 + 10];

const leastWidth = (track: string) => Number(/\d+/.exec(track)?.[0]);

test.each([800, 890, 990, 1_110, 1_232, 1_330, 1_410, 1_540])(
  'in %i px the columns of the studies fit',
  (width) => {
    const columns = fittingColumns(
      studyColumns(new Set(), () => {}),
      width,
      [],
    );
    const needed = columns.reduce((sum, { track }) => sum + leastWidth(track) + GAP, FRAME - GAP);
    expect(needed).toBeLessThanOrEqual(width);
  },
);
