// biome-ignore-all lint/a11y/useSemanticElements: squares that wrap into bands are no table
import { useElementSize, useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Bands, bandsFor, type GridPosition, gridMove } from './grid-moves';
import styles from './outcome-grid.module.css';
import type { OutcomeKind } from './outcome-mark';
import { Square } from './outcome-square';

export type GridCell = {
  readonly kind: OutcomeKind;
  /** How far it is, in [0, 1]. */
  readonly fill: number;
  /** The name of the square. */
  readonly label: string;
  /** What is shown behind the name under the pointer. */
  readonly detail?: string;
};
export type GridRow = {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  /** The same array while nothing has changed, so that the row is not rendered again. */
  readonly cells: readonly GridCell[];
  /** A problem of the whole row. */
  readonly warning?: string | null;
};

/**
 * A square per row and column. One tab stop; arrows (or J and K) move, Enter opens.
 * `isPicture`: static, without focus or clicks.
 */
export function OutcomeGrid(props: {
  readonly label: string;
  readonly rows: readonly GridRow[];
  readonly columns: number;
  /** What the columns are called; left out, or where they are too long: their numbers. */
  readonly columnNames?: readonly string[];
  readonly onOpen?: (row: number, column: number) => void;
  readonly isPicture?: boolean;
  /** Outcomes are loading: the space is reserved and no square is drawn twice. */
  readonly isLoading?: boolean;
}) {
  const { label, rows, columns, onOpen, isPicture: picture = false, isLoading: blank = false } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const grid = useRef<HTMLDivElement | null>(null);
  const [focusPosition, setFocusPosition] = useState<GridPosition>({ row: 0, column: 0 });
  const head = headWidth(rows.map((row) => row.label));
  const bands = bandsFor(columns, Math.max(0, width - head), rows.length);

  const drawnBands = useBandByBand(blank ? 0 : bands.count, rows.length * columns > MAX_AT_ONCE);

  const focus = (next: GridPosition): void => {
    setFocusPosition(next);
    grid.current?.querySelector<HTMLElement>(`[data-at="${next.row}:${next.column}"]`)?.focus();
  };
  const move = (key: string): boolean => {
    const inside = grid.current?.contains(document.activeElement) ?? false;
    const next = inside
      ? gridMove(key, focusPosition, { rows: rows.length, columns, perBand: bands.perBand })
      : focusPosition;
    if (next === null) return false;
    focus(next);
    return true;
  };
  const onClick = (event: MouseEvent): void => {
    const position = positionOf(event.target);
    if (position !== null) onOpen?.(position.row, position.column);
  };
  /**
   * The tooltip of a square comes with the pointer: 240 that change four times a second would keep a screen reader busy for
   * most of a minute.
   */
  const onMouseOver = (event: MouseEvent): void => {
    const position = positionOf(event.target);
    const cell = position === null ? undefined : rows[position.row]?.cells[position.column];
    const square = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null;
    if (cell === undefined || square === null) return;
    square.title = cell.detail === undefined ? cell.label : `${cell.label}, ${cell.detail}`;
  };
  const onFocus = (event: FocusEvent): void => {
    const position = positionOf(event.target);
    if (position !== null) setFocusPosition(position);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen?.(focusPosition.row, focusPosition.column);
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

  const names = shownNames(props.columnNames, columns);
  const content = Array.from({ length: bands.count }, (_, band) => (
    <div key={band * bands.perBand} role="presentation">
      <Ruler bands={bands} band={band} columns={columns} names={names} head={head} />
      {band >= drawnBands && <div style={{ height: rows.length * bands.pitch }} />}
      {(band < drawnBands ? rows : []).map((row, index) => (
        <BandRow
          key={row.id}
          label={row.label}
          color={row.color}
          warning={row.warning ?? null}
          cells={row.cells}
          rowIndex={index}
          from={band * bands.perBand}
          to={Math.min(columns, (band + 1) * bands.perBand)}
          pitch={bands.pitch}
          head={head}
          stop={focusPosition.row === index ? focusPosition.column : -1}
          picture={picture}
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
            onClick={onClick}
            onMouseOver={onMouseOver}
            onFocus={onFocus}
            onKeyDown={onKeyDown}
          >
            {content}
          </div>
        ))}
    </div>
  );
}

/** This many squares are drawn within a frame or two. */
const MAX_AT_ONCE = 1_000;

/** How many bands are drawn: in a large grid one more per frame, so that opening it does not block the window. */
function useBandByBand(count: number, large: boolean): number {
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (!large || drawn >= count) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + 1));
    return () => cancelAnimationFrame(frame);
  }, [large, drawn, count]);
  return large ? Math.min(drawn, count) : count;
}

