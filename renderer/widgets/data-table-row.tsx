// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, so a table element does not fit
import { memo, type ReactNode } from 'react';
import styles from './data-table.module.css';

export type Column<Row> = {
  readonly id: string;
  readonly label: string;
  /** Accessible name of a column without a visible label. */
  readonly name?: string;
  /** Tooltip of the head. */
  readonly hint?: string;
  /** CSS grid track, e.g. "80px" or "minmax(120px, 1fr)". */
  readonly track: string;
  readonly right?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Cannot be chosen away, nor left out where a table is narrow. */
  readonly isFixed?: boolean;
  /** Left out of tables that are narrower than this, pixels. */
  readonly from?: number;
  /** True where its cell would show nothing; a column that is empty in every row is left out. */
  readonly isEmpty?: (row: Row) => boolean;
  /** Sort key; a column without it cannot be sorted. */
  readonly sortValue?: (row: Row) => number | string;
};

type Props<Row> = {
  readonly row: Row;
  readonly label: string;
  /** Place in the table, from 0. */
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly tracks: string;
  /** Pixels. */
  readonly height: number;
  /** Pixels from the top of all rows. */
  readonly top: number;
  readonly isChosen: boolean;
  /** Absent: rows do not open. */
  readonly onChoose: ((row: Row) => void) | undefined;
};

function PlainRow<Row>(props: Props<Row>): ReactNode {
  const { row, index, columns, tracks, height, top, isChosen, onChoose } = props;
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-label={props.label}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={styles.row}
      data-open={onChoose !== undefined || undefined}
      style={{ gridTemplateColumns: tracks, height, transform: `translateY(${top}px)` }}
      onClick={() => onChoose?.(row)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose?.(row);
      }}
    >
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          tabIndex={-1}
          className={column.right === true ? styles.right : undefined}
        >
          {column.cell(row)}
        </span>
      ))}
    </div>
  );
}

/** Memoised: not rendered again while other rows scroll by. */
export const DataTableRow = memo(PlainRow) as typeof PlainRow;
