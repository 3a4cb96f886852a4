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

/** Room for the names of the rows. */
const HEAD = 148;

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
  const bands = bandsFor(columns, Math.max(0, width - HEAD));

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

  return (
    <div ref={ref}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: squares that wrap into bands are no table
        <div
          ref={grid}
          role={picture ? 'img' : 'grid'}
          aria-label={label}
          {...(picture ? {} : { 'aria-rowcount': rows.length, 'aria-colcount': columns })}
          className={styles.grid}
          onKeyDown={picture ? undefined : pressed}
        >
          {Array.from({ length: bands.count }, (_, band) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a band is its position
            <div key={band} className={styles.band} role="presentation">
              <Ruler bands={bands} band={band} columns={columns} />
              {rows.map((row, index) => (
                <BandRow
                  key={row.id}
                  row={row}
                  rowIndex={index}
                  from={band * bands.perBand}
                  to={Math.min(columns, (band + 1) * bands.perBand)}
                  pitch={bands.pitch}
                  stop={at.row === index ? at.column : -1}
                  picture={picture}
                  onOpen={onOpen}
                  onFocus={setAt}
                />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Every tenth column by its number. */
function Ruler(props: { readonly bands: Bands; readonly band: number; readonly columns: number }) {
  const { bands, band, columns } = props;
  const first = band * bands.perBand;
  const last = Math.min(columns, first + bands.perBand);
  const numbers: number[] = [];
  for (let column = first; column < last; column++) {
    if (column === first || (column + 1) % 10 === 0) numbers.push(column);
  }
  return (
    <div className={styles.ruler} style={{ marginLeft: HEAD }} aria-hidden="true">
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
  /** The column that the Tab key reaches, -1 for none in this row. */
  readonly stop: number;
  readonly picture: boolean;
  readonly onOpen: ((row: number, column: number) => void) | undefined;
  readonly onFocus: (at: GridPosition) => void;
}) {
  const { row, rowIndex, from, to, pitch, stop, picture, onOpen, onFocus } = props;
  const size = Math.min(18, pitch - 3);
  return (
    <div className={styles.row} role={picture ? 'presentation' : 'row'} style={{ height: pitch }}>
      <span
        className={styles.head}
        role={picture ? undefined : 'rowheader'}
        style={{ width: HEAD }}
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
          // biome-ignore lint/a11y/useSemanticElements: a cell of the grid above, see there
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
