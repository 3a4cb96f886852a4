import type { NodeView, Verdict } from '../../../preload/contract';
import { publicVerdictOf } from '../../../preload/contract/folds';
import type { AgentShape } from '../../theme';
import {
  type ChipMetrics,
  type Detail,
  MARK_WIDTH,
  SHAPE_WIDTH,
  STRIP_WIDTH,
  type TreeScene,
} from './tree-scene';

/** Adds an agent's shape around (x, y) to a path; all shapes have about the same area. */
export function traceShape(
  path: Path2D | CanvasPath,
  shape: AgentShape,
  x: number,
  y: number,
  radius: number,
): void {
  switch (shape) {
    case 'circle':
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 2 * Math.PI);
      return;
    case 'square': {
      const half = radius * 0.89;
      path.rect(x - half, y - half, 2 * half, 2 * half);
      return;
    }
    case 'diamond':
      polygon(path, x, y, radius * 1.22, [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ]);
      return;
    case 'triangle':
      polygon(path, x, y, radius * 1.25, [
        [0, -0.95],
        [0.98, 0.75],
        [-0.98, 0.75],
      ]);
      return;
  }
}

function polygon(
  path: Path2D | CanvasPath,
  x: number,
  y: number,
  radius: number,
  corners: ReadonlyArray<readonly [number, number]>,
): void {
  corners.forEach(([dx, dy], i) => {
    if (i === 0) path.moveTo(x + dx * radius, y + dy * radius);
    else path.lineTo(x + dx * radius, y + dy * radius);
  });
  path.closePath();
}

/** The problem: a sheet with lines of text. */
export function drawRoot(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  x: number,
  y: number,
  chip: ChipMetrics,
): void {
  const { palette } = scene;
  const half = Math.max(4, chip.radius * 1.35);
  const left = Math.round(x - half) + 0.5;
  const top = Math.round(y - half * 1.15) + 0.5;
  const width = Math.round(half * 1.8);
  const height = Math.round(half * 2.2);
  context.fillStyle = palette.surface;
  context.fillRect(left - 2, top - 2, width + 4, height + 4);
  context.lineWidth = 1.25;
  context.strokeStyle = palette.ink;
  context.strokeRect(left, top, width, height);
  context.lineWidth = 1;
  context.beginPath();
  for (let line = 1; line <= 3; line++) {
    const lineY = Math.round(top + (height * line) / 4) + 0.5;
    context.moveTo(left + 2.5, lineY);
    context.lineTo(left + width - (line === 3 ? width * 0.45 : 2.5), lineY);
  }
  context.stroke();
}

export function drawNode(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  index: number,
  x: number,
  y: number,
  detail: Detail,
  chip: ChipMetrics,
): void {
  const node = scene.nodes[index];
  if (node === undefined) return;
  const isAnswer = scene.answer === index;
  if (detail === 'near') {
    drawChip(context, scene, node, x, y, chip);
  } else if (isAnswer || scene.selected === index || scene.cursor === index || scene.hovered === index) {
    drawHalo(context, scene, index, x, y, chip.radius);
  }
  drawShape(context, scene, node, x, y, chip.radius, detail);
  if (detail === 'middle') {
    // At this zoom only passed private tests are marked, with a tick.
    if (node.privateVerdict === 'passed') {
      drawPrivateMark(context, scene, node, x + chip.radius + 6, y, Math.max(8, chip.radius * 2));
    }
  }
}

/** Opacity shows the public score; a ring marks a first attempt. */
function drawShape(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  node: NodeView,
  x: number,
  y: number,
  radius: number,
  detail: Detail,
): void {
  const style = scene.palette.agents.get(node.agentId);
  const shape = style?.shape ?? 'circle';
  const color = style?.color ?? scene.palette.dim;
  const alpha = context.globalAlpha;
  const isNew = node.parent === -1 && detail !== 'far';
  const inner = isNew ? radius * (shape === 'triangle' ? 0.5 : 0.56) : radius * 0.92;
  context.fillStyle = scene.palette.surface;
  context.beginPath();
  traceShape(context, shape, x, y, radius + 1.5);
  context.fill();
  context.strokeStyle = color;
  context.fillStyle = color;
  context.beginPath();
  traceShape(context, shape, x, y, inner);
  context.globalAlpha = alpha * (isNew ? node.score : 0.12 + 0.88 * node.score);
  context.fill();
  context.globalAlpha = alpha;
  if (isNew) {
    context.beginPath();
    traceShape(context, shape, x, y, radius);
  }
  context.lineWidth = isNew ? Math.max(1.3, radius * 0.36) : Math.max(1, radius * 0.22);
  context.stroke();
}

