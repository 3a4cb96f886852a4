// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual, so a table element does not fit
import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';
import { ColumnMenu } from './column-menu';
import { type ContextAction, useContextMenu } from './context-menu';
import styles from './data-table.module.css';
import { type Column, DataTableRow } from './data-table-row';

export type { Column };

export type Sorting = { readonly column: string; readonly down: boolean };

/** A stable sort into a new array. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const sortValue = columns.find(({ id }) => id === sorting?.column)?.sortValue;
  if (sortValue === undefined || sorting === null) return rows;
  const sign = sorting.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = sortValue(a);
    const y = sortValue(b);
    return x === y ? 0 : (x < y ? -1 : 1) * sign;
  });
}

const ROW = 26;

/** Pixels between two columns, and at the sides of a row with the scroll bar beside it. */
const [GAP, SIDES] = [10, 34];
/** Beside the columns, where they can be chosen. */
const CHOICE = 18;

/** What a row with these columns takes at least, pixels: "80px" of a column, "minmax(120px, 1fr)" 120. */
function leastWidth<Row>(columns: readonly Column<Row>[]): number {
  return columns.reduce(
    (sum, { track }) => sum + GAP + (Number.parseInt(track.replace('minmax(', ''), 10) || 0),
    SIDES - GAP,
  );
}

/**
 * The columns that fit this width (0: not known yet), without those that are empty in every row: the last ones go
 * first, the first one and fixed ones stay. Or those that a person has chosen, by their ids.
 */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  width: number,
  rows: readonly Row[],
  chosen: readonly string[] | null = null,
  /** Pixels beside the columns that something else takes. */
  beside = 0,
): readonly Column<Row>[] {
  if (chosen !== null) return columns.filter(({ id, isFixed }) => isFixed || chosen.includes(id));
  const fitting = columns.filter(
    ({ from = 0, isEmpty }) =>
      (width === 0 || from <= width) &&
      (isEmpty === undefined || rows.length === 0 || rows.some((row) => !isEmpty(row))),
  );
  while (width > 0 && leastWidth(fitting) + beside > width) {
    const last = fitting.findLastIndex(({ isFixed }, at) => at > 0 && isFixed !== true);
    if (last < 0) break;
    fitting.splice(last, 1);
  }
  return fitting;
}

/**
 * A virtual table, sorted by its column heads. With `chosen`, the arrow keys select rows; else they move the focus and
 * Enter opens.
 */
