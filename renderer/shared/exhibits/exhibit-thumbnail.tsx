import { useMemo } from 'react';
import type { Exhibit, ExhibitResult } from '../../../preload/contract/exhibit';
import type { FilledExhibit } from '../../../preload/contract/exhibit-fill';
import { exhibitAtScale } from '../../../preload/contract/plans/index';
import { readyValue, useExhibitResult, useLineHues } from '../../state/index';
import { configurationColor } from '../../theme/index';
import styles from './exhibit-thumbnail.module.css';
import {
  type ThumbnailCell,
  type ThumbnailLine,
  type ThumbnailRow,
  thumbnailLayout,
} from './thumbnail-layout';

const WIDTH = 240;
const HEIGHT = 104;
/** Between the frame and what is drawn. */
const EDGE = 10;
/** Rows are no higher than this, so that a table of few rows is not stretched. */
const MAX_ROW = 13;
const LABELS = 44;
const GAP = 8;

type Props = {
  /** What is seen, in words. */
  readonly label: string;
  readonly exhibit: Exhibit;
  readonly scale: ExhibitResult['scale'] & ('pocket' | 'paper');
  /** null: nothing of it was measured at this scale. */
  readonly reproductionId: string | null;
};

/** A small picture of a table or figure in its current state: our values, the paper's, and what is empty. */
export function ExhibitThumbnail(props: Props) {
  const { exhibit, scale, reproductionId } = props;
  // Colours follow the names that its page shows.
  const shown = useMemo(() => exhibitAtScale(exhibit, scale), [exhibit, scale]);
  return reproductionId === null ? (
    <Picture {...props} exhibit={shown} result={null} />
  ) : (
    <Measured {...props} exhibit={shown} reproductionId={reproductionId} />
  );
}

/** The same of a table or figure of the lab's own, as its runs at hand fill it. */
export function FilledThumbnail({
  label,
  filled,
}: Pick<Props, 'label'> & { readonly filled: FilledExhibit }) {
  return <Picture label={label} {...filled} />;
}

function Measured(props: Props & { readonly reproductionId: string }) {
  const { exhibit, scale, reproductionId } = props;
  const result = readyValue(useExhibitResult({ exhibitId: exhibit.id, scale, reproductionId }));
  return <Picture {...props} result={result} />;
}

function Picture(props: Pick<Props, 'label' | 'exhibit'> & { readonly result: ExhibitResult | null }) {
  const { label, exhibit, result } = props;
  const { rows, figures } = useMemo(() => thumbnailLayout(exhibit, result), [exhibit, result]);
  const hues = useLineHues(exhibit);
  const split = figures.length === 0 ? 0 : rows.length > 0 ? Math.round(WIDTH * 0.42) : WIDTH;
  const width = split / figures.length;
  return (
    <svg className={styles.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {figures.map((lines, at) => (
        <g key={at} transform={`translate(${at * width} 0)`}>
          <Chart hues={hues} lines={lines} width={width} />
        </g>
      ))}
      {rows.length > 0 && <Table rows={rows} left={split} />}
    </svg>
  );
}

function Table({ rows, left }: { readonly rows: readonly ThumbnailRow[]; readonly left: number }) {
  const groups = rows.filter(({ beginsGroup }) => beginsGroup).length;
  const height = Math.min(MAX_ROW, (HEIGHT - 2 * EDGE) / (rows.length + groups * 0.5));
  const columns = rows[0]?.cells.length ?? 1;
  const start = left + EDGE + LABELS;
  const width = (WIDTH - EDGE - start - (columns - 1) * GAP) / columns;
  let y = (HEIGHT - height * (rows.length + groups * 0.5)) / 2;
  return rows.map(({ label01, beginsGroup, cells }, at) => {
    y += (at === 0 ? 0 : height) + (beginsGroup ? height * 0.5 : 0);
    const middle = y + height / 2;
    return (
      <g key={at}>
        <line
          className={styles.label}
          x1={left + EDGE}
          x2={left + EDGE + (LABELS - GAP) * Math.max(0.25, label01)}
          y1={middle}
          y2={middle}
        />
        {cells.map((cell, column) =>
          cell === null ? null : (
            <Cell
              key={column}
              cell={cell}
              x={start + column * (width + GAP)}
              width={width}
              middle={middle}
              height={Math.min(5, height * 0.62)}
            />
          ),
        )}
      </g>
    );
  });
}

/** Ours as a bar, the paper's as a tick over it, or alone as a pale bar. */
function Cell(props: {
  readonly cell: ThumbnailCell;
  readonly x: number;
  readonly width: number;
  readonly middle: number;
  readonly height: number;
}) {
  const { cell, x, width, middle, height } = props;
  const { ours, paper, state } = cell;
  const top = middle - height / 2;
  return (
    <>
      <line className={styles.track} x1={x} x2={x + width} y1={middle} y2={middle} />
      {ours === null && paper !== null && (
        <rect className={styles.paper} x={x} y={top} width={width * paper} height={height} />
      )}
      {ours !== null && (
        <rect className={styles.ours} x={x} y={top} width={Math.max(1, width * ours)} height={height} />
      )}
      {ours !== null && paper !== null && (
        <line
          className={styles.tick}
          x1={x + width * paper}
          x2={x + width * paper}
          y1={top - 1}
          y2={top + height + 1}
        />
      )}
      {(state === 'running' || state === 'failed') && (
        <circle className={styles[state]} cx={x - 3} cy={middle} r={1.6} />
      )}
    </>
  );
}

function Chart(props: {
  readonly hues: ReadonlyMap<string, number>;
  readonly lines: readonly ThumbnailLine[];
  readonly width: number;
}) {
  const { hues, lines, width } = props;
  const [left, bottom] = [EDGE, HEIGHT - EDGE];
  const place = ([x, y]: readonly [number, number]): string =>
    `${(left + 3 + x * (width - 2 * EDGE - 6)).toFixed(1)},${(bottom - 3 - y * (HEIGHT - 2 * EDGE - 6)).toFixed(1)}`;
  return (
    <>
      <path className={styles.axes} d={`M${left},${EDGE} V${bottom} H${width - EDGE}`} />
      {lines.map(({ id, ours, paper }) => (
        <g key={id} style={{ color: configurationColor(hues.get(id) ?? 0) }}>
          {ours.length > 1 && <path className={styles.line} d={`M${ours.map(place).join(' L')}`} />}
          {paper.map((point, index) => {
            const [cx, cy] = place(point).split(',');
            return <circle key={index} className={styles.ring} cx={cx} cy={cy} r={1.8} />;
          })}
        </g>
      ))}
    </>
  );
}

/** What the marks of thumbnails mean. */
export function ThumbnailLegend() {
  return (
    <ul className={styles.legend} aria-label="Legend">
      <li>
        <svg width="16" height="8" aria-hidden="true">
          <rect className={styles.ours} x="0" y="2" width="16" height="5" />
        </svg>
        measured here
      </li>
      <li>
        <svg width="16" height="8" aria-hidden="true">
          <rect className={styles.paper} x="0" y="2" width="16" height="5" />
        </svg>
        the paper's value
      </li>
      <li>
        <svg width="16" height="8" aria-hidden="true">
          <line className={styles.track} x1="0" x2="16" y1="4.5" y2="4.5" />
        </svg>
        empty
      </li>
    </ul>
  );
}
