import { describe, expect, it } from 'vitest';
import { layoutTree } from '../../../renderer/run/tree/tree-layout';
import {
  cellSize,
  FIRST_VIEW,
  fittedView,
  isInside,
  panned,
  revealed,
  smallestZoom,
  toCell,
  toScreen,
  zoomedAt,
} from '../../../renderer/run/tree/tree-view';

const pane = { width: 600, height: 500 };
const wide = layoutTree({ length: 2_000, parentOf: (index) => (index % 4 === 0 ? -1 : index - 1) });
const small = layoutTree({ length: 3, parentOf: (index) => index - 1 });

describe('the view of a tree', () => {
  it('shows a small tree undistorted from the corner', () => {
    expect(fittedView(small, { width: 900, height: 500 })).toEqual(FIRST_VIEW);
  });

  it('fits all rows and columns of a large tree', () => {
    const view = fittedView(wide, pane);
    for (let slot = 0; slot < wide.row.length; slot++) {
      expect(isInside(view, pane, wide.depth[slot] as number, wide.row[slot] as number)).toBe(true);
    }
  });

  it('keeps what is under the pointer there while zooming', () => {
    const point = { x: 321, y: 87 };
    const before = fittedView(wide, pane);
    const cell = toCell(before, point);
    for (const zoom of [0.05, 0.7, 1, 2.5]) {
      const there = toScreen(zoomedAt(before, point, zoom, 0.001), cell.depth, cell.row);
      expect(there.x).toBeCloseTo(point.x, 6);
      expect(there.y).toBeCloseTo(point.y, 6);
    }
  });

  it('is undistorted again at zoom 1', () => {
    const view = zoomedAt(fittedView(wide, pane), { x: 0, y: 0 }, 1, 0.001);
    expect(cellSize(view)).toEqual(cellSize(FIRST_VIEW));
  });

  it('stops between half of the fitted zoom and three times the actual size', () => {
    const smallest = smallestZoom(wide, pane);
    const view = fittedView(wide, pane);
    expect(zoomedAt(view, { x: 0, y: 0 }, 0, smallest).zoom).toBe(smallest);
    expect(zoomedAt(view, { x: 0, y: 0 }, 99, smallest).zoom).toBe(3);
  });

  it('brings a node into view by the shortest way and leaves a visible one alone', () => {
    expect(revealed(FIRST_VIEW, pane, 1, 3)).toBe(FIRST_VIEW);
    const far = revealed(FIRST_VIEW, pane, 1, 400);
    expect(far.x).toBe(FIRST_VIEW.x);
    expect(isInside(far, pane, 1, 400)).toBe(true);
    expect(isInside(revealed(panned(FIRST_VIEW, -5_000, 0), pane, 2, 0), pane, 2, 0)).toBe(true);
  });
});
