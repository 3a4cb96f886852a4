// biome-ignore-all lint/a11y/useSemanticElements: squares that wrap into bands are no table
import { useElementSize, useHotkeys } from '@mantine/hooks';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { type Bands, bandsFor, type GridPosition, gridMove } from './grid-moves';
import styles from './outcome-grid.module.css';
import { type OutcomeKind, OutcomeMark } from './outcome-mark';

export type GridCell = {
  readonly kind: OutcomeKind;
  /** How far it is, in [0, 1]. */
  readonly fill: number;
  /** All that the square says, in words. */
  readonly label: string;
};
export type GridRow = {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly cells: readonly GridCell[];
};

/**
 * A square for each row and column. One stop for the Tab key; arrows (or J and K) walk, Enter opens.
 * `picture`: just to be looked at, without focus or clicks.
 */
export function OutcomeGrid(props: {
  readonly label: string;
  readonly rows: readonly GridRow[];
  readonly columns: number;
  readonly onOpen?: (row: number, column: number) => void;
  readonly picture?: boolean;
}) {
  const { label, rows, columns, onOpen, picture = false } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const grid = useRef<HTMLDivElement | null>(null);
  const [at, setAt] = useState<GridPosition>({ row: 0, column: 0 });
  const head = headWidth(rows.map((row) => row.label));
  const bands = bandsFor(columns, Math.max(0, width - head));

  const focus = (next: GridPosition): void => {
    setAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-at="${next.row}:${next.column}"]`)?.focus();
  };
  const move = (key: string): boolean => {
    const inside = grid.current?.contains(document.activeElement) ?? false;
    const next = inside ? gridMove(key, at, { rows: rows.length, columns, perBand: bands.perBand }) : at;
    if (next === null) return false;
    focus(next);
    return true;
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen?.(at.row, at.column);
    } else if (event.key.length > 1 && move(event.key)) {
      event.preventDefault();
    }
  };
  useHotkeys(
    picture
      ? []
      : [
          ['j', () => move('j')],
          ['k', () => move('k')],
        ],
  );

  const content = Array.from({ length: bands.count }, (_, band) => (
    <div key={band * bands.perBand} className={styles.band} role="presentation">
      <Ruler bands={bands} band={band} columns={columns} head={head} />
      {rows.map((row, index) => (
        <BandRow
          key={row.id}
          row={row}
          rowIndex={index}
          from={band * bands.perBand}
          to={Math.min(columns, (band + 1) * bands.perBand)}
          pitch={bands.pitch}
          head={head}
          stop={at.row === index ? at.column : -1}
          picture={picture}
          onOpen={onOpen}
          onFocus={setAt}
          onKey={pressed}
        />
      ))}
    </div>
  ));
  return (
    <div ref={ref}>
      {width > 0 &&
        (picture ? (
          <div role="img" aria-label={label} className={styles.grid}>
            {content}
          </div>
        ) : (
          <div
            ref={grid}
            role="grid"
            aria-label={label}
            aria-rowcount={rows.length}
            aria-colcount={columns}
            className={styles.grid}
          >
            {content}
          </div>
        ))}
    </div>
  );
}

/** Room for the longest name of a row, pixels; a letter of 12 px type is up to 7.4 wide in wide system fonts. */
export function headWidth(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  return Math.min(200, Math.max(110, Math.ceil(longest * 7.4) + 36));
}

/** Every tenth column by its number. */
function Ruler(props: {
  readonly bands: Bands;
  readonly band: number;
  readonly columns: number;
  readonly head: number;
}) {
  const { bands, band, columns } = props;
  const first = band * bands.perBand;
  const last = Math.min(columns, first + bands.perBand);
  const numbers: number[] = [];
  for (let column = first; column < last; column++) {
    if (column === first || (column + 1) % 10 === 0) numbers.push(column);
  }
  return (
    <div className={styles.ruler} style={{ marginLeft: props.head }} aria-hidden="true">
      {numbers.map((column) => (
        <span key={column} style={{ left: (column - first) * bands.pitch, width: bands.pitch }}>
          {column + 1}
        </span>
      ))}
    </div>
  );
}

const BandRow = memo(function BandRow(props: {
  readonly row: GridRow;
  readonly rowIndex: number;
  readonly from: number;
  readonly to: number;
  readonly pitch: number;
  readonly head: number;
  /** The column that the Tab key reaches, -1 for none in this row. */
  readonly stop: number;
  readonly picture: boolean;
  readonly onOpen: ((row: number, column: number) => void) | undefined;
  readonly onFocus: (at: GridPosition) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}) {
  const { row, rowIndex, from, to, pitch, stop, picture, onOpen, onFocus, onKey } = props;
  const size = Math.min(18, pitch - 3);
  return (
    <div className={styles.row} role={picture ? 'presentation' : 'row'} style={{ height: pitch }}>
      <span
        className={styles.head}
        role={picture ? undefined : 'rowheader'}
        style={{ width: props.head }}
        title={row.label}
      >
        <i className={styles.chip} style={{ background: row.color }} />
        <span>{row.label}</span>
      </span>
      {row.cells.slice(from, to).map((cell, offset) => {
        const column = from + offset;
        const style = { width: pitch, height: pitch };
        if (picture) {
          return (
            <span key={column} className={styles.cell} style={style}>
              <OutcomeMark kind={cell.kind} fill={cell.fill} size={size} />
            </span>
          );
        }
        return (
          <div
            key={column}
            role="gridcell"
            aria-label={cell.label}
            title={cell.label}
            data-at={`${rowIndex}:${column}`}
            data-outcome={cell.kind}
            tabIndex={stop === column ? 0 : -1}
            className={styles.cell}
            style={style}
            onFocus={() => onFocus({ row: rowIndex, column })}
            onClick={() => onOpen?.(rowIndex, column)}
            onKeyDown={onKey}
          >
            <OutcomeMark kind={cell.kind} fill={cell.fill} size={size} />
          </div>
        );
      })}
    </div>
  );
});

/** What the shapes mean, with how many there are of each. */
export function OutcomeLegend(props: {
  readonly entries: readonly {
    readonly kind: OutcomeKind;
    readonly label: string;
    readonly count?: number;
  }[];
}) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {props.entries.map(({ kind, label, count }) => (
        <li key={kind}>
          <OutcomeMark kind={kind} fill={0.5} size={12} />
          <span>{label}</span>
          {count !== undefined && <b>{count}</b>}
        </li>
      ))}
    </ul>
  );
}
