import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { ChartBoundary } from './chart-boundary';
import { niceTicks, pixelOf, type Range, rangeOf } from './chart-scale';
import { type ContextAction, isByPointer, useContextMenu } from './context-menu';
import { type LabelPlace, labelPlaces } from './label-places';
import styles from './scatter-plot.module.css';

type Measured = { readonly value: number; readonly low: number; readonly high: number };
export type ScatterPoint = {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly x: Measured;
  readonly y: Measured;
};

const MARGIN = { left: 40, right: 16, top: 8, bottom: 34 };
const HEIGHT = 260;
/** Names of more points than this would lie over each other: then they are read by pointing. */
const MAX_NAMES = 8;

type Frame = { readonly x: (value: number) => number; readonly y: (value: number) => number };

/**
 * Two quantities of each thing with their intervals as crosses. The arrow keys go from point to point; the context menu
 * is of the point under the pointer or the one that the arrows have reached, elsewhere of the whole chart.
 */
export function ScatterPlot(props: ScatterPlotProps) {
  return (
    <ChartBoundary title={props.label} data={props.points}>
      <Plot {...props} />
    </ChartBoundary>
  );
}

type ScatterPlotProps = {
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly points: readonly ScatterPoint[];
  readonly formatY: (value: number) => string;
  /** What its context menu offers; `id`: of the point, null: none. */
  readonly menu: (id: string | null, chart: Element) => readonly ContextAction[];
};

function Plot(props: ScatterPlotProps) {
  const { label, xLabel, yLabel, points, formatY, menu } = props;
  const { ref, width } = useElementSize<HTMLElement>();
  const [hovered, setHovered] = useState<string | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const idPrefix = useId();
  const context = useContextMenu(`Actions of ${label}`);
  const highlighted = hovered ?? (hasFocus ? reached : null);
  const across = spanOf(points.map(({ x }) => x));
  const up = spanOf(points.map(({ y }) => y));
  const frame: Frame = {
    x: (value) => pixelOf(value, across, MARGIN.left, width - MARGIN.right),
    y: (value) => pixelOf(value, up, HEIGHT - MARGIN.bottom, MARGIN.top),
  };
  const isNamed = points.length <= MAX_NAMES;
  const marks = points.map(({ id, x, y, label: name }) => ({
    x: frame.x(x.value),
    y: frame.y(y.value),
    label: isNamed || highlighted === id ? name : '',
  }));
  const places = labelPlaces(marks, width);
  const pressed = (event: KeyboardEvent): void => {
    const step = stepOf(event);
    if (step === 0) return;
    event.preventDefault();
    const sorted = points.toSorted((a, b) => a.x.value - b.x.value);
    const at = sorted.findIndex(({ id }) => id === reached);
    setReached(sorted[Math.min(sorted.length - 1, Math.max(0, at + step))]?.id ?? null);
  };
  const openPointMenu = (event: MouseEvent<HTMLElement>): void => {
    const pointed = event.target instanceof Element ? event.target.closest('[data-point]') : null;
    const id = pointed?.getAttribute('data-point') ?? (isByPointer(event) ? null : reached);
    const shown = id === null ? null : event.currentTarget.querySelector(`[data-point="${CSS.escape(id)}"]`);
    context.openMenu(event, menu(id, event.currentTarget.closest('figure') ?? event.currentTarget), shown);
  };
  return (
    <figure ref={ref} className={styles.plot} aria-label={label}>
      {width > 120 && (
        <div
          role="listbox"
          tabIndex={0}
          aria-label={`Points of ${label}`}
          aria-activedescendant={reached === null ? undefined : `${idPrefix}-${reached}`}
          onKeyDown={pressed}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onContextMenu={openPointMenu}
        >
          <svg role="presentation" width={width} height={HEIGHT}>
            <Axes {...{ across, up, frame, width, xLabel, formatY }} />
            {points.map((point, at) => (
              <PointMark
                key={point.id}
                elementId={`${idPrefix}-${point.id}`}
                point={point}
                frame={frame}
                place={places[at]}
                text={pointText(point, formatY)}
                isFaint={highlighted !== null && highlighted !== point.id}
                isNamed={isNamed || highlighted === point.id}
                isReached={reached === point.id}
                onHover={setHovered}
              />
            ))}
          </svg>
        </div>
      )}
      <figcaption>{yLabel}</figcaption>
      {context.menu}
    </figure>
  );
}

function stepOf({ key, altKey }: KeyboardEvent): number {
  if (altKey) return 0;
  if (key === 'ArrowRight' || key === 'ArrowDown') return 1;
  return key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0;
}

function Axes(props: {
  readonly across: Range;
  readonly up: Range;
  readonly frame: Frame;
  readonly width: number;
  readonly xLabel: string;
  readonly formatY: (value: number) => string;
}) {
  const { across, up, frame, width, xLabel, formatY } = props;
  const right = width - MARGIN.right;
  return (
    <>
      {niceTicks(up.low, up.high, 5).map((tick) => (
        <g key={tick}>
          <line className={styles.grid} x1={MARGIN.left} x2={right} y1={frame.y(tick)} y2={frame.y(tick)} />
          <text className={styles.y} x={MARGIN.left - 6} y={frame.y(tick) + 3.5}>
            {formatY(tick)}
          </text>
        </g>
      ))}
      {niceTicks(across.low, across.high, Math.floor(width / 80)).map((tick) => (
        <text key={tick} className={styles.x} x={frame.x(tick)} y={HEIGHT - 19}>
          {String(Number(tick.toPrecision(3)))}
        </text>
      ))}
      <line
        className={styles.axis}
        x1={MARGIN.left}
        x2={right}
        y1={HEIGHT - MARGIN.bottom}
        y2={HEIGHT - MARGIN.bottom}
      />
      <text className={styles.name} x={right} y={HEIGHT - 4}>
        {xLabel}
      </text>
    </>
  );
}

function PointMark(props: {
  readonly elementId: string;
  readonly point: ScatterPoint;
  readonly frame: Frame;
  readonly place: LabelPlace | undefined;
  readonly text: string;
  readonly isFaint: boolean;
  readonly isNamed: boolean;
  readonly isReached: boolean;
  readonly onHover: (id: string | null) => void;
}) {
  const { point, frame, place, text, onHover } = props;
  const { id, color } = point;
  const [x, y] = [frame.x(point.x.value), frame.y(point.y.value)];
  return (
    <g
      id={props.elementId}
      role="option"
      aria-label={text}
      aria-selected={props.isReached}
      data-point={id}
      opacity={props.isFaint ? 0.25 : 1}
      onPointerEnter={() => onHover(id)}
      onPointerLeave={() => onHover(null)}
    >
      <title>{text}</title>
      <g stroke={color} strokeWidth="1.5" opacity="0.5">
        <line x1={frame.x(point.x.low)} x2={frame.x(point.x.high)} y1={y} y2={y} />
        <line x1={x} x2={x} y1={frame.y(point.y.low)} y2={frame.y(point.y.high)} />
      </g>
      <circle cx={x} cy={y} r="4.5" fill={color} />
      {props.isNamed && place !== undefined && (
        <text className={styles.label} x={place.x} y={place.y} textAnchor={place.anchor}>
          {point.label}
        </text>
      )}
    </g>
  );
}

function spanOf(values: readonly Measured[]): Range {
  return rangeOf(Math.min(...values.map(({ low }) => low)), Math.max(...values.map(({ high }) => high)));
}

function pointText({ label, x, y }: ScatterPoint, formatY: (value: number) => string): string {
  return `${label}: ${x.value.toFixed(2)}, ${formatY(y.value)}`;
}
