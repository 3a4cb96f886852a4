import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, memo, type PointerEvent, useId, useMemo } from 'react';
import type { AgentShape } from '../theme/index';
import { AgentShapeMark } from './agent-shape';
import { ChartBoundary } from './chart-boundary';
import {
  bandPath,
  lastPoint,
  linePath,
  niceTicks,
  outline,
  type Points,
  pixelOf,
  positionAt,
  type Range,
  rangeOf,
  rangeWithoutSpikes,
} from './chart-scale';
import { type ContextAction, useContextMenu } from './context-menu';
import styles from './line-chart.module.css';

export type ChartLine = {
  readonly id: string;
  readonly label: string;
  /** A CSS colour. */
  readonly color: string;
  readonly shape: AgentShape;
  readonly points: Points;
  /** The values before smoothing, drawn faint. */
  readonly raw: Points | null;
  /** Around it, over the xs of `points`. */
  readonly band: { readonly low: readonly number[]; readonly high: readonly number[] } | null;
  /** Number of curves behind each point of the mean, if not all; null: all. */
  readonly counts: readonly number[] | null;
};

/** With more lines than this, overlapping bands are drawn fainter. */
const MANY_BANDS = 4;

const MARGIN = { left: 44, right: 12, top: 6, bottom: 20 };

/** The range of the y axis; rare spikes may exceed it. */
function rangeOfLines(lines: readonly ChartLine[]): Range {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { points, raw, band } of lines) {
    for (const values of [points.ys, raw?.ys, band?.low, band?.high]) {
      const usual = values === undefined ? null : rangeWithoutSpikes(values);
      if (usual === null) continue;
      lowest = Math.min(lowest, usual.low);
      highest = Math.max(highest, usual.high);
    }
  }
  return rangeOf(lowest, highest);
}

/**
 * A small line chart. The pointer or the arrow keys read all lines at one x; the cursor is controlled by the caller,
 * so that charts side by side share it.
 */
export function LineChart(props: LineChartProps) {
  return (
    <ChartBoundary title={props.title} data={props.lines}>
      <Chart {...props} />
    </ChartBoundary>
  );
}

type LineChartProps = {
  readonly title: string;
  /** What it is, in a sentence. */
  readonly hint: string;
  readonly lines: readonly ChartLine[];
  /** What x counts, e.g. "update". */
  readonly over: string;
  /** The end of the x axis; it begins at 0. */
  readonly xEnd: number;
  /** The end of the y axis, which then begins at 0; left out: it fits the values. */
  readonly top?: number | undefined;
  readonly cursor: number | null;
  readonly onCursor: (x: number | null) => void;
  /** Formats a value in the legend. */
  readonly formatValue: (value: number) => string;
  /** Formats a tick; `step`: distance of the ticks. */
  readonly formatTick: (value: number, step: number) => string;
  readonly formatX: (x: number) => string;
  /** x counts things, so that its ticks are whole numbers. */
  readonly integerX?: boolean;
  /** The highlighted line; null: none. */
  readonly highlighted: string | null;
  /** What its context menu offers. */
  readonly menu?: (chart: Element) => readonly ContextAction[];
};

