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
  /** Digits of the longest index. */
  readonly digits: number;
};

/** Level of detail: a dot, a shape, or a chip with text. */
export type Detail = 'far' | 'middle' | 'near';

export function detailOf(cell: Size): Detail {
  if (cell.height >= 15 && cell.width >= 62) return 'near';
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

/** Widths of a chip's parts at scale 1. */
const SHAPE_WIDTH = 10;
const DIGIT_WIDTH = 6.7;
const STRIP_WIDTH = 30;
const SCORE_WIDTH = 30;
export const MARK_WIDTH = 16;
/** Free in front of the next column, for the edges. */
const GAP = 18;

/** What fits into a cell: with less space the score is dropped first, then the strip. `digits`: of the longest index. */
export function chipMetrics(cell: Size, digits: number): ChipMetrics {
  const detail = detailOf(cell);
  const bare = { scale: 1, font: 0, height: 0, extent: 0, showStrip: false, showScore: false };
  if (detail === 'far') {
    return { ...bare, radius: Math.max(1.1, Math.min(4.5, cell.height * 0.36, cell.width * 0.3)) };
  }
  if (detail === 'middle') return { ...bare, radius: Math.max(3, Math.min(5, cell.height * 0.34)) };
  const scale = Math.max(0.85, Math.min(cell.height / 24, Math.max(cell.width / 140, 1)));
  const room = cell.width / scale - GAP;
  const least = SHAPE_WIDTH + digits * DIGIT_WIDTH + MARK_WIDTH;
  const showStrip = room >= least + STRIP_WIDTH;
  const showScore = room >= least + STRIP_WIDTH + SCORE_WIDTH;
  const wanted = least + (showStrip ? STRIP_WIDTH : 0) + (showScore ? SCORE_WIDTH : 0);
  return {
    scale,
    radius: 5.5 * scale,
    font: 11 * scale,
    height: Math.min(cell.height - 1, 20 * scale),
    extent: Math.min(room, wanted) * scale,
    showStrip,
    showScore,
  };
}
