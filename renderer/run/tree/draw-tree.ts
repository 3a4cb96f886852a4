import type { AgentShape } from '../../theme';
import { drawNode, drawRoot, traceShape } from './draw-node';
import { visitCells } from './tree-hit';
import { chipMetrics, detailOf, type TreeScene } from './tree-scene';
import { cellSize, type Size } from './tree-view';

/** Paints the tree; the context is scaled to CSS pixels. Only the visible part costs time. */
export function drawTree(context: CanvasRenderingContext2D, scene: TreeScene): void {
  if (isZoomedOut(scene)) {
    drawZoomedOut(context, scene);
    drawZoomedOutHighlights(context, scene);
    return;
  }
  context.clearRect(0, 0, scene.pane.width, scene.pane.height);
  drawEdges(context, scene);
  drawNodes(context, scene);
}

/** Whether nodes are drawn as dots only, with highlights on top. */
export function isZoomedOut(scene: TreeScene): boolean {
  return detailOf(cellSize(scene.view), scene.indexWidth) === 'far';
}

/** The zoomed-out scene without highlights. */
export function drawZoomedOut(context: CanvasRenderingContext2D, scene: TreeScene): void {
  context.clearRect(0, 0, scene.pane.width, scene.pane.height);
  drawEdges(context, scene);
  drawFarNodes(context, scene);
}

/** Highlights on top: answer, hovered, selected and cursor node. */
export function drawZoomedOutHighlights(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { view, layout, rows, nodes } = scene;
  const cell = cellSize(view);
  const chip = chipMetrics(cell, scene.indexWidth);
  for (const index of new Set([scene.answer, scene.hovered, scene.selected, scene.cursor])) {
    if (index === null || nodes[index] === undefined) continue;
    const slot = index + 1;
    const x = view.x + (layout.depth[slot] as number) * cell.width;
    const y = view.y + (rows[slot] as number) * cell.height;
    drawNode(context, scene, index, x, y, 'far', { ...chip, radius: Math.max(4, chip.radius) });
  }
}

/** Where edges bend. */
type EdgeShape = {
  readonly scene: TreeScene;
  readonly cell: Size;
  /** From a column's left side back to the trunk of its edges. */
  readonly trunk: number;
  /** Radius of the corners; below 1 they are plain. */
  readonly cornerRadius: number;
};

function edgeShape(scene: TreeScene): EdgeShape {
  const cell = cellSize(scene.view);
  const { radius } = chipMetrics(cell, scene.indexWidth);
  const trunk = Math.max(radius + 2, Math.min(12, cell.width * 0.3));
  return { scene, cell, trunk, cornerRadius: Math.min(6, trunk / 2, cell.height / 2) };
}

function columnX({ scene, cell }: EdgeShape, depth: number): number {
  return scene.view.x + depth * cell.width;
}

function slotY({ scene, cell }: EdgeShape, slot: number): number {
  return scene.view.y + (scene.rows[slot] as number) * cell.height;
}

/**
 * A parent's edges share a trunk in the gap in front of its children's column: one line out, one down, one into
 * each child. The gap holds nothing else, so no edge runs over a node.
 */
function drawEdges(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { layout, pane, palette } = scene;
  const shape = edgeShape(scene);
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.line;
  // With dense rows, fade the lines so that they do not hide the nodes.
  context.globalAlpha = Math.min(1, Math.max(0.22, shape.cell.height / 9));
  context.beginPath();
  for (let slot = 0; slot < layout.row.length; slot++) {
    const last = layout.lastChild[slot] as number;
    if (last === -1) continue;
    const depth = layout.depth[slot] as number;
    if (columnX(shape, depth + 1) < 0 || columnX(shape, depth) > pane.width) continue;
    if (slotY(shape, last) < 0 || slotY(shape, slot) > pane.height) continue;
    if (shape.cornerRadius < 1) fillFamily(context, shape, slot, last);
    else traceFamily(context, shape, slot, last);
  }
  context.stroke();
  context.globalAlpha = 1;
  if (scene.answer !== null) drawPath(context, shape, scene.answer);
}

