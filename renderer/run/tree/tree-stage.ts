import type { AnswerRule, TreeView } from '../../../preload/contract';
import type { PlacedAgent } from '../../shared/studies';
import { drawTree, isZoomedOut } from './draw-tree';
import { RowMotion } from './row-motion';
import { TreeBackdrop } from './tree-backdrop';
import { indexRows, type RowIndex, slotAt } from './tree-hit';
import { answerOf } from './tree-label';
import { layoutTree, type TreeLayout } from './tree-layout';
import { readPalette, type TreePalette } from './tree-palette';
import { chipMetrics, detailOf, type TreeScene } from './tree-scene';
import {
  cellSize,
  FIRST_VIEW,
  fittedView,
  isInside,
  overflows,
  type Point,
  panned,
  revealed,
  type Size,
  smallestZoom,
  type View,
  zoomedAt,
} from './tree-view';

/** Slack when a growing tree is fitted again, so that not every new node refits it. */
const GROWTH_SLACK = 1.25;

export type Highlights = {
  readonly selected: number | null;
  readonly cursor: number | null;
  readonly hovered: number | null;
};

/**
 * The tree canvas without React: holds view, layout and highlights, and paints at most once a frame and only after a
 * change. Calls `onView` after a paint with changed geometry.
 */
export class TreeStage {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #onView: () => void;
  #tree: TreeView;
  #agents: readonly PlacedAgent[];
  #layout: TreeLayout;
  #index: RowIndex;
  /** null: to be read at the next paint. */
  #palette: TreePalette | null;
  #view: View = FIRST_VIEW;
  #pane: Size = { width: 0, height: 0 };
  #marks: Highlights = { selected: null, cursor: null, hovered: null };
  #answer: number | null = null;
  /** fit: keep everything in view; free: leave the view to the user. */
  #mode: 'fit' | 'free' = 'fit';
  #follow = false;
  #reducedMotion = false;

  #motion: RowMotion;
  #anchor: number | null = null;

  #frame = 0;
  #viewChanged = true;
  readonly #backdrop = new TreeBackdrop();
  /** Only highlights have changed since the last paint. */
  #onlyHighlights = false;
  #ratio = 1;

  constructor(canvas: HTMLCanvasElement, tree: TreeView, agents: readonly PlacedAgent[], onView: () => void) {
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser has no 2D canvas');
    this.#canvas = canvas;
    this.#context = context;
    this.#onView = onView;
    this.#tree = tree;
    this.#agents = agents;
    // Read here, as the first paint takes long enough.
    this.#palette = readPalette(canvas, agents);
    this.#layout = layoutTree({ length: 0, parentOf: () => -1 });
    this.#index = indexRows(this.#layout);
    this.#motion = RowMotion.resting(this.#layout.row);
  }

  get layout(): TreeLayout {
    return this.#layout;
  }

  get index(): RowIndex {
    return this.#index;
  }

  get view(): View {
    return this.#view;
  }

  get answer(): number | null {
    return this.#answer;
  }