/** The position of a square from its data attribute, so that 3,500 squares need no listeners. */
function positionOf(target: EventTarget): GridPosition | null {
  const at = target instanceof Element ? target.closest<HTMLElement>('[data-at]')?.dataset.at : undefined;
  const [row, column] = at?.split(':').map(Number) ?? [];
  return row === undefined || column === undefined ? null : { row, column };
}

/** Fits "reader, Repeated sampling, nodes 16"; more would take too much of the grid. */
const MAX_HEAD = 300;

/** Room for the longest name of a row, pixels; a letter of 12 px type is up to 7.4 wide in wide system fonts. */
export function headWidth(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  return Math.min(MAX_HEAD, Math.max(110, Math.ceil(longest * 7.4) + 36));
}

/** Longer names would run into each other above every tenth column. */
const LONGEST_NAME = 6;

function shownNames(names: readonly string[] | undefined, columns: number): readonly string[] | null {
  if (names?.length !== columns || names.some(({ length }) => length > LONGEST_NAME)) return null;
  return names;
}

/** Every tenth column by its name or number. */
function Ruler(props: {
  readonly bands: Bands;
  readonly band: number;
  readonly columns: number;
  readonly names: readonly string[] | null;
  readonly head: number;
}) {
  const { bands, band, columns, names } = props;
  const first = band * bands.perBand;
  const last = Math.min(columns, first + bands.perBand);
  const numbers: number[] = [];
  for (let column = first; column < last; column++) {
    if (column === first || (names === null ? column + 1 : column) % 10 === 0) numbers.push(column);
  }
  return (
    <div className={styles.ruler} style={{ marginLeft: props.head }} aria-hidden="true">
      {numbers.map((column) => (
        <span key={column} style={{ left: (column - first + 0.5) * bands.pitch }}>
          {names?.[column] ?? column + 1}
        </span>
      ))}
    </div>
  );
}

const BandRow = memo(function BandRow(props: {
  readonly label: string;
  readonly color: string;
  readonly warning: string | null;
  readonly cells: readonly GridCell[];
  readonly rowIndex: number;
  readonly from: number;
  readonly to: number;
  readonly pitch: number;
  readonly head: number;
  /** The column that the Tab key reaches, -1 for none in this row. */
  readonly stop: number;
  readonly picture: boolean;
}) {
  const { label, warning, cells, rowIndex, from, to, pitch, stop, picture } = props;
  return (
    // Without a label its name would be that of all its squares, and change with each.
    <div
      className={styles.row}
      {...(picture ? { role: 'presentation' } : { role: 'row', 'aria-label': label })}
      style={{ height: pitch }}
    >
      <span
        className={styles.head}
        role={picture ? undefined : 'rowheader'}
        style={{ width: props.head, lineHeight: `${pitch}px` }}
        data-dense={pitch < 14 || undefined}
        title={warning === null ? label : `${label}: ${warning}`}
      >
        <i className={styles.chip} style={{ background: props.color }} />
        <HeadName label={label} />
        {warning !== null && <IconAlertTriangle size={12} aria-label="damaged" className={styles.sign} />}
      </span>
      {cells.slice(from, to).map((cell, offset) => {
        const column = from + offset;
        return (
          <Square
            key={column}
            kind={cell.kind}
            fill={cell.fill}
            label={cell.label}
            at={`${rowIndex}:${column}`}
            pitch={pitch}
            stop={stop === column}
            picture={picture}
          />
        );
      })}
    </div>
  );
});

/** Long names keep their end, which distinguishes rows of one team: "Qwen3-8B + Deep…, MARS²-T+". */
const LONGEST_END = 20;

function HeadName(props: { readonly label: string }) {
  const { label } = props;
  const comma = label.lastIndexOf(', ');
  const split = comma > 0 && label.length - comma <= LONGEST_END ? comma : label.length;
  return (
    <span className={styles.name}>
      <span>{label.slice(0, split + 1)}</span>
      {split < label.length && <span>{label.slice(split + 1)}</span>}
    </span>
  );
}
