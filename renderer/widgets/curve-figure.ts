import { areaY, axisX, axisY, dot, gridY, lineY, plot, ruleY } from '@observablehq/plot';
import { percent } from './format';

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

export const MARGIN = { left: 40, right: 16, top: 10, bottom: 34 };
/** With more curves than this, overlapping bands are unreadable: only the highlighted one gets a band. */
export const MAX_BANDS = 8;

/** Between values of x and pixels. */
export type Axes = { readonly toPixel: (x: number) => number; readonly toValue: (pixel: number) => number };

type CurveRange = {
  readonly xStart: number;
  readonly xEnd: number;
  /** False: x starts at 0 and is not an integer count. */
  readonly isWhole: boolean;
};

export function axesOf({ width, xStart, xEnd }: CurveRange & { readonly width: number }): Axes {
  const span = width - MARGIN.left - MARGIN.right;
  return {
    toPixel: (x) => MARGIN.left + ((x - xStart) / (xEnd - xStart)) * span,
    toValue: (pixel) => xStart + ((pixel - MARGIN.left) / span) * (xEnd - xStart),
  };
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

/** The drawing: bands, curves, last points and references; the others than `highlighted` are thinner. */
export function curveFigure(
  series: readonly CurveSeries[],
  look: CurveRange & {
    readonly width: number;
    readonly height: number;
    readonly xLabel: string;
    readonly highlighted: string | null;
  },
): Element {
  const { width, height, xStart, xEnd, isWhole, xLabel, highlighted } = look;
  const top = topOf(series);
  const banded = series.length <= MAX_BANDS ? series : series.filter(({ id }) => id === highlighted);
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
          fillOpacity: highlighted === null || highlighted === id ? 0.15 : 0.05,
        }),
      ),
      ...series.map(({ points, color, id }) =>
        lineY(points, {
          x: 'x',
          y: 'y',
          stroke: color,
          strokeWidth: highlighted === null || highlighted === id ? 1.75 : 1,
          strokeOpacity: series.length > MAX_BANDS && highlighted !== null && highlighted !== id ? 0.35 : 1,
        }),
      ),
      ...series.map(({ points, color }) => dot(points.slice(-1), { x: 'x', y: 'y', fill: color, r: 2.5 })),
      ...series.map(({ reference = [], color }) =>
        dot(reference, { x: 'x', y: 'y', stroke: color, fill: 'var(--surface)', strokeWidth: 1.5, r: 3 }),
      ),
    ],
  });
  figure.setAttribute('aria-hidden', 'true');
  return figure;
}

/** Integers in full, other values with three digits. */
export function xText(x: number): string {
  return Number.isInteger(x) ? x.toLocaleString('en') : String(Number(x.toPrecision(3)));
}
