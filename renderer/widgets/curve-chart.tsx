import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type ContextAction, useContextMenu } from './context-menu';
import styles from './curve-chart.module.css';
import {
  type Axes,
  axesOf,
  type CurvePoint,
  type CurveSeries,
  curveFigure,
  MARGIN,
  MAX_BANDS,
  xText,
} from './curve-figure';
import { percent, percentRange } from './format';
import { thinned } from './thinned';

export type { CurvePoint, CurveSeries } from './curve-figure';

/** More points than this cannot be seen at any chart width. */
const MAX_POINTS = 400;
/** The last point at or before x: a rate over the first x nodes holds until the next one. */
export function pointAt(points: readonly CurvePoint[], x: number): CurvePoint | null {
  let nearest: CurvePoint | null = null;
  for (const point of points) {
    if (point.x > x) break;
    nearest = point;
  }
  return nearest;
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
  const highlighted = pointedAt ?? props.highlighted ?? null;
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const stage = useRef<HTMLDivElement>(null);
  const [axes, setAxes] = useState<Axes | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const ends = series.flatMap(({ points, reference }) => [points.at(-1)?.x ?? 0, reference?.at(-1)?.x ?? 0]);
  const lastX = Math.max(0, props.xEnd ?? 0, ...ends);
  const xStart = isWhole ? 1 : 0;
  const xEnd = isWhole ? Math.max(2, lastX) : lastX === 0 ? 1 : lastX;
  const drawn = useMemo(
    () => series.map((curve) => ({ ...curve, points: thinned(curve.points, MAX_POINTS) })),
    [series],
  );

  useEffect(() => {
    const host = stage.current;
    if (host === null || width < 80 || height < 60) return;
    const range = { xStart, xEnd, isWhole };
    const figure = curveFigure(drawn, { width, height, ...range, xLabel, highlighted });
    host.replaceChildren(figure);
    setAxes(axesOf({ width, ...range }));
    return () => figure.remove();
  }, [drawn, width, height, xStart, xEnd, isWhole, xLabel, highlighted]);

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
    <div className={styles.cursorValues} data-many={props.series.length > MAX_BANDS || undefined}>
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