function drawHalo(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  index: number,
  x: number,
  y: number,
  radius: number,
): void {
  const chosen = scene.selected === index || scene.cursor === index;
  context.beginPath();
  context.arc(x, y, radius + 4, 0, 2 * Math.PI);
  context.fillStyle = scene.palette.surface;
  context.fill();
  context.lineWidth = chosen ? 2.5 : 1.75;
  context.strokeStyle = chosen ? scene.palette.accent : scene.palette.ink;
  context.stroke();
}

/** Shape, index, score, a square per public test, and the private verdict; the frame shows selection and answer. */
function drawChip(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  node: NodeView,
  x: number,
  y: number,
  chip: ChipMetrics,
): void {
  const { palette } = scene;
  const { scale } = chip;
  const left = Math.round(x - chip.radius - 5 * scale) + 0.5;
  const top = Math.round(y - chip.height / 2) + 0.5;
  const width = Math.round(x + chip.extent - left);
  const height = Math.round(chip.height) - 1;
  const selected = scene.selected === node.index;
  const answer = scene.answer === node.index;
  const hovered = scene.hovered === node.index;

  context.beginPath();
  context.roundRect(left, top, width, height, 4 * scale);
  context.fillStyle = palette.surface;
  context.fill();
  context.fillStyle = palette.chip;
  context.fill();
  context.lineWidth = answer ? 2 : 1;
  context.strokeStyle = answer || hovered ? palette.ink : palette.line;
  if (answer || hovered || selected) context.stroke();
  if (selected) {
    context.beginPath();
    context.roundRect(left - 2, top - 2, width + 4, height + 4, 6 * scale);
    context.lineWidth = 2;
    context.strokeStyle = palette.accent;
    context.stroke();
  }
  if (scene.cursor === node.index) {
    context.beginPath();
    context.roundRect(left - 4.5, top - 4.5, width + 9, height + 9, 8 * scale);
    context.lineWidth = 1.5;
    context.setLineDash(selected ? [] : [3, 2]);
    context.strokeStyle = palette.accent;
    context.stroke();
    context.setLineDash([]);
  }

  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const baseline = y + 0.5 * scale;
  context.fillStyle = palette.ink;
  context.font = `${answer ? 700 : 600} ${chip.font}px ${palette.fontFamily}`;
  context.fillText(String(node.index), x + SHAPE_WIDTH * scale, baseline);
  const right = x + chip.extent;
  if (chip.showScore) {
    context.font = `400 ${chip.font}px ${palette.fontFamily}`;
    context.fillStyle = palette.dim;
    context.textAlign = 'right';
    context.fillText(node.score.toFixed(2), right - (MARK_WIDTH + STRIP_WIDTH) * scale, baseline);
  }
  if (chip.showStrip)
    drawStrip(context, scene, node, right - (MARK_WIDTH + 27) * scale, y, 27 * scale, scale);
  drawPrivateMark(context, scene, node, right - (MARK_WIDTH / 2) * scale, baseline, chip.font);
}

/** Up to this many public tests are drawn as squares; more as a bar. */
const MAX_SQUARES = 5;

function drawStrip(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  node: NodeView,
  left: number,
  y: number,
  width: number,
  scale: number,
): void {
  const verdicts = node.publicVerdicts;
  const side = 4.5 * scale;
  const colorOf = (verdict: Verdict): string => scene.palette.verdict(verdict).color;
  if (verdicts.length === 0) {
    context.strokeStyle = scene.palette.verdict(publicVerdictOf(node)).color;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, y - side / 2, side - 1, side - 1);
    return;
  }
  if (verdicts.length <= MAX_SQUARES) {
    verdicts.forEach((verdict, i) => {
      context.fillStyle = colorOf(verdict);
      square(context, left + i * (side + scale), y - side / 2, side, verdict === 'passed');
    });
    return;
  }
  const passed = verdicts.filter((verdict) => verdict === 'passed').length / verdicts.length;
  context.fillStyle = colorOf(node.publicVerdict === 'passed' ? 'wrong-answer' : node.publicVerdict);
  context.fillRect(left, y - side / 4, width, side / 2);
  context.fillStyle = colorOf('passed');
  context.fillRect(left, y - side / 2, width * passed, side);
}

/** Passed is a full square, all else a low one, readable without colour. */
function square(context: CanvasRenderingContext2D, x: number, y: number, side: number, full: boolean): void {
  if (full) context.fillRect(x, y, side, side);
  else context.fillRect(x, y + side * 0.6, side, side * 0.4);
}

function drawPrivateMark(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  node: NodeView,
  x: number,
  y: number,
  font: number,
): void {
  const style = scene.palette.verdict(node.privateVerdict);
  context.textAlign = 'center';
  context.font = `700 ${font}px ${scene.palette.fontFamily}`;
  context.fillStyle = style.color;
  context.fillText(style.glyph, x, y);
}