function traceFamily(context: CanvasRenderingContext2D, shape: EdgeShape, slot: number, last: number): void {
  const { layout, pane } = shape.scene;
  const depth = layout.depth[slot] as number;
  const right = columnX(shape, depth + 1);
  const y = pixelCentre(slotY(shape, slot));
  context.moveTo(columnX(shape, depth), y);
  context.lineTo(right, y);
  const x = pixelCentre(right - shape.trunk);
  const end = pixelCentre(slotY(shape, last));
  if (end <= y) return;
  context.moveTo(x, y);
  context.lineTo(x, Math.min(end - shape.cornerRadius, pane.height + 1));
  const first = layout.firstChild[slot] as number;
  for (let child = layout.nextSibling[first] as number; child !== -1; ) {
    const at = pixelCentre(slotY(shape, child));
    // Children beyond the view are skipped; a family may have thousands.
    if (at > pane.height + shape.cell.height) break;
    if (at > -shape.cell.height) {
      context.moveTo(x, at - shape.cornerRadius);
      context.quadraticCurveTo(x, at, x + shape.cornerRadius, at);
      context.lineTo(right, at);
    }
    child = layout.nextSibling[child] as number;
  }
}

/** The same, zoomed out: whole pixels without smoothing; children closer than a pixel share a line. */
function fillFamily(context: CanvasRenderingContext2D, shape: EdgeShape, slot: number, last: number): void {
  const { layout, pane } = shape.scene;
  const depth = layout.depth[slot] as number;
  const left = Math.round(columnX(shape, depth));
  const right = Math.round(columnX(shape, depth + 1));
  const y = Math.round(slotY(shape, slot));
  context.fillRect(left, y, right - left, 1);
  const end = Math.round(slotY(shape, last));
  if (end <= y) return;
  const x = Math.round(right - shape.trunk);
  const top = Math.max(y, 0);
  context.fillRect(x, top, 1, Math.min(end, pane.height) - top);
  let drawn = y;
  const first = layout.firstChild[slot] as number;
  for (let child = layout.nextSibling[first] as number; child !== -1; ) {
    const at = Math.round(slotY(shape, child));
    if (at > pane.height) break;
    if (at >= 0 && at !== drawn) context.fillRect(x, at, right - x, 1);
    drawn = at;
    child = layout.nextSibling[child] as number;
  }
}

/** The path from the problem to the answer. */
function drawPath(context: CanvasRenderingContext2D, shape: EdgeShape, answer: number): void {
  const { layout, palette } = shape.scene;
  context.strokeStyle = palette.ink;
  context.lineWidth = shape.cornerRadius < 1 ? 1.5 : 2.25;
  context.lineJoin = 'round';
  context.beginPath();
  for (let slot = answer + 1; slot > 0; slot = layout.parent[slot] as number) {
    const parent = layout.parent[slot] as number;
    const right = columnX(shape, layout.depth[slot] as number);
    const from = pixelCentre(slotY(shape, parent));
    const to = pixelCentre(slotY(shape, slot));
    context.moveTo(columnX(shape, layout.depth[parent] as number), from);
    if (to - from >= 1) {
      const x = pixelCentre(right - shape.trunk);
      const bend = Math.min(shape.cornerRadius, (to - from) / 2);
      context.lineTo(x - bend, from);
      context.quadraticCurveTo(x, from, x, from + bend);
      context.lineTo(x, to - bend);
      context.quadraticCurveTo(x, to, x + bend, to);
    }
    context.lineTo(right, to);
  }
  context.stroke();
}

/** The middle of a device-independent pixel: a 1 px line there is one sharp pixel. */
function pixelCentre(value: number): number {
  return Math.round(value - 0.5) + 0.5;
}

function visitVisible(scene: TreeScene, marginLeft: number, visit: (slot: number) => void): void {
  const { view, pane, layout, index, rowSlack } = scene;
  const cell = cellSize(view);
  visitCells(
    layout,
    index,
    {
      firstRow: -view.y / cell.height - rowSlack - 1,
      lastRow: (pane.height - view.y) / cell.height + rowSlack + 1,
      firstDepth: (-marginLeft - view.x) / cell.width,
      lastDepth: (pane.width + 10 - view.x) / cell.width,
    },
    visit,
  );
}

