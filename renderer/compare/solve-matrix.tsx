// biome-ignore-all lint/a11y/useSemanticElements: the squares are painted; one hidden cell represents the current one
import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, memo, useId, useMemo, useRef, useState } from 'react';
import { ConfigurationName, type NamedRow } from './figures-table';
import styles from './matrix.module.css';
import { useProgressiveCount } from './show-more';
import {
  headWidth,
  type MatrixPosition,
  type MatrixWindow,
  matrixExtent,
  matrixMove,
  pitchFor,
  scrollTo,
  squareAt,
} from './solve-geometry';
import { cellText, type MatrixProblem } from './solve-order';
import { useMatrixCanvas } from './use-matrix-canvas';

/** Maximum height, pixels; a higher matrix scrolls. */
const MAX_HEIGHT = 520;
const SCROLLBAR = 12;

/**
 * Configurations by problems, painted as squares: one Tab stop, arrow keys move, Enter or a click opens. `onHover`
 * reports the current square.
 */
export function SolveMatrix(props: {
  readonly rows: readonly NamedRow[];
  readonly problems: readonly MatrixProblem[];
  /** Note behind each row's name. */
  readonly notes: readonly string[];
  /** Rows whose trees open side by side. */
  readonly pair: readonly [number, number];
  readonly onHover: (at: MatrixPosition | null) => void;
  readonly onOpen: (at: MatrixPosition) => void;
}) {
  const { rows, problems, onHover, onOpen } = props;
  const { ref, width: all } = useElementSize<HTMLDivElement>();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [at, setAt] = useState<MatrixPosition | null>(null);
  /** The arrows have moved: the focus stays with the grid as a whole, so the square is said. */
  const [walked, setWalked] = useState(false);
  const size = { rows: rows.length, columns: problems.length };
  const head = useMemo(() => headWidth(rows.map(({ name }) => name)), [rows]);
  const room = Math.max(0, all - head);
  const pitch = pitchFor(size, room - SCROLLBAR);
  const extent = matrixExtent(size, pitch);
  const height = Math.min(MAX_HEIGHT, extent.height + (extent.width > room ? SCROLLBAR : 0));
  const scrolled = (): MatrixWindow => ({
    width: Math.min(room, extent.width),
    height: Math.min(height, extent.height),
    scrollLeft: box.current?.scrollLeft ?? 0,
    scrollTop: box.current?.scrollTop ?? 0,
  });

  const canvas = useMatrixCanvas(box, scrolled, { problems, rows: rows.length, pitch, at });

  const hover = (next: MatrixPosition | null): void => {
    if (next?.row === at?.row && next?.column === at?.column) return;
    setAt(next);
    onHover(next);
  };
  const pointed = (event: MouseEvent<HTMLCanvasElement>): MatrixPosition | null => {
    const edge = event.currentTarget.getBoundingClientRect();
    return squareAt({ x: event.clientX - edge.left, y: event.clientY - edge.top }, size, pitch, scrolled());
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || problems.length === 0) return;
    const here = at ?? { row: 0, column: 0 };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(here);
      return;
    }
    const next = matrixMove(event.key, here, size);
    if (next === null) return;
    event.preventDefault();
    const { scrollLeft, scrollTop } = scrollTo(next, pitch, scrolled());
    box.current?.scrollTo(scrollLeft, scrollTop);
    hover(next);
    setWalked(true);
  };
  const [first, second] = props.pair;
  const drawn = useProgressiveCount(rows.length);
  // A grid must have a row even before a square is selected.
  const described = at ?? { row: 0, column: 0 };
  const problem = problems[described.column];
  const row = rows[described.row];
  const square =
    problem === undefined || row === undefined
      ? ''
      : cellText(row.name, problem, problem.cells[described.row] ?? null);
  return (
    <div ref={ref}>
      <div
        ref={box}
        className={styles.matrix}
        style={{ height, gridTemplateColumns: `${head}px ${extent.width}px` }}
        role="grid"
        tabIndex={0}
        aria-label="Who solves what: configurations by problems"
        aria-rowcount={rows.length}
        aria-colcount={problems.length}
        aria-activedescendant={at === null ? undefined : `${id}-square`}
        onKeyDown={pressed}
        onFocus={() => at === null && problems.length > 0 && hover({ row: 0, column: 0 })}
        onBlur={() => {
          hover(null);
          setWalked(false);
        }}
      >
        <div role="presentation" className={styles.matrixHeads} style={{ minHeight: extent.height }}>
          <div className={styles.matrixCorner} aria-hidden="true">
            solved by
          </div>
          {rows.slice(0, drawn).map((row, index) => (
            <Head
              key={row.name}
              row={row}
              note={props.notes[index] ?? ''}
              height={pitch.y}
              isPaired={index === first || index === second}
            />
          ))}
        </div>
        <div role="presentation" className={styles.matrixSquares}>
          <canvas
            ref={canvas}
            style={{
              left: head,
              width: Math.min(room, extent.width),
              height: Math.min(height, extent.height),
            }}
            onPointerMove={(event) => hover(pointed(event))}
            onPointerLeave={() => hover(null)}
            onClick={(event) => {
              const cell = pointed(event);
              if (cell !== null) onOpen(cell);
            }}
          />
        </div>
        {problem !== undefined && row !== undefined && (
          <div role="row" tabIndex={-1} className={styles.hidden}>
            <div
              role="gridcell"
              tabIndex={-1}
              id={`${id}-square`}
              aria-rowindex={described.row + 1}
              aria-colindex={described.column + 1}
            >
              {square}
            </div>
          </div>
        )}
      </div>
      <VisuallyHidden role="status">{walked && square}</VisuallyHidden>
    </div>
  );
}

const Head = memo(function Head(props: {
  readonly row: NamedRow;
  readonly note: string;
  /** Pixels. */
  readonly height: number;
  readonly isPaired: boolean;
}) {
  const { row, note, height, isPaired } = props;
  return (
    <div
      role="presentation"
      className={styles.matrixHead}
      style={{ height }}
      data-paired={isPaired || undefined}
    >
      <ConfigurationName {...row} />
      <small>{note}</small>
    </div>
  );
});
