import type { TreeLayout } from './tree-layout';
import { cellSize, type Point, toCell, type View } from './tree-view';

/** Slots sorted by row and depth, to find those near a point or in view without scanning all. */
export type RowIndex = {
  /** `slots[starts[r]] ... slots[starts[r + 1] - 1]` stand in row r. */
  readonly starts: Int32Array;
  readonly slots: Int32Array;
};

/** Two counting sorts (depth, then row): linear time. */
export function indexRows(layout: TreeLayout): RowIndex {
  const count = layout.row.length;
  const byDepth = countingSort(identity(count), layout.depth, layout.depths).slots;
  return countingSort(byDepth, layout.row, layout.rows);
}

function identity(count: number): Int32Array {
  const slots = new Int32Array(count);
  for (let v = 0; v < count; v++) slots[v] = v;
  return slots;
}

function countingSort(order: Int32Array, keys: Int32Array, keyCount: number): RowIndex {
  const starts = new Int32Array(keyCount + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] as number) + 1;
  for (let k = 0; k < keyCount; k++) starts[k + 1] = (starts[k + 1] as number) + (starts[k] as number);
  const next = starts.slice();
  const slots = new Int32Array(order.length);
  for (const slot of order) {
    const key = keys[slot] as number;
    const index = next[key] as number;
    slots[index] = slot;
    next[key] = index + 1;
  }
  return { starts, slots };
}

/** First position in `[from, to)` of a row whose slot's depth is at least `depth`. */
function lowerBound(layout: TreeLayout, slots: Int32Array, from: number, to: number, depth: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((layout.depth[slots[middle] as number] as number) < depth) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Calls `visit` for every slot in these cells (bounds included), row by row, from left to right. */
export function visitCells(
  layout: TreeLayout,
  index: RowIndex,
  cells: {
    readonly firstRow: number;
    readonly lastRow: number;
    readonly firstDepth: number;
    readonly lastDepth: number;
  },
  visit: (slot: number) => void,
): void {
  const lastRow = Math.min(layout.rows - 1, Math.floor(cells.lastRow));
  const firstDepth = Math.ceil(cells.firstDepth);
  for (let row = Math.max(0, Math.ceil(cells.firstRow)); row <= lastRow; row++) {
    const start = index.starts[row] as number;
    const end = index.starts[row + 1] as number;
    let at = firstDepth <= 0 ? start : lowerBound(layout, index.slots, start, end, firstDepth);
    for (; at < end; at++) {
      const slot = index.slots[at] as number;
      if ((layout.depth[slot] as number) > cells.lastDepth) break;
      visit(slot);
    }
  }
}

/** Distance from a node at which a click still hits it, pixels. */
const HIT_RADIUS = 9;

/**
 * The slot at a point of the screen, or null. A node reaches from its shape `extentRight` pixels to the right (the
 * width of its chip, 0 where only shapes are drawn); among several the nearest wins.
 */
export function slotAt(
  layout: TreeLayout,
  index: RowIndex,
  view: View,
  point: Point,
  extentRight: number,
): number | null {
  const cell = cellSize(view);
  const { depth, row } = toCell(view, point);
  let best: number | null = null;
  let bestDistance = HIT_RADIUS;
  visitCells(
    layout,
    index,
    {
      firstRow: row - HIT_RADIUS / cell.height,
      lastRow: row + HIT_RADIUS / cell.height,
      firstDepth: depth - (HIT_RADIUS + extentRight) / cell.width,
      lastDepth: depth + HIT_RADIUS / cell.width,
    },
    (slot) => {
      const along = (depth - (layout.depth[slot] as number)) * cell.width;
      const dx = along < 0 ? -along : Math.max(0, along - extentRight);
      const dy = Math.abs(row - (layout.row[slot] as number)) * cell.height;
      const distance = Math.hypot(dx, dy);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = slot;
      }
    },
  );
  return best;
}