function drawNodes(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { view, layout, rows } = scene;
  const cell = cellSize(view);
  const detail = detailOf(cell, scene.indexWidth);
  const chip = chipMetrics(cell, scene.indexWidth);
  visitVisible(scene, chip.extent + 10, (slot) => {
    const x = view.x + (layout.depth[slot] as number) * cell.width;
    const y = Math.round(view.y + (rows[slot] as number) * cell.height - 0.5) + 0.5;
    if (slot === 0) drawRoot(context, scene, x, y, chip);
    else {
      context.globalAlpha = slot >= scene.newFrom ? scene.newAlpha : 1;
      drawNode(context, scene, slot - 1, x, y, detail, chip);
      context.globalAlpha = 1;
    }
  });
}

/** Outside of any canvas. */
const NOWHERE = -(2 ** 31);

/** Slots to be drawn in one colour. */
type Layer = {
  readonly color: string;
  readonly shape: AgentShape;
  readonly alpha: number;
  readonly slots: number[];
  /** Where the last of them in each column begins, pixels. */
  readonly drawn: Int32Array;
};

/** Zoomed-out nodes are dots, drawn colour by colour, strong over faint. */
function drawFarNodes(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { view, layout, rows } = scene;
  const cell = cellSize(view);
  const chip = chipMetrics(cell, scene.indexWidth);
  const xOf = (slot: number): number => view.x + (layout.depth[slot] as number) * cell.width;
  const yOf = (slot: number): number => view.y + (rows[slot] as number) * cell.height;
  // Below about 2 pixels shapes are indistinguishable; a dash is most visible.
  const dashes = chip.radius < 2;
  const width = Math.max(2, Math.round(Math.min(7, cell.width * 0.4)));
  const height = Math.max(1, Math.round(cell.height * 0.7));
  const topOf = (slot: number): number => Math.round(yOf(slot) - height / 2);
  for (const { color, shape, alpha, slots } of zoomedOutLayers(scene, dashes ? topOf : null)) {
    context.globalAlpha = alpha;
    context.fillStyle = color;
    if (dashes) {
      // Whole pixels are copied, not smoothed: that is what makes ten thousand of them cheap.
      for (const slot of slots) {
        const left = Math.round(xOf(slot) - width / 2);
        context.fillRect(left, topOf(slot), width, height);
      }
    } else {
      context.beginPath();
      for (const slot of slots) traceShape(context, shape, xOf(slot), yOf(slot), chip.radius);
      context.fill();
    }
  }
  context.globalAlpha = 1;
  drawRoot(context, scene, xOf(0), yOf(0), chip);
}

/** `pixelOf`: where a slot's dash begins; of overlapping dashes one is drawn. null: no dashes. */
function zoomedOutLayers(scene: TreeScene, pixelOf: ((slot: number) => number) | null): Layer[] {
  const { nodes, palette, layout } = scene;
  const faint = new Map<string, Layer>();
  const solid = new Map<string, Layer>();
  visitVisible(scene, 10, (slot) => {
    const node = nodes[slot - 1];
    if (node === undefined) return;
    const isSolid = node.score >= 1;
    const layers = isSolid ? solid : faint;
    let layer = layers.get(node.agentId);
    if (layer === undefined) {
      const style = palette.agents.get(node.agentId);
      const color = style?.color ?? palette.dim;
      const shape = style?.shape ?? 'circle';
      const drawn = new Int32Array(layout.depths).fill(NOWHERE);
      layer = { color, shape, alpha: isSolid ? 1 : 0.45, slots: [], drawn };
      layers.set(node.agentId, layer);
    }
    if (pixelOf !== null) {
      const depth = layout.depth[slot] as number;
      const pixel = pixelOf(slot);
      if (layer.drawn[depth] === pixel) return;
      layer.drawn[depth] = pixel;
    }
    layer.slots.push(slot);
  });
  return [...faint.values(), ...solid.values()];
}
