import { useElementSize } from '@mantine/hooks';
import { areaY, axisX, axisY, dot, gridY, lineY, plot, ruleY } from '@observablehq/plot';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type ContextAction, useContextMenu } from './context-menu';
import styles from './curve-chart.module.css';
import { percent, percentRange } from './format';
import { thinned } from './thinned';

export type CurvePoint = {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
};
export type CurveSeries = {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly points: readonly CurvePoint[];
  /** Reference points, e.g. a paper's: hollow marks in the series colour. */
  readonly reference?: readonly { readonly x: number; readonly y: number }[];
  /** Shown after its value, e.g. progress. */
  readonly note?: string;
};

const MARGIN = { left: 40, right: 16, top: 10, bottom: 34 };
/** More points than this cannot be seen at any chart width. */
const MOST_POINTS = 400;
/** With more curves than this, overlapping bands are unreadable: only the highlighted one gets a band. */
const MOST_BANDS = 8;

type Axes = { readonly toPixel: (x: number) => number; readonly toValue: (pixel: number) => number };

/** The last point at or before x: a rate over the first x nodes holds until the next one. */
export function pointAt(points: readonly CurvePoint[], x: number): CurvePoint | null {
  let nearest: CurvePoint | null = null;
  for (const point of points) {
    if (point.x > x) break;
    nearest = point;
  }
  return nearest;
}

/** The scale's top: the highest band, rounded up to a tenth. */
export function topOf(series: readonly CurveSeries[]): number {
  let highest = 0;
  for (const { points, reference = [] } of series) {
    for (const { high, y } of points) highest = Math.max(highest, high, y);
    for (const { y } of reference) highest = Math.max(highest, y);
  }
  if (highest === 0) return 1;
  return Math.min(1, Math.ceil(highest * 10 - 1e-9) / 10);
}

/**
 * Rates over a count, each with its interval as a band. The pointer or the arrow keys read all curves at one x; the
 * values are in the legend, and hovering over one highlights its curve.
 * `highlighted` draws the others thinner; with `onChoose` legend entries can be clicked.
 */
export function CurveChart(props: {
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly CurveSeries[];
  /** The end of the x axis while the curves still grow. */
  readonly xEnd?: number;
  /** False: x starts at 0 and is not an integer count. */
  readonly isWhole?: boolean;
  readonly highlighted?: string | null;
  readonly onChoose?: (id: string) => void;
  /** What its context menu offers. */
  readonly menu?: (chart: Element) => readonly ContextAction[];
}) {
  const { label, xLabel, yLabel, series, isWhole = true, menu } = props;
  const context = useContextMenu(`Actions of ${label}`);
  const [pointedAt, setPointedAt] = useState<string | null>(null);
  const stressed = pointedAt ?? props.highlighted ?? null;
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const stage = useRef<HTMLDivElement>(null);
  const [axes, setAxes] = useState<Axes | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const ends = series.flatMap(({ points, reference }) => [points.at(-1)?.x ?? 0, reference?.at(-1)?.x ?? 0]);
  const lastX = Math.max(0, props.xEnd ?? 0, ...ends);
  const xStart = isWhole ? 1 : 0;
  const xEnd = isWhole ? Math.max(2, lastX) : lastX === 0 ? 1 : lastX;
  const drawn = useMemo(
    () => series.map((curve) => ({ ...curve, points: thinned(curve.points, MOST_POINTS) })),
    [series],
  );

  useEffect(() => {
    const host = stage.current;
    if (host === null || width < 80 || height < 60) return;
    const top = topOf(drawn);
    const banded = drawn.length <= MOST_BANDS ? drawn : drawn.filter(({ id }) => id === stressed);
    const figure = plot({
      width,
      height,
      marginLeft: MARGIN.left,
      marginRight: MARGIN.right,
      marginTop: MARGIN.top,
      marginBottom: MARGIN.bottom,
      style: {
        background: 'transparent',
        color: 'var(--text-soft)',
        fontFamily: 'var(--font-ui)',
        fontSize: 'var(--type-small)',
      },
      x: { domain: [xStart, xEnd] },
      y: { domain: [0, top] },
      marks: [
        gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
        axisY({ ticks: 5, tickSize: 0, label: null, tickFormat: (rate: number) => percent(rate, 0) }),
        axisX({
          ticks: Math.max(2, Math.min(10, Math.floor(width / 60))),
          tickSize: 3,
          stroke: 'var(--line-strong)',
          label: xLabel,
          labelAnchor: 'right',
          labelArrow: 'none',
          tickFormat: (x: number) => (isWhole && !Number.isInteger(x) ? '' : xText(x)),
        }),
        ruleY([0], { stroke: 'var(--line-strong)' }),
        ...banded.map(({ points, color, id }) =>
          areaY(points, {
            x: 'x',
            y1: 'low',
            y2: 'high',
            fill: color,
            fillOpacity: stressed === null || stressed === id ? 0.15 : 0.05,
          }),
        ),
        ...drawn.map(({ points, color, id }) =>
          lineY(points, {
            x: 'x',
            y: 'y',
            stroke: color,
            strokeWidth: stressed === null || stressed === id ? 1.75 : 1,
            strokeOpacity: drawn.length > MOST_BANDS && stressed !== null && stressed !== id ? 0.35 : 1,
          }),
        ),
        ...drawn.map(({ points, color }) => dot(points.slice(-1), { x: 'x', y: 'y', fill: color, r: 2.5 })),
        ...drawn.map(({ reference = [], color }) =>
          dot(reference, { x: 'x', y: 'y', stroke: color, fill: 'var(--surface)', strokeWidth: 1.5, r: 3 }),
        ),
      ],
    });
    figure.setAttribute('aria-hidden', 'true');
    host.replaceChildren(figure);
    const span = width - MARGIN.left - MARGIN.right;
    setAxes({
      toPixel: (x) => MARGIN.left + ((x - xStart) / (xEnd - xStart)) * span,
      toValue: (pixel) => xStart + ((pixel - MARGIN.left) / span) * (xEnd - xStart),
    });
    return () => figure.remove();
  }, [drawn, width, height, xStart, xEnd, isWhole, xLabel, stressed]);

  const read = (x: number): void => setCursor(Math.min(xEnd, Math.max(xStart, isWhole ? Math.round(x) : x)));
  const pointed = (event: PointerEvent<HTMLDivElement>): void => {
    if (axes === null) return;
    read(axes.toValue(event.clientX - event.currentTarget.getBoundingClientRect().left));
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || event.altKey) return;
    event.preventDefault();
    read((cursor ?? xEnd) + step * (isWhole ? Math.max(1, Math.round(xEnd / 200)) : xEnd / 200));
  };

  return (
    <figure
      className={styles.chart}
      aria-label={label}
      onContextMenu={(event) => context.openMenu(event, menu?.(event.currentTarget) ?? [])}
    >
      <CursorValues
        series={series}
        at={cursor ?? xEnd}
        atEnd={cursor === null}
        xLabel={xLabel}
        yLabel={yLabel}
        onPoint={setPointedAt}
        chosen={props.highlighted ?? null}
        onChoose={props.onChoose}
      />
      <div
        ref={ref}
        className={styles.stage}
        role="slider"
        tabIndex={0}
        aria-label={`${label}: cursor`}
        aria-valuemin={xStart}
        aria-valuemax={xEnd}
        aria-valuenow={cursor ?? xEnd}
        aria-valuetext={ariaText(series, cursor ?? xEnd, xLabel)}
        onPointerMove={pointed}
        onPointerLeave={() => setCursor(null)}
        onBlur={() => setCursor(null)}
        onKeyDown={pressed}
      >
        <div ref={stage} className={styles.drawing} />
        {cursor !== null && axes !== null && (
          <div
            className={styles.cursor}
            style={{ left: axes.toPixel(cursor), top: MARGIN.top, bottom: MARGIN.bottom }}
          />
        )}
      </div>
      {context.menu}
    </figure>
  );
}

