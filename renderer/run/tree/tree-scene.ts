import type { NodeView } from '../../../preload/contract';
import type { RowIndex } from './tree-hit';
import type { TreeLayout } from './tree-layout';
import type { TreePalette } from './tree-palette';
import type { Size, View } from './tree-view';

/** All that one picture of a tree is drawn from; slots as in the layout (node `i` has slot `i + 1`). */
export type TreeScene = {
  readonly nodes: readonly NodeView[];
  readonly layout: TreeLayout;
  readonly index: RowIndex;
  /** Where rows are drawn now: on their way to the layout's rows for a moment after a change. */
  readonly rows: Float32Array;
  /** How far any row is from its layout's at most, in rows. */
  readonly rowSlack: number;
  /** Slots from here on are new and drawn with `newAlpha`. */
  readonly newFrom: number;
  readonly newAlpha: number;
  /** The node that the search hands in; its path from the root is stressed. */
  readonly answer: number | null;
  readonly selected: number | null;
  /** Where the keyboard stands, while the tree has the focus. */
  readonly cursor: number | null;
  readonly hovered: number | null;
  readonly palette: TreePalette;
  readonly view: View;
  readonly pane: Size;
};

/** How much of a node is drawn. */
export type Detail = 'far' | 'middle' | 'near';

export function detailOf(cell: Size): Detail {
  if (cell.height >= 15 && cell.width >= 76) return 'near';
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
  readonly showScore: boolean;
};

export function chipMetrics(cell: Size, detail: Detail): ChipMetrics {
  if (detail === 'far') {
    const radius = Math.max(1.1, Math.min(4.5, cell.height * 0.36, cell.width * 0.3));
    return { scale: 1, radius, font: 0, height: 0, extent: 0, showScore: false };
  }
  if (detail === 'middle') {
    const radius = Math.max(3, Math.min(5, cell.height * 0.34));
    return { scale: 1, radius, font: 0, height: 0, extent: 0, showScore: false };
  }
  const scale = Math.max(0.85, Math.min(cell.height / 24, Math.max(cell.width / 140, 1)));
  const room = cell.width - 18 * Math.min(1, scale);
  const showScore = room >= 112 * scale;
  const extent = Math.min(room, (showScore ? 112 : 82) * scale);
  return {
    scale,
    radius: 5.5 * scale,
    font: 11 * scale,
    height: Math.min(cell.height - 1, 20 * scale),
    extent,
    showScore,
  };
}