  get detail(): ReturnType<typeof detailOf> {
    return detailOf(cellSize(this.#view), this.#indexWidth);
  }

  /** How nodes are drawn: `extent` is 0 where only shapes are, `showStrip` whether their public tests are. */
  get chip(): ReturnType<typeof chipMetrics> {
    return chipMetrics(cellSize(this.#view), this.#indexWidth);
  }

  get #indexWidth(): number {
    this.#palette ??= readPalette(this.#canvas, this.#agents);
    return String(Math.max(0, this.#tree.nodes.length - 1)).length * this.#palette.digitWidth;
  }

  /** Disables animation if the system asks for reduced motion. */
  setReducedMotion(reducedMotion: boolean): void {
    this.#reducedMotion = reducedMotion;
  }

  setFollow(follow: boolean): void {
    this.#follow = follow;
    if (follow && this.#tree.nodes.length > 0) this.reveal(this.#tree.nodes.length - 1);
  }

  /** Shows this tree. The same problem's tree with more nodes keeps the view; another problem's is fitted. */
  setTree(tree: TreeView, agents: readonly PlacedAgent[], rule: AnswerRule): void {
    const grown = tree.problemId === this.#tree.problemId && tree.part === this.#tree.part;
    const before = this.#layout;
    if (agents !== this.#agents) this.#palette = null;
    this.#tree = tree;
    this.#agents = agents;
    this.#answer = answerOf(tree, rule);

    const sameShape = grown && tree.nodes.length === before.row.length - 1;
    if (!sameShape) {
      const shown = this.#motion.rows;
      this.#layout = layoutTree({
        length: tree.nodes.length,
        parentOf: (index) => tree.nodes[index]?.parent ?? -1,
      });
      this.#index = indexRows(this.#layout);
      const moves = grown && !this.#reducedMotion && this.#pane.width > 0;
      this.#anchor = moves ? this.#anchorSlot(Math.min(shown.length, this.#layout.row.length), shown) : null;
      this.#motion = moves
        ? RowMotion.from(shown, this.#layout.row, performance.now())
        : RowMotion.resting(this.#layout.row);
      this.#viewChanged = true;
      this.#adaptView(grown);
    }
    this.#request();
  }

  setHighlights(highlights: Highlights): void {
    this.#marks = highlights;
    this.#nextFrame();
  }

  /** Size of the pane, CSS pixels. */
  resize(pane: Size, ratio: number): void {
    const first = this.#pane.width === 0;
    this.#pane = pane;
    this.#ratio = ratio;
    this.#onlyHighlights = false;
    this.#canvas.width = Math.max(1, Math.round(pane.width * ratio));
    this.#canvas.height = Math.max(1, Math.round(pane.height * ratio));
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (first || this.#mode === 'fit') this.fit();
    // A resized canvas is empty: paint at once to avoid flicker.
    else this.#paint();
  }

  /** Reads the theme's colours and font again. */
  refreshPalette(): void {
    this.#palette = null;
    this.#request();
  }

  fit(): void {
    this.#mode = 'fit';
    this.#setView(fittedView(this.#layout, this.#pane));
  }

  pan(dx: number, dy: number): void {
    this.#mode = 'free';
    this.#setView(panned(this.#view, dx, dy));
  }

  /** Zooms by a factor around a point, the pane's middle by default. */
  zoomBy(factor: number, point?: Point): void {
    this.zoomTo(this.#view.zoom * factor, point);
  }

  zoomTo(zoom: number, point: Point = { x: this.#pane.width / 2, y: this.#pane.height / 2 }): void {
    this.#mode = 'free';
    this.#setView(zoomedAt(this.#view, point, zoom, smallestZoom(this.#layout, this.#pane)));
  }

  reveal(index: number): void {
    const slot = index + 1;
    if (slot >= this.#layout.row.length) return;
    const depth = this.#layout.depth[slot] as number;
    const view = revealed(this.#view, this.#pane, depth, this.#layout.row[slot] as number);
    if (view === this.#view) return;
    this.#mode = 'free';
    this.#setView(view);
  }

  nodeAt(point: Point): number | null {
    const slot = slotAt(this.#layout, this.#index, this.#view, point, this.chip.extent);
    return slot === null || slot === 0 ? null : slot - 1;
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
  }

  #setView(view: View): void {
    this.#view = view;
    this.#viewChanged = true;
    this.#request();
  }

  /** The slot that must not move on screen while rows shift: the selected node, else the first one in view. */
  #anchorSlot(known: number, rows: Float32Array): number | null {
    if (this.#mode === 'fit') return null;
    const inside = (slot: number): boolean =>
      isInside(this.#view, this.#pane, this.#layout.depth[slot] as number, rows[slot] as number);
    const { selected } = this.#marks;
    if (selected !== null && selected + 1 < known && inside(selected + 1)) return selected + 1;
    let best: number | null = null;
    for (let slot = 1; slot < known; slot++) {
      if (inside(slot) && (best === null || (rows[slot] as number) < (rows[best] as number))) best = slot;
    }
    return best;
  }

  #adaptView(grown: boolean): void {
    if (this.#pane.width === 0) return;
    if (!grown) this.fit();
    else if (this.#follow) this.reveal(this.#tree.nodes.length - 1);
    else if (this.#mode === 'fit' && overflows(this.#view, this.#layout, this.#pane)) {
      this.#setView(fittedView(this.#layout, this.#pane, this.#tree.searched === null ? GROWTH_SLACK : 1));
    }
  }

  /** Requests a paint after any change but highlights. */
  #request(): void {
    this.#onlyHighlights = false;
    this.#nextFrame();
  }

  #nextFrame(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #advance(): void {
    if (this.#motion.settled) return;
    const anchor = this.#anchor;
    const before = anchor === null ? 0 : (this.#motion.rows[anchor] as number);
    this.#motion.advance(performance.now());
    if (anchor !== null) {
      const moved = (this.#motion.rows[anchor] as number) - before;
      if (moved !== 0) this.#view = panned(this.#view, 0, -moved * cellSize(this.#view).height);
    }
    if (this.#motion.settled) this.#viewChanged = true;
  }

  #paint(): void {
    if (this.#frame === -1) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#advance();
    this.#palette ??= readPalette(this.#canvas, this.#agents);
    const scene: TreeScene = {
      nodes: this.#tree.nodes,
      layout: this.#layout,
      index: this.#index,
      rows: this.#motion.rows,
      rowSlack: this.#motion.slack,
      newFrom: this.#motion.newFrom,
      newAlpha: this.#motion.share,
      answer: this.#answer,
      ...this.#marks,
      palette: this.#palette,
      view: this.#view,
      pane: this.#pane,
      indexWidth: this.#indexWidth,
    };
    if (this.#onlyHighlights && isZoomedOut(scene)) this.#backdrop.paint(this.#context, scene, this.#ratio);
    else {
      this.#backdrop.invalidate();
      drawTree(this.#context, scene);
    }
    this.#onlyHighlights = true;
    if (!this.#motion.settled) this.#request();
    if (this.#viewChanged) {
      this.#viewChanged = false;
      this.#onView();
    }
  }
}
