import { type LatexSize, latexWidth } from './latex-width';
import type { PrintedCell, PrintedColumn, PrintedTable } from './printed-table';
import { wrappedText } from './wrapped-text';

/** The text of a page of LaTeX's article, in points; pages of two columns are wider. */
export const PAGE = { width: 345, height: 540 } as const;
/** A paper's column, of two. */
const COLUMN = 220;

/** Sizes of \footnotesize and \scriptsize in a document of 10 points: nothing in a table is smaller but raised marks. */
const SIZE = 8;
const SMALL = 7;
const LINE = 9.5;
const SMALL_LINE = 7.5;
/** On either side of a column. */
export const GAP = 3;

/** What a row's own label may take: the first that leaves the fewest parts. */
const LABELS = [220, 150, 125, 105, 92, 80];
/** Longer texts than this go on in the next line. */
const TEXT = 80;
/** Under a row that may have several lines. */
export const ROW_GAP = 2;
/** Rules of a part, and what is above it. */
const HEAD_LINES = 12;

function inLines(text: string, width: number, size: LatexSize = SIZE): readonly string[] {
  return wrappedText(text, width, (some) => latexWidth(some, size)).lines;
}

/** In points, of a column of numbers or of short texts. */
export type LatexColumn = PrintedColumn & {
  readonly at: number;
  readonly width: number;
  readonly head: readonly string[];
  /** Does some text of it go on in the next line? */
  readonly wraps: boolean;
};

/** Some columns of some rows, which fit side by side on a page. */
export type LatexPart = {
  /** The first one has the rows' labels. */
  readonly columns: readonly LatexColumn[];
  readonly rows: readonly number[];
  readonly width: number;
};

