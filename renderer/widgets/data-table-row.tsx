// biome-ignore-all lint/a11y/useSemanticElements: rows that are not in sight are not in the page, so it is no table element
import { memo, type ReactNode } from 'react';
import type { Column } from './data-table';
import styles from './data-table.module.css';

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

/** One row of a table; drawn again only when something of it changes, not while others scroll by. */
export const DataTableRow = memo(PlainRow) as typeof PlainRow;