/** Integers in full, other values with three digits. */
function xText(x: number): string {
  return Number.isInteger(x) ? x.toLocaleString('en') : String(Number(x.toPrecision(3)));
}

/** The values at the cursor, for screen readers. */
function ariaText(series: readonly CurveSeries[], at: number, xLabel: string): string {
  const values = series.map(({ label, points }) => {
    const point = pointAt(points, at);
    return point === null ? `${label} nothing yet` : `${label} ${percent(point.y)} %`;
  });
  return `${xLabel} ${xText(at)}: ${values.join(', ')}`;
}

function CursorValues(props: {
  readonly series: readonly CurveSeries[];
  readonly at: number;
  readonly atEnd: boolean;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Highlights the hovered curve. */
  readonly onPoint: (id: string | null) => void;
  readonly chosen: string | null;
  readonly onChoose: ((id: string) => void) | undefined;
}) {
  const { chosen, onChoose } = props;
  return (
    <div className={styles.cursorValues} data-many={props.series.length > MOST_BANDS || undefined}>
      <span className={styles.where}>
        {props.yLabel}, % {props.atEnd ? 'at the last' : 'at'} {props.xLabel}
        {props.atEnd ? '' : ` ${xText(props.at)}`}
      </span>
      <ul>
        {props.series.map((curve) => (
          <li
            key={curve.id}
            onPointerEnter={() => props.onPoint(curve.id)}
            onPointerLeave={() => props.onPoint(null)}
          >
            {onChoose === undefined ? (
              <CursorValue series={curve} at={props.atEnd ? null : props.at} />
            ) : (
              <button type="button" aria-pressed={chosen === curve.id} onClick={() => onChoose(curve.id)}>
                <CursorValue series={curve} at={props.atEnd ? null : props.at} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `at` null: at its last point. */
function CursorValue({ series, at }: { readonly series: CurveSeries; readonly at: number | null }) {
  const { label, color, points, reference = [], note = '' } = series;
  const point = at === null ? (points.at(-1) ?? null) : pointAt(points, at);
  const theirs = reference.findLast(({ x }) => at === null || x <= at);
  return (
    <>
      <i style={{ background: color }} />
      <span>{label}</span>
      <b>{point === null ? '–' : percent(point.y)}</b>
      <small>{point === null ? note : percentRange(point.low, point.high)}</small>
      {theirs !== undefined && <small>paper {percent(theirs.y)}</small>}
      {point !== null && note !== '' && <small>{note}</small>}
    </>
  );
}
