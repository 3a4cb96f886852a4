import type { NodeView } from '../../../preload/contract';
import type { RowIndex } from './tree-hit';
import type { TreeLayout } from './tree-layout';
import type { TreePalette } from './tree-palette';
import type { Size, View } from './tree-view';

/** Everything needed to draw a tree; slots as in the layout (node `i` has slot `i + 1`). */
export type TreeScene = {
  readonly nodes: readonly NodeView[];
  readonly layout: TreeLayout;
  readonly index: RowIndex;
  /** Current row positions, animated towards the layout's rows after a change. */
  readonly rows: Float32Array;
  /** Largest distance of any row from its layout position, in rows. */
  readonly rowSlack: number;
  /** Slots from here on are new and drawn with `newAlpha`. */
  readonly newFrom: number;
  readonly newAlpha: number;
  /** The node that the search selected; its path from the root is highlighted. */
  readonly answer: number | null;
  readonly selected: number | null;
  /** The keyboard cursor, while the tree has the focus. */
  readonly cursor: number | null;
  readonly hovered: number | null;
  readonly palette: TreePalette;
  readonly view: View;
  readonly pane: Size;
  /** Width of the longest index at scale 1, pixels. */
  readonly indexWidth: number;
};

/** Level of detail: a dot, a shape, or a chip with text. */
export type Detail = 'far' | 'middle' | 'near';

/** `indexWidth` as in TreeScene: a chip is drawn only where its index and mark have room. */
export function detailOf(cell: Size, indexWidth: number): Detail {
  if (cell.height >= 15 && cell.width >= Math.max(62, leastWidth(indexWidth) + GAP)) return 'near';
  return cell.height >= 9 && cell.width >= 24 ? 'middle' : 'far';
}

/** Everything in and around a node's chip, pixels. */
export type ChipMetrics = {
  readonly scale: number;
  readonly radius: number;
  readonly font: number;
  readonly height: number;
  /** From the shape's centre to the chip's right end; 0 where no chip is drawn. */
  readonly extent: number;
  readonly showStrip: boolean;
  readonly showScore: boolean;
};

/** Pixels at scale 1, below which no chip is drawn: smaller letters cannot be read. */
export const CHIP_FONT = 12;

/** Widths of a chip's parts at scale 1, each with the free space in front of it. */
export const SHAPE_WIDTH = 10;
const SCORE_WIDTH = 32;
export const STRIP_WIDTH = 33;
export const MARK_WIDTH = 18;
/** Free in front of the next column, for the edges. */
const GAP = 18;

function leastWidth(indexWidth: number): number {
  return SHAPE_WIDTH + indexWidth + MARK_WIDTH;
}

/** What fits into a cell: with less space the score is dropped first, then the strip. */
export function chipMetrics(cell: Size, indexWidth: number): ChipMetrics {
  const detail = detailOf(cell, indexWidth);
  const bare = { scale: 1, font: 0, height: 0, extent: 0, showStrip: false, showScore: false };
  if (detail === 'far') {
    return { ...bare, radius: Math.max(1.1, Math.min(4.5, cell.height * 0.36, cell.width * 0.3)) };
  }
  if (detail === 'middle') return { ...bare, radius: Math.max(3, Math.min(5, cell.height * 0.34)) };
  const scale = Math.max(1, Math.min(cell.height / 24, Math.max(cell.width / 140, 1)));
  const room = cell.width / scale - GAP;
  const least = leastWidth(indexWidth);
  const showStrip = room >= least + STRIP_WIDTH;
  const showScore = room >= least + STRIP_WIDTH + SCORE_WIDTH;
  const neededWidth = least + (showStrip ? STRIP_WIDTH : 0) + (showScore ? SCORE_WIDTH : 0);
  return {
    scale,
    radius: 5.5 * scale,
    font: CHIP_FONT * scale,
    height: Math.min(cell.height - 1, 20 * scale),
    extent: neededWidth * scale,
    showStrip,
    showScore,
  };
}
