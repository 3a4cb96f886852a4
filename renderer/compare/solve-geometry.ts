/** Geometry of the matrix of problems by configurations: pixels of one window, scrolled. Pure. */
export type MatrixSize = { readonly rows: number; readonly columns: number };
export type MatrixPitch = { readonly x: number; readonly y: number };
export type MatrixWindow = {
  readonly width: number;
  readonly height: number;
  readonly scrollLeft: number;
  readonly scrollTop: number;
};
export type MatrixPosition = { readonly row: number; readonly column: number };

/** Height of the bars above the squares, pixels. */
export const HEADER_HEIGHT = 26;
const MAX_PITCH = 18;
/** Narrower squares cannot be clicked; the matrix scrolls instead. */
const MIN_PITCH = 4;
/** Width of the names, pixels. A letter of bold 12 px type is up to 7.4 wide; 78 are for the note behind the name. */
const [MIN_HEAD, MAX_HEAD] = [140, 300];

/** Row height: large for few rows, small for many. */
function rowHeight(rows: number): number {
  return rows <= 6 ? 28 : rows <= 24 ? 20 : 15;
}

export function headWidth(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  return Math.min(MAX_HEAD, Math.max(MIN_HEAD, longest * 7.4 + 78));
}

/** Columns as wide as fit, rows by their number. */
export function pitchFor({ rows, columns }: MatrixSize, width: number): MatrixPitch {
  const fitting = columns === 0 ? MAX_PITCH : Math.floor(width / columns);
  return { x: Math.min(MAX_PITCH, Math.max(MIN_PITCH, fitting)), y: rowHeight(rows) };
}

export function matrixExtent(
  { rows, columns }: MatrixSize,
  pitch: MatrixPitch,
): { readonly width: number; readonly height: number } {
  return { width: columns * pitch.x, height: HEADER_HEIGHT + rows * pitch.y };
}

/** The square at a point of the window; null: none. */
export function squareAt(
  at: { readonly x: number; readonly y: number },
  size: MatrixSize,
  pitch: MatrixPitch,
  { scrollLeft, scrollTop }: Pick<MatrixWindow, 'scrollLeft' | 'scrollTop'>,
): MatrixPosition | null {
  if (at.y < HEADER_HEIGHT) return null;
  const column = Math.floor((at.x + scrollLeft) / pitch.x);
  const row = Math.floor((at.y - HEADER_HEIGHT + scrollTop) / pitch.y);
  return column < 0 || column >= size.columns || row < 0 || row >= size.rows ? null : { row, column };
}

/** First and last (exclusive) visible row and column. */
export function visibleRange(
  { rows, columns }: MatrixSize,
  pitch: MatrixPitch,
  { width, height, scrollLeft, scrollTop }: MatrixWindow,
): { readonly rows: readonly [number, number]; readonly columns: readonly [number, number] } {
  const between = (from: number, length: number, step: number, count: number): readonly [number, number] => [
    Math.max(0, Math.floor(from / step)),
    Math.min(count, Math.ceil((from + length) / step)),
  ];
  return {
    rows: between(scrollTop, Math.max(0, height - HEADER_HEIGHT), pitch.y, rows),
    columns: between(scrollLeft, width, pitch.x, columns),
  };
}

/** Scroll offsets that make a square visible; unchanged if it is. */
export function scrollTo(
  { row, column }: MatrixPosition,
  pitch: MatrixPitch,
  window: MatrixWindow,
): { readonly scrollLeft: number; readonly scrollTop: number } {
  const into = (from: number, step: number, at: number, length: number): number =>
    Math.max(Math.min(from, at * step), (at + 1) * step - length);
  return {
    scrollLeft: into(window.scrollLeft, pitch.x, column, window.width),
    scrollTop: into(window.scrollTop, pitch.y, row, window.height - HEADER_HEIGHT),
  };
}

/** The square that a key moves to; null: not a key of the matrix. */
export function matrixMove(
  key: string,
  { row, column }: MatrixPosition,
  size: MatrixSize,
): MatrixPosition | null {
  const within = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
  switch (key) {
    case 'ArrowRight':
      return { row, column: within(column + 1, size.columns) };
    case 'ArrowLeft':
      return { row, column: within(column - 1, size.columns) };
    case 'ArrowDown':
      return { row: within(row + 1, size.rows), column };
    case 'ArrowUp':
      return { row: within(row - 1, size.rows), column };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: size.columns - 1 };
    default:
      return null;
  }
}
