import { describe, expect, test } from 'vitest';
import {
  CHIP_FONT,
  chipMetrics,
  detailOf,
  MARK_WIDTH,
  SHAPE_WIDTH,
  STRIP_WIDTH,
} from '../../../renderer/run/tree/tree-scene';

/** Of one, two and three digits: as wide as in Source Sans 3, and as in a wide font of a system. */
const INDEX_WIDTHS = [6.2, 12.4, 18.6, 25];
const SIZES = [15, 24, 40].flatMap((height) =>
  [40, 62, 80, 110, 160, 300].map((width) => ({ width, height })),
);

describe.each(INDEX_WIDTHS)('a chip whose longest index is %f pixels wide', (indexWidth) => {
  test('has room for it beside the marks, in every size', () => {
    for (const cell of SIZES) {
      if (detailOf(cell, indexWidth) !== 'near') continue;
      const { extent, scale, showStrip } = chipMetrics(cell, indexWidth);
      const behindIndex = (showStrip ? STRIP_WIDTH : 0) + MARK_WIDTH;
      expect(extent / scale - behindIndex).toBeGreaterThan(SHAPE_WIDTH + indexWidth - 1e-6);
      expect(extent).toBeLessThan(cell.width);
    }
  });

  test('is drawn only where its letters can be read', () => {
    for (const cell of SIZES) {
      if (detailOf(cell, indexWidth) !== 'near') continue;
      expect(chipMetrics(cell, indexWidth).font).toBeGreaterThanOrEqual(CHIP_FONT);
    }
  });
});
