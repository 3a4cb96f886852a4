import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexRows, slotAt, visitCells } from '../../../renderer/run/tree/tree-hit';
import { layoutTree } from '../../../renderer/run/tree/tree-layout';
import { FIRST_VIEW, fittedView, toScreen, type View } from '../../../renderer/run/tree/tree-view';

const layout = layoutTree({ length: 300, parentOf: (index) => ((index * 31) % (index + 1)) - 1 });
const index = indexRows(layout);

function pointOf(view: View, slot: number) {
  return toScreen(view, layout.depth[slot] as number, layout.row[slot] as number);
}

describe('what is under a point', () => {
  it('is each node at its own place', () => {
    for (let slot = 0; slot < layout.row.length; slot++) {
      expect(slotAt(layout, index, FIRST_VIEW, pointOf(FIRST_VIEW, slot), 0)).toBe(slot);
    }
  });

  it('is the node all along its chip, and no further', () => {
    const { x, y } = pointOf(FIRST_VIEW, 1);
    expect(slotAt(layout, index, FIRST_VIEW, { x: x + 100, y }, 100)).toBe(1);
    expect(slotAt(layout, index, FIRST_VIEW, { x: x + 115, y }, 100)).not.toBe(1);
  });

  it('is nothing in empty space', () => {
    expect(slotAt(layout, index, FIRST_VIEW, { x: -400, y: -400 }, 100)).toBeNull();
  });

  it('is the nearest node where all are squeezed together', () => {
    const view = fittedView(layout, { width: 200, height: 120 });
    fc.assert(
      fc.property(fc.nat(200), fc.nat(120), (x, y) => {
        const found = slotAt(layout, index, view, { x, y }, 0);
        const distances = Array.from(layout.row, (_, slot) => {
          const point = pointOf(view, slot);
          return Math.hypot(point.x - x, point.y - y);
        });
        const nearest = Math.min(...distances);
        if (found === null) expect(nearest).toBeGreaterThanOrEqual(9);
        else expect(distances[found]).toBeCloseTo(nearest, 6);
      }),
    );
  });
});

describe('a walk through the cells in view', () => {
  it('meets exactly the nodes in them', () => {
    const cells = { firstRow: 2.5, lastRow: 40, firstDepth: 2, lastDepth: 4.2 };
    const met: number[] = [];
    visitCells(layout, index, cells, (slot) => met.push(slot));
    const expected = Array.from(layout.row.keys()).filter((slot) => {
      const row = layout.row[slot] as number;
      const depth = layout.depth[slot] as number;
      return row >= 2.5 && row <= 40 && depth >= 2 && depth <= 4;
    });
    expect(met.sort((a, b) => a - b)).toEqual(expected);
  });
});