export function DataTable<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowLabel: (row: Row) => string;
  readonly chosen?: string | null;
  readonly onChoose?: (row: Row) => void;
  readonly rowHeight?: number;
  /** Ids of the columns that a person has chosen; null: as many as fit. Left out: they cannot be chosen. */
  readonly chosenColumns?: readonly string[] | null;
  readonly onChooseColumns?: (columns: readonly string[] | null) => void;
  /** What its context menu offers; left out: none. */
  readonly rowActions?: (row: Row) => readonly ContextAction[];
}) {
  const { label, rowKey, rowLabel, onChoose, rowHeight = ROW, rowActions } = props;
  const { chosenColumns = null, onChooseColumns } = props;
  const canChoose = onChooseColumns !== undefined;
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const columns = useMemo(
    () => fittingColumns(props.columns, width, props.rows, chosenColumns, canChoose ? CHOICE : 0),
    [props.columns, width, props.rows, chosenColumns, canChoose],
  );
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const walks = props.chosen === undefined;
  const chosen = props.chosen === undefined ? focusedKey : props.chosen;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  /** The row that the arrows have reached: the focus stays with the rows as a whole, so it is said. */
  const [reached, setReached] = useState('');
  const rows = useMemo(() => sortedRows(props.rows, columns, sorting), [props.rows, columns, sorting]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const latest = useRef(onChoose);
  latest.current = onChoose;
  const choose = useCallback((row: Row): void => latest.current?.(row), []);
  const tracks = columns.map(({ track }) => track).join(' ');
  const at = rows.findIndex((row) => rowKey(row) === chosen);
  const { openMenu, menu } = useContextMenu(`Actions of ${label.toLowerCase()}`);
  /** Under the pointer the row there; by the keyboard the one that its arrows have reached. */
  const openRowMenu = (event: MouseEvent): void => {
    const pointed = event.target instanceof Element ? event.target.closest('[aria-rowindex]') : null;
    const index = pointed === null ? Math.max(0, at) : Number(pointed.getAttribute('aria-rowindex')) - 2;
    const row = rows[index];
    if (row === undefined || rowActions === undefined) return;
    const shown = pointed ?? box.current?.querySelector(`[aria-rowindex="${index + 2}"]`) ?? null;
    openMenu(event, rowActions(row), shown);
  };

  const pressed = (event: KeyboardEvent): void => {
    const here = rows[at];
    if (event.key === 'Enter' && walks && here !== undefined && event.target === event.currentTarget) {
      onChoose?.(here);
      return;
    }
    if (event.key === ' ' && walks) tickRow(event, at);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || event.altKey) return;
    event.preventDefault();
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    if (walks) setFocusedKey(rowKey(next));
    else onChoose?.(next);
    setReached(rowLabel(next));
    virtual.scrollToIndex(rows.indexOf(next));
  };

  return (
    <>
      <div
        ref={frame}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className={styles.table}
        data-choice={onChooseColumns !== undefined || undefined}
      >
        <div role="row" tabIndex={-1} className={styles.head} style={{ gridTemplateColumns: tracks }}>
          {columns.map((column) => (
            <ColumnHead key={column.id} column={column} sorting={sorting} onSort={setSorting} />
          ))}
          {onChooseColumns !== undefined && (
            <div role="columnheader" tabIndex={-1} aria-label="Choose the columns" className={styles.choice}>
              <ColumnMenu
                columns={props.columns.filter(({ isFixed }) => isFixed !== true)}
                shown={new Set(columns.map(({ id }) => id))}
                isChosen={chosenColumns !== null}
                onChoose={onChooseColumns}
              />
            </div>
          )}
        </div>
        <div
          ref={box}
          role="rowgroup"
          className={styles.body}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the one Tab stop of the rows, which its arrows walk
          tabIndex={0}
          onKeyDown={pressed}
          onContextMenu={openRowMenu}
        >
          <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {/* Rows come when it is known which columns fit: drawn before, they would all be drawn twice. */}
            {(width === 0 ? [] : virtual.getVirtualItems()).map((item) => {
              const row = rows[item.index];
              if (row === undefined) return null;
              const key = rowKey(row);
              return (
                <DataTableRow
                  key={key}
                  row={row}
                  label={rowLabel(row)}
                  index={item.index}
                  columns={columns}
                  tracks={tracks}
                  height={rowHeight}
                  top={item.start}
                  isChosen={key === chosen}
                  onChoose={onChoose === undefined ? undefined : choose}
                />
              );
            })}
          </div>
        </div>
        {menu}
      </div>
      <VisuallyHidden role="status">{reached}</VisuallyHidden>
    </>
  );
}

/** The row that the arrows have reached is ticked, where rows have a box for that. */
function tickRow(event: KeyboardEvent, at: number): void {
  if (event.target !== event.currentTarget) return;
  const box = event.currentTarget.querySelector(`[aria-rowindex="${at + 2}"] input[type="checkbox"]`);
  if (!(box instanceof HTMLInputElement)) return;
  event.preventDefault();
  box.click();
}

/** A click sorts by it, the next one the other way round, a third one no longer. */
function ColumnHead<Row>(props: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
}) {
  const { column, sorting, onSort } = props;
  const sorted = sorting?.column === column.id ? (sorting.down ? 'descending' : 'ascending') : undefined;
  return (
    <span
      role="columnheader"
      aria-sort={sorted}
      tabIndex={-1}
      className={column.right === true ? styles.right : undefined}
      title={column.hint}
    >
      {column.sortValue === undefined ? (
        column.label || <VisuallyHidden>{column.name}</VisuallyHidden>
      ) : (
        <button
          type="button"
          onClick={() =>
            onSort(
              sorting?.column !== column.id
                ? { column: column.id, down: false }
                : sorting.down
                  ? null
                  : { column: column.id, down: true },
            )
          }
        >
          {column.label || <VisuallyHidden>{column.name}</VisuallyHidden>}
          <i aria-hidden="true">{sorted === undefined ? '' : sorted === 'ascending' ? ' ↑' : ' ↓'}</i>
        </button>
      )}
    </span>
  );
}
