/** Geometry and keyboard of a grid whose columns wrap into bands, one below the other. */
export type GridPosition = { readonly row: number; readonly column: number };

export type Bands = {
  /** Pixels from one cell to the next. */
  readonly pitch: number;
  readonly perBand: number;
  readonly count: number;
};

const LARGEST_PITCH = 24;
const SMALLEST_PITCH = 14;
const WRAPPED_PITCH = 16;
/** With many rows: shapes are still readable at this size, and more fit on the screen. */
const DENSE_PITCH = 12;
const DENSE_FROM = 30;

/**
 * Cells as large as fit in one band; where that would be too small, bands of about one length and a round number of columns, denser where
 * rows and bands together are many.
 */
export function bandsFor(columns: number, width: number, rows = 1): Bands {
  if (columns === 0) return { pitch: LARGEST_PITCH, perBand: 1, count: 0 };
  const pitch = Math.floor(width / columns);
  if (pitch >= SMALLEST_PITCH) {
    return { pitch: Math.min(LARGEST_PITCH, pitch), perBand: columns, count: 1 };
  }
  const roomy = wrapped(columns, width, WRAPPED_PITCH);
  return rows * roomy.count < DENSE_FROM ? roomy : wrapped(columns, width, DENSE_PITCH);
}

function wrapped(columns: number, width: number, pitch: number): Bands {
  const fitting = Math.max(1, Math.floor(width / pitch));
  const even = Math.ceil(columns / Math.ceil(columns / fitting));
  const perBand =
    [10, 5].map((step) => Math.ceil(even / step) * step).find((rounded) => rounded <= fitting) ?? even;
  return { pitch, perBand, count: Math.ceil(columns / perBand) };
}

/** The target of a key, or null for other keys. Up and down continue in the next band. */
export function gridMove(
  key: string,
  at: GridPosition,
  size: { readonly rows: number; readonly columns: number; readonly perBand: number },
): GridPosition | null {
  const { rows, columns, perBand } = size;
  const column = (target: number): number => Math.min(columns - 1, Math.max(0, target));
  switch (key) {
    case 'ArrowRight':
    case 'j':
      return { row: at.row, column: column(at.column + 1) };
    case 'ArrowLeft':
    case 'k':
      return { row: at.row, column: column(at.column - 1) };
    case 'ArrowDown':
      if (at.row < rows - 1) return { row: at.row + 1, column: at.column };
      return at.column + perBand < columns ? { row: 0, column: at.column + perBand } : at;
    case 'ArrowUp':
      if (at.row > 0) return { row: at.row - 1, column: at.column };
      return at.column >= perBand ? { row: rows - 1, column: at.column - perBand } : at;
    case 'Home':
      return { row: at.row, column: 0 };
    case 'End':
      return { row: at.row, column: columns - 1 };
    default:
      return null;
  }
}
