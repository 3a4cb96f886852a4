import { cssColor } from '../widgets/css-color';
import {
  HEADER_HEIGHT,
  type MatrixPitch,
  type MatrixPosition,
  type MatrixWindow,
  visibleRange,
} from './solve-geometry';
import { isSolved, type MatrixProblem } from './solve-order';

/** Theme colours as plain values, as a canvas needs them. */
export type MatrixPalette = {
  readonly ground: string;
  readonly empty: string;
  readonly solved: string;
  readonly found: string;
  readonly faint: string;
  readonly ink: string;
  readonly header: string;
};

export function readMatrixPalette(element: HTMLElement): MatrixPalette {
  const color = (token: string): string => cssColor(element, token);
  return {
    ground: color('--ground'),
    empty: color('--hover'),
    solved: color('--good-mark'),
    found: color('color-mix(in srgb, var(--good-mark) 34%, var(--ground))'),
    faint: color('--mark-faint'),
    ink: color('--text'),
    header: color('--text-faint'),
  };
}

export type MatrixScene = {
  readonly problems: readonly MatrixProblem[];
  readonly rows: number;
  readonly pitch: MatrixPitch;
  readonly window: MatrixWindow;
  readonly at: MatrixPosition | null;
  readonly palette: MatrixPalette;
};

/** Paints the visible part; the context is scaled to CSS pixels. */
export function drawMatrix(context: CanvasRenderingContext2D, scene: MatrixScene): void {
  const { problems, rows, pitch, window, at, palette } = scene;
  const visible = visibleRange({ rows, columns: problems.length }, pitch, window);
  context.clearRect(0, 0, window.width, window.height);
  context.save();
  context.beginPath();
  context.rect(0, HEADER_HEIGHT, window.width, window.height - HEADER_HEIGHT);
  context.clip();
  for (let column = visible.columns[0]; column < visible.columns[1]; column++) {
    const problem = problems[column];
    if (problem === undefined) continue;
    const x = column * pitch.x - window.scrollLeft;
    for (let row = visible.rows[0]; row < visible.rows[1]; row++) {
      drawSquare(
        context,
        scene,
        problem.cells[row] ?? null,
        x,
        HEADER_HEIGHT + row * pitch.y - window.scrollTop,
      );
    }
  }
  if (at !== null) {
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.5;
    context.strokeRect(
      at.column * pitch.x - window.scrollLeft + 0.25,
      HEADER_HEIGHT + at.row * pitch.y - window.scrollTop + 0.25,
      pitch.x - 0.5,
      pitch.y - 0.5,
    );
  }
  context.restore();
  drawHeader(context, scene, visible.columns);
}

/** Filled from below: share of seeds that solve it; lighter: share with a passing node that was not chosen. */
function drawSquare(
  context: CanvasRenderingContext2D,
  { pitch, palette }: MatrixScene,
  cell: MatrixProblem['cells'][number],
  x: number,
  y: number,
): void {
  const width = pitch.x - 1;
  const height = pitch.y - 3;
  if (cell === null) {
    context.fillStyle = palette.faint;
    context.fillRect(x + width / 2 - 1, y + height / 2, 2, 2);
    return;
  }
  const part = (share: number, color: string): void => {
    if (share <= 0) return;
    context.fillStyle = color;
    context.fillRect(x, y + 1 + height * (1 - share), width, height * share);
  };
  part(1, palette.empty);
  // A passing node that was not chosen fills half the width, so that it differs in shape too.
  if (cell.found01 > cell.solved01) {
    context.fillStyle = palette.found;
    context.fillRect(x, y + 1 + height * (1 - cell.found01), Math.max(2, width / 2), height * cell.found01);
  }
  part(cell.solved01, palette.solved);
}

/** A bar above each problem: the share of configurations that solve it. */
function drawHeader(
  context: CanvasRenderingContext2D,
  { problems, rows, pitch, window, at, palette }: MatrixScene,
  [from, to]: readonly [number, number],
): void {
  const most = HEADER_HEIGHT - 8;
  for (let column = from; column < to; column++) {
    const solved = problems[column]?.cells.filter(isSolved).length ?? 0;
    const height = Math.max(1, (most * solved) / Math.max(1, rows));
    context.fillStyle = at?.column === column ? palette.ink : palette.header;
    context.fillRect(column * pitch.x - window.scrollLeft, 2 + most - height, pitch.x - 1, height);
  }
}
