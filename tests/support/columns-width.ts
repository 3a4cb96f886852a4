import { type Column, fittingColumns } from '../../renderer/widgets/data-table';

/** Between two columns, and beside a row: its padding, and the room of the scroll bar. */
const [GAP, FRAME] = [10, 24 + 10];

/** Pixels that the columns of a table of this width need at least. */
export function leastWidth<Row>(columns: readonly Column<Row>[], width: number): number {
  return fittingColumns(columns, width, []).reduce(
    (sum, { track }) => sum + Number(/\d+/.exec(track)?.[0]) + GAP,
    FRAME - GAP,
  );
}
