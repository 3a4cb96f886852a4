import { drawNode, drawRoot, traceShape } from './draw-node';
import { visitCells } from './tree-hit';
import { chipMetrics, detailOf, type TreeScene } from './tree-scene';
import { cellSize } from './tree-view';

/** Paints the whole picture; the context is scaled to CSS pixels. Only what is in the view costs anything. */
export function drawTree(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { pane } = scene;
  context.clearRect(0, 0, pane.width, pane.height);
  drawEdges(context, scene);
  if (detailOf(cellSize(scene.view)) === 'far') drawFarNodes(context, scene);
  else drawNodes(context, scene);
}

/**
 * A parent's edges share a trunk in the gap in front of its children's column: one line out, one down, one into
 * each child. The gap holds nothing else, so no edge runs over a node.
 */
function drawEdges(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { layout, rows, view, pane, palette } = scene;
  const cell = cellSize(view);
  const detail = detailOf(cell);
  const chip = chipMetrics(cell, detail);
  const trunk = Math.max(chip.radius + 2, Math.min(12, cell.width * 0.3));
  const round = Math.min(6, trunk / 2, cell.height / 2);
  const xOf = (depth: number): number => view.x + depth * cell.width;
  const yOf = (slot: number): number => view.y + (rows[slot] as number) * cell.height;

  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.globalAlpha = detail === 'far' ? 0.7 : 1;
  context.beginPath();
  for (let slot = 0; slot < layout.row.length; slot++) {
    const first = layout.firstChild[slot] as number;
    if (first === -1) continue;
    const depth = layout.depth[slot] as number;
    const left = xOf(depth);
    const right = xOf(depth + 1);
    if (right < 0 || left > pane.width) continue;
    const from = yOf(slot);
    const last = layout.lastChild[slot] as number;
    const to = yOf(last);
    if (to < 0 || from > pane.height) continue;

    const y = crisp(from);
    context.moveTo(left, y);
    context.lineTo(right, y);
    if (last === first) continue;
    const x = crisp(right - trunk);
    context.moveTo(x, y);
    context.lineTo(x, Math.min(to - round, pane.height + 1));
    // Siblings beyond the view are skipped; a family may have thousands.
    for (let child = layout.nextSibling[first] as number; child !== -1; ) {
      const at = yOf(child);
      if (at > pane.height + cell.height) break;
      if (at > -cell.height) {
        const end = crisp(at);
        context.moveTo(x, end - round);
        context.quadraticCurveTo(x, end, x + round, end);
        context.lineTo(right, end);
      }
      child = layout.nextSibling[child] as number;
    }
  }
  context.stroke();
  context.globalAlpha = 1;

  if (scene.answer === null) return;
  context.strokeStyle = palette.ink;
  context.lineWidth = detail === 'far' ? 1.5 : 2.25;
  context.lineJoin = 'round';
  context.beginPath();
  for (let slot = scene.answer + 1; slot > 0; slot = layout.parent[slot] as number) {
    const parent = layout.parent[slot] as number;
    const right = xOf(layout.depth[slot] as number);
    const left = xOf(layout.depth[parent] as number);
    const from = crisp(yOf(parent));
    const to = crisp(yOf(slot));
    context.moveTo(left, from);
    if (to - from < 1) {
      context.lineTo(right, to);
    } else {
      const x = crisp(right - trunk);
      const bend = Math.min(round, (to - from) / 2);
      context.lineTo(x - bend, from);
      context.quadraticCurveTo(x, from, x, from + bend);
      context.lineTo(x, to - bend);
      context.quadraticCurveTo(x, to, x + bend, to);
      context.lineTo(right, to);
    }
  }
  context.stroke();
}

/** The middle of a device-independent pixel: a 1 px line there is one sharp pixel. */
function crisp(value: number): number {
  return Math.round(value - 0.5) + 0.5;
}

function visitVisible(scene: TreeScene, reachLeft: number, visit: (slot: number) => void): void {
  const { view, pane, layout, index, rowSlack } = scene;
  const cell = cellSize(view);
  visitCells(
    layout,
    index,
    {
      firstRow: -view.y / cell.height - rowSlack - 1,
      lastRow: (pane.height - view.y) / cell.height + rowSlack + 1,
      firstDepth: (-reachLeft - view.x) / cell.width,
      lastDepth: (pane.width + 10 - view.x) / cell.width,
    },
    visit,
  );
}

function drawNodes(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { view, layout, rows } = scene;
  const cell = cellSize(view);
  const detail = detailOf(cell);
  const chip = chipMetrics(cell, detail);
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

/** From afar nodes are shapes alone: one path per agent and strength instead of one per node. */
function drawFarNodes(context: CanvasRenderingContext2D, scene: TreeScene): void {
  const { view, layout, rows, nodes, palette } = scene;
  const cell = cellSize(view);
  const { radius } = chipMetrics(cell, 'far');
  const solid = new Map<string, Path2D>();
  const faint = new Map<string, Path2D>();
  const point = (slot: number): { x: number; y: number } => ({
    x: view.x + (layout.depth[slot] as number) * cell.width,
    y: view.y + (rows[slot] as number) * cell.height,
  });
  visitVisible(scene, 10, (slot) => {
    if (slot === 0) return;
    const node = nodes[slot - 1];
    if (node === undefined) return;
    const layer = node.score >= 1 ? solid : faint;
    let path = layer.get(node.agentId);
    if (path === undefined) {
      path = new Path2D();
      layer.set(node.agentId, path);
    }
    const { x, y } = point(slot);
    const shape = palette.agents.get(node.agentId)?.shape ?? 'circle';
    // Below some 2 pixels no eye tells a triangle from a square.
    if (radius < 2) path.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else traceShape(path, shape, x, y, radius);
  });
  for (const [layer, alpha] of [
    [faint, 0.4],
    [solid, 1],
  ] as const) {
    context.globalAlpha = alpha;
    for (const [agentId, path] of layer) {
      context.fillStyle = palette.agents.get(agentId)?.color ?? palette.dim;
      context.fill(path);
    }
  }
  context.globalAlpha = 1;
  const chip = chipMetrics(cell, 'far');
  const root = point(0);
  drawRoot(context, scene, root.x, root.y, chip);
  for (const index of new Set([scene.answer, scene.hovered, scene.selected, scene.cursor])) {
    if (index === null || nodes[index] === undefined) continue;
    const { x, y } = point(index + 1);
    drawNode(context, scene, index, x, y, 'far', { ...chip, radius: Math.max(4, radius) });
  }
}
