import type { TreeLayout } from './tree-layout';

/** Sizes at zoom 1, CSS pixels. A cell holds a node's chip and, to its right, the room for the edges. */
const CELL_WIDTH = 140;
const CELL_HEIGHT = 24;
/** Space left free around a fitted tree. The left one also holds half of the root's picture. */
export const MARGIN = 28;
const MAX_ZOOM = 3;

export type Size = { readonly width: number; readonly height: number };
export type Point = { readonly x: number; readonly y: number };

/**
 * The viewport. `x`, `y`: position of the root, pixels. Up to zoom 1 the two directions shrink by powers
 * of the zoom, so that a tree of 1,400 rows and 8 columns fills a pane in both directions when it is fitted, and is
 * undistorted again at zoom 1 and above.
 */
export type View = {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly bendX: number;
  readonly bendY: number;
};

export const FIRST_VIEW: View = { x: MARGIN, y: MARGIN, zoom: 1, bendX: 1, bendY: 1 };

/** Pixels a column and a row take. */
export function cellSize(view: View): Size {
  const { zoom, bendX, bendY } = view;
  return zoom >= 1
    ? { width: CELL_WIDTH * zoom, height: CELL_HEIGHT * zoom }
    : { width: CELL_WIDTH * zoom ** bendX, height: CELL_HEIGHT * zoom ** bendY };
}

/** Where a cell's node is drawn. */
export function toScreen(view: View, depth: number, row: number): Point {
  const cell = cellSize(view);
  return { x: view.x + depth * cell.width, y: view.y + row * cell.height };
}

/** The inverse of `toScreen`; not rounded. */
export function toCell(view: View, point: Point): { readonly depth: number; readonly row: number } {
  const cell = cellSize(view);
  return { depth: (point.x - view.x) / cell.width, row: (point.y - view.y) / cell.height };
}

export function panned(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Zoomed to `zoom` so that what is under `point` stays under it. */
export function zoomedAt(view: View, point: Point, zoom: number, minZoom: number): View {
  const next = { ...view, zoom: Math.min(MAX_ZOOM, Math.max(minZoom, zoom)) };
  const cell = toCell(view, point);
  const screen = toScreen(next, cell.depth, cell.row);
  return panned(next, point.x - screen.x, point.y - screen.y);
}

/**
 * The whole tree in the pane, never above zoom 1, from the upper left corner, so that a tree which grows keeps its
 * place for as long as there is room. `slack` (at least 1) leaves room for that many times the rows and columns.
 */
export function fittedView(layout: TreeLayout, pane: Size, slack = 1): View {
  const wide = Math.max(1, pane.width - MARGIN - 14) / (layout.depths * slack * CELL_WIDTH);
  const high = Math.max(1, pane.height - 2 * MARGIN) / (Math.max(1, layout.rows - 1) * slack * CELL_HEIGHT);
  const shrinkX = Math.min(1, wide);
  const shrinkY = Math.min(1, high);
  const zoom = Math.min(shrinkX, shrinkY);
  if (zoom >= 1) return FIRST_VIEW;
  return {
    x: MARGIN,
    y: MARGIN,
    zoom,
    bendX: Math.log(shrinkX) / Math.log(zoom),
    bendY: Math.log(shrinkY) / Math.log(zoom),
  };
}

/** The minimum zoom: half of what shows everything. */
export function smallestZoom(layout: TreeLayout, pane: Size): number {
  return Math.min(0.5, fittedView(layout, pane).zoom / 2);
}

/** Pans by the minimum that brings this cell with a margin into the pane. */
export function revealed(view: View, pane: Size, depth: number, row: number): View {
  const point = toScreen(view, depth, row);
  const cell = cellSize(view);
  const marginX = Math.min(MARGIN, pane.width / 4);
  const marginY = Math.min(MARGIN, pane.height / 4);
  const right = Math.min(
    pane.width - marginX,
    Math.max(marginX, pane.width - Math.min(cell.width, CELL_WIDTH)),
  );
  const dx = point.x < marginX ? marginX - point.x : Math.min(0, right - point.x);
  const dy = point.y < marginY ? marginY - point.y : Math.min(0, pane.height - marginY - point.y);
  return dx === 0 && dy === 0 ? view : panned(view, dx, dy);
}

export function isInside(view: View, pane: Size, depth: number, row: number): boolean {
  const { x, y } = toScreen(view, depth, row);
  return x >= 0 && x <= pane.width && y >= 0 && y <= pane.height;
}

/** Whether the tree extends beyond the pane to the right or below. */
export function overflows(view: View, layout: TreeLayout, pane: Size): boolean {
  const end = toScreen(view, layout.depths, layout.rows - 1);
  return end.x > pane.width || end.y > pane.height - 10;
}