function Chart(props: LineChartProps) {
  const { title, lines, over, xEnd, cursor, onCursor, formatValue, formatX, menu } = props;
  const context = useContextMenu(`Actions of ${title}`);
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const titleId = useId();
  const end = xEnd > 0 ? xEnd : 1;
  const read = (x: number): void => onCursor(Math.min(end, Math.max(0, x)));
  const pointed = (event: PointerEvent<HTMLDivElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left;
    const span = width - MARGIN.left - MARGIN.right;
    if (span > 0) read((x / span) * end);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || event.altKey) return;
    event.preventDefault();
    read((cursor ?? end) + (step * end) / 100);
  };
  const values = lines.map((line) => ({ line, text: textAt(line, cursor, formatValue) }));
  return (
    <figure
      className={styles.chart}
      aria-labelledby={titleId}
      onContextMenu={(event) => context.openMenu(event, menu?.(event.currentTarget) ?? [])}
    >
      <figcaption>
        <b id={titleId} title={props.hint}>
          {title}
        </b>
        <ul>
          {values.map(({ line: { id, label, color, shape }, text }) => (
            <li key={id} title={`${label}: ${text}`}>
              <AgentShapeMark agent={{ shape, color }} size={8} />
              <span className={styles.hidden}>{label}</span>
              {text}
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        ref={ref}
        className={styles.stage}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: cursor`}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={cursor ?? end}
        aria-valuetext={`${over} ${formatX(cursor ?? end)}: ${values.map(({ line, text }) => `${line.label} ${text}`).join(', ')}`}
        onPointerMove={pointed}
        onPointerLeave={() => onCursor(null)}
        onBlur={() => onCursor(null)}
        onKeyDown={pressed}
      >
        <Drawing
          lines={lines}
          xEnd={end}
          top={props.top}
          width={width}
          height={height}
          formatTick={props.formatTick}
          formatX={formatX}
          integerX={props.integerX === true}
          stressed={props.highlighted}
        />
        {cursor !== null && width > 0 && (
          <div
            className={styles.cursor}
            style={{
              left: pixelOf(cursor, { low: 0, high: end }, MARGIN.left, width - MARGIN.right),
              top: MARGIN.top,
              bottom: MARGIN.bottom,
            }}
          />
        )}
      </div>
      {context.menu}
    </figure>
  );
}

function textAt(line: ChartLine, cursor: number | null, formatValue: (value: number) => string): string {
  const { xs, ys } = line.points;
  const at = cursor === null ? xs.length - 1 : positionAt(xs, cursor);
  const value = ys[at];
  if (at < 0 || value === undefined) return '–';
  const count = line.counts?.[at];
  return count === undefined ? formatValue(value) : `${formatValue(value)} (mean of ${count})`;
}

type DrawingProps = {
  readonly lines: readonly ChartLine[];
  readonly xEnd: number;
  readonly top: number | undefined;
  readonly width: number;
  readonly height: number;
  readonly formatTick: (value: number, step: number) => string;
  readonly formatX: (x: number) => string;
  readonly integerX: boolean;
  readonly stressed: string | null;
};

/** Everything that does not move with the cursor. */
const Drawing = memo(function Drawing(props: DrawingProps) {
  const { lines, xEnd, top, width, height, formatTick, formatX, integerX, stressed } = props;
  const clip = useId();
  const drawn = useMemo(() => {
    const inner = { right: width - MARGIN.right, bottom: height - MARGIN.bottom };
    if (inner.right <= MARGIN.left || inner.bottom <= MARGIN.top) return null;
    const range = top === undefined ? rangeOfLines(lines) : { low: 0, high: top };
    const across = { low: 0, high: xEnd };
    const frame = {
      x: (value: number) => pixelOf(value, across, MARGIN.left, inner.right),
      y: (value: number) => pixelOf(value, range, inner.bottom, MARGIN.top),
    };
    const buckets = Math.ceil(inner.right - MARGIN.left);
    return {
      inner,
      frame,
      yTicks: niceTicks(range.low, range.high, Math.max(2, Math.floor(height / 34))),
      xTicks: niceTicks(0, xEnd, Math.max(2, Math.floor(width / 76)), integerX ? 1 : 0),
      lines: lines.map((line) => ({
        id: line.id,
        color: line.color,
        shape: line.shape,
        raw: line.raw === null ? '' : linePath(outline(line.raw, buckets), frame),
        main: linePath(outline(line.points, buckets), frame),
        band: line.band === null ? '' : bandPath(line.points.xs, line.band.low, line.band.high, frame),
        last: lastPoint(line.points, range, frame),
      })),
    };
  }, [lines, xEnd, top, width, height, integerX]);
  if (drawn === null) return null;
  const bandOpacity = lines.length > MANY_BANDS ? 0.06 : 0.16;
  const { inner, frame, yTicks, xTicks } = drawn;
  const [first = 0, second = first + 1] = yTicks;
  const yStep = second - first;
  return (
    <svg className={styles.drawing} width={width} height={height} aria-hidden="true">
      <clipPath id={clip}>
        <rect x={MARGIN.left} y={0} width={inner.right - MARGIN.left + 6} height={inner.bottom} />
      </clipPath>
      {yTicks.map((tick) => (
        <g key={tick}>
          <line
            className={styles.grid}
            x1={MARGIN.left}
            x2={inner.right}
            y1={frame.y(tick)}
            y2={frame.y(tick)}
          />
          <text className={styles.y} x={MARGIN.left - 6} y={frame.y(tick) + 3.5}>
            {formatTick(tick, yStep)}
          </text>
        </g>
      ))}
      <line className={styles.axis} x1={MARGIN.left} x2={inner.right} y1={inner.bottom} y2={inner.bottom} />
      {xTicks.map((tick) => (
        <text key={tick} className={styles.x} x={frame.x(tick)} y={height - 5}>
          {formatX(tick)}
        </text>
      ))}
      <g clipPath={`url(#${clip})`} fill="none">
        {drawn.lines.map(({ id, color, band }) =>
          band === '' ? null : (
            <path
              key={id}
              d={band}
              fill={color}
              opacity={stressed === id ? 0.2 : stressed === null ? bandOpacity : 0.03}
            />
          ),
        )}
        {drawn.lines.map(({ id, color, raw }) =>
          raw === '' ? null : <path key={id} d={raw} stroke={color} strokeWidth="1" opacity="0.28" />,
        )}
        {drawn.lines.map(({ id, color, main }) => (
          <path
            key={id}
            d={main}
            stroke={color}
            strokeWidth={stressed === id ? 2.5 : 1.6}
            opacity={stressed === null || stressed === id ? 1 : 0.35}
            strokeLinejoin="round"
          />
        ))}
      </g>
      {drawn.lines.map(({ id, color, shape, last }) =>
        last === null ? null : (
          <g key={id} transform={`translate(${last.x - 4} ${last.y - 4})`}>
            <AgentShapeMark agent={{ shape, color }} size={8} />
          </g>
        ),
      )}
    </svg>
  );
});