/** The lines of a cell: its value, then smaller its interval and its standard deviation. */
export function cellLines({ interval }: PrintedCell): readonly string[] {
  return interval === '' ? [] : interval.split(/ (?=SD |\(n = )/);
}

function cellWidth(cell: PrintedCell): number {
  const { text, marks, sources, bold } = cell;
  const value = latexWidth(text, SIZE) * (bold ? 1.16 : 1) + latexWidth(`${marks}${sources}`, SMALL);
  return Math.max(value, ...cellLines(cell).map((line) => latexWidth(line, SMALL)));
}

function columnOf({ columns, rows }: PrintedTable, at: number, widest: number): LatexColumn {
  const column = columns[at] as PrintedColumn;
  const cells = rows.flatMap((row) => row.cells[at] ?? []);
  const natural = Math.max(0, ...cells.map(cellWidth));
  const wraps = column.align === 'left' && natural > widest;
  const own = wraps ? widest : natural;
  const words = column.label.split(' ').map((word) => latexWidth(word, SIZE));
  const head = inLines(column.label, Math.max(own, ...words));
  return { ...column, at, wraps, head, width: Math.max(own, ...head.map((line) => latexWidth(line, SIZE))) };
}

/** Columns in blocks that are no wider than a page, each with the labels of the rows; a paper's number stays beside ours. */
function blocksOf(printed: PrintedTable, label: LatexColumn): LatexColumn[][] {
  const others = printed.columns.slice(1).map((_, at) => columnOf(printed, at + 1, TEXT));
  const units: LatexColumn[][] = [];
  for (const column of others) {
    if (column.isBesidePrevious) units.at(-1)?.push(column);
    else units.push([column]);
  }
  const blocks: LatexColumn[][] = [];
  for (const unit of units) {
    const last = blocks.at(-1);
    if (last !== undefined && widthOf([...last, ...unit]) <= PAGE.width) last.push(...unit);
    else blocks.push([label, ...unit]);
  }
  return blocks.length === 0 ? [[label]] : blocks;
}

/** Adjacent columns of one group with its name in as many lines as it takes over them; none where they have no group. */
export function spansOf(columns: readonly LatexColumn[]): {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly head: readonly string[];
}[] {
  const spans: ReturnType<typeof spansOf> = [];
  for (let from = 0; from < columns.length; ) {
    const group = columns[from]?.group ?? '';
    let to = from + 1;
    while (group !== '' && columns[to]?.group === group) to += 1;
    const own = columns.slice(from, to).reduce((sum, { width }) => sum + width + 2 * GAP, 0) - 2 * GAP;
    const words = group.split(' ').map((word) => latexWidth(word, SIZE));
    const head = group === '' ? [] : inLines(group, Math.max(own, ...words));
    spans.push({ from, to, head, width: Math.max(own, ...words) });
    from = to;
  }
  return spans;
}

function widthOf(columns: readonly LatexColumn[]): number {
  return spansOf(columns).reduce((sum, { width }) => sum + width + 2 * GAP, 0) - 2 * GAP;
}

function rowHeight(printed: PrintedTable, row: number, columns: readonly LatexColumn[]): number {
  const cells = printed.rows[row]?.cells ?? [];
  const heights = columns.map(({ at, width, wraps }) => {
    const cell = cells[at];
    if (cell === undefined) return 0;
    return LINE * (wraps ? inLines(cell.text, width).length : 1) + SMALL_LINE * cellLines(cell).length;
  });
  return Math.max(...heights) + (mayHaveLines(cells, columns) ? ROW_GAP : 0);
}

/** May a row have several lines? */
export function mayHaveLines(cells: readonly PrintedCell[], columns: readonly LatexColumn[]): boolean {
  return columns.some(({ at, wraps }) => wraps || cells[at]?.interval !== '');
}

/** Of a part with these rows. */
function heightOf(printed: PrintedTable, rows: readonly number[], columns: readonly LatexColumn[]): number {
  const heads = [columns, spansOf(columns)].map((some) => Math.max(...some.map(({ head }) => head.length)));
  let height = HEAD_LINES + LINE * heads.reduce((sum, lines) => sum + lines, 0);
  rows.forEach((row, index) => {
    const group = printed.rows[row]?.group ?? '';
    if (group !== '' && group !== printed.rows[rows[index - 1] ?? -1]?.group) {
      height += 6 + LINE * inLines(group, widthOf(columns)).length;
    }
    height += rowHeight(printed, row, columns);
  });
  return height;
}

/**
 * The parts of a table, page by page: a page has all columns of its rows, one part under the other. `notes`: what stands under the
 * last part, small.
 */
export function latexLayout(
  printed: PrintedTable,
  notes: string,
): { readonly pages: readonly (readonly LatexPart[])[]; readonly isWide: boolean } {
  const [blocks = []] = LABELS.map((widest) => blocksOf(printed, columnOf(printed, 0, widest))).sort(
    (first, second) => first.length - second.length,
  );
  const captionLines = (width: number): number => inLines(`Table 10: ${printed.caption}`, width, 10).length;
  const isWide = Math.max(...blocks.map(widthOf)) > COLUMN || captionLines(COLUMN) > 2;
  const under = SMALL_LINE * inLines(notes, isWide ? PAGE.width : COLUMN, SMALL).length * 1.06;
  const room = PAGE.height - LINE * 1.3 * captionLines(isWide ? PAGE.width : COLUMN);
  const height = (rows: readonly number[]): number =>
    blocks.reduce((sum, columns) => sum + heightOf(printed, rows, columns), 0);
  const pages: LatexPart[][] = [];
  let left = printed.rows.map((_, at) => at);
  do {
    const isLast = height(left) + under <= room;
    const count = isLast ? left.length : fitting(printed, left, height, room);
    const rows = left.slice(0, count);
    pages.push(blocks.map((columns) => ({ columns, rows, width: widthOf(columns) })));
    left = left.slice(count);
  } while (left.length > 0);
  return { pages, isWide };
}

/** How many rows a page holds that is not the last: up to the end of a group, where that leaves not too little of it. */
function fitting(
  { rows }: PrintedTable,
  left: readonly number[],
  height: (rows: readonly number[]) => number,
  room: number,
): number {
  let count = 1;
  while (count < left.length - 1 && height(left.slice(0, count + 1)) <= room) count += 1;
  const isEnd = (end: number): boolean => rows[left[end] ?? -1]?.group !== rows[left[end - 1] ?? -1]?.group;
  for (let end = count; end > count / 3; end -= 1) if (isEnd(end)) return end;
  return count;
}
