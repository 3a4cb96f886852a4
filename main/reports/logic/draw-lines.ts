import { type Drawing, filled, type Measure, pathThrough, type Shape, stroked } from './drawing';
import { type FigureWidth, frameOf, type Plot, textAt } from './frame';
import { type LegendEntry, paperLabel } from './legend';
import type { FigureAxis, FigurePoint, ReportFigure } from './report-figure';
import { INK, markPath, RULE, seriesStyle, TICK_SIZE } from './style';
import { linearTicks, logTicks, type PositionOf, shortNumber } from './ticks';

type Lines = Extract<ReportFigure, { kind: 'lines' }>;

/** With more points than this, marks would merge, so only some points get one. */
const MAX_MARKS = 9;
/** Between plot and paper, in points. */
const EDGE = 6;

function alongX(
  axis: FigureAxis,
  values: readonly number[],
  plot: Plot,
): { positionOf: PositionOf; ticks: readonly number[] } {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (axis.scale === 'log' && low > 0 && high > low) {
    const positionOf: PositionOf = (value) =>
      plot.left + (Math.log(value / low) / Math.log(high / low)) * (plot.right - plot.left);
    return { positionOf, ticks: logTicks(low, high) };
  }
  const { from, to, ticks } = linearTicks(low, high, 6);
  const positionOf: PositionOf = (value) =>
    plot.left + ((value - from) / (to - from)) * (plot.right - plot.left);
  return { positionOf, ticks };
}

/** A tick gets no label if its label would touch the previous one. */
function tickShapes(ticks: readonly number[], positionOf: PositionOf, plot: Plot, measure: Measure): Shape[] {
  let free = Number.NEGATIVE_INFINITY;
  return ticks.flatMap((tick): Shape[] => {
    const at = positionOf(tick);
    const mark = stroked(
      pathThrough([
        [at, plot.bottom],
        [at, plot.bottom + 2.5],
      ]),
      RULE,
      0.5,
    );
    const label = shortNumber(tick);
    const half = measure(label, TICK_SIZE, 400) / 2;
    if (at - half < free + 3) return [mark];
    free = at + half;
    // The last label must not exceed the page.
    return [mark, textAt(Math.min(at, plot.right + EDGE - half), plot.bottom + 4 + TICK_SIZE, label)];
  });
}

function bandOf(points: readonly FigurePoint[], x: PositionOf, y: PositionOf, color: string): Shape[] {
  if (points.length < 2 || points.every(({ low, high }) => low === high)) return [];
  const upper = points.map((point) => [x(point.x), y(point.high)] as const);
  const lower = points.map((point) => [x(point.x), y(point.low)] as const).reverse();
  return [filled(pathThrough([...upper, ...lower], true), color, 0.13)];
}

/** Lines with interval bands; the paper's points are hollow marks in the line's colour. */
export function drawLines(figure: Lines, width: FigureWidth, measure: Measure): Drawing {
  const drawn = figure.series.filter(({ points, reference }) => points.length + reference.length > 0);
  const ys = drawn.flatMap(({ points, reference }) => [
    ...points.flatMap(({ low, high }) => [low, high]),
    ...reference.map(({ y }) => y),
  ]);
  const xs = drawn.flatMap(({ points, reference }) => [...points, ...reference].map(({ x }) => x));
  const withPaper = drawn.some(({ reference }) => reference.length > 0);
  const legend: LegendEntry[] = [
    ...drawn.map((series) => ({ kind: 'line' as const, label: series.label, style: seriesStyle(series) })),
    ...(withPaper ? [{ kind: 'paper' as const, label: paperLabel(figure.scale) }] : []),
  ];
  const frame = frameOf({
    width,
    range: ys.length === 0 ? [0, 1] : [Math.min(...ys), Math.max(...ys)],
    yLabel: figure.y.label,
    percent: figure.y.unit === 'rate',
    xLabel: figure.x.label,
    xLabelHeight: 4 + TICK_SIZE + 2,
    legend,
    measure,
  });
  const { plot, y } = frame;
  const { positionOf: x, ticks } = alongX(figure.x, xs.length === 0 ? [0, 1] : xs, plot);
  const styled = drawn.map((series) => ({ ...series, style: seriesStyle(series) }));
  const shapes: Shape[] = [
    ...frame.shapes,
    ...tickShapes(ticks, x, plot, measure),
    ...styled.flatMap(({ points, style }) => bandOf(points, x, y, style.color)),
    ...styled.flatMap(({ points, style }) =>
      points.length < 2
        ? []
        : [
            stroked(
              pathThrough(points.map((point) => [x(point.x), y(point.y)] as const)),
              style.color,
              1.2,
              style.dash,
            ),
          ],
    ),
    ...styled.flatMap(({ points, style }) =>
      points
        .filter((_, at) => isMarked(at, points.length))
        .map((point) => ({
          ...stroked(markPath(style.mark, x(point.x), y(point.y), 4), '#ffffff', 0.5),
          fill: style.color,
        })),
    ),
    ...styled.flatMap(({ reference, style }) =>
      reference.map((point) => ({
        ...stroked(markPath('diamond', x(point.x), y(point.y), 4.2), style.color, 0.9),
        fill: '#ffffff',
      })),
    ),
    ...(drawn.length > 0 ? [] : [emptyPlot(plot)]),
  ];
  return { width: frame.width, height: frame.height, title: figure.title, shapes };
}

/** The first, the last, and some between them with a distance from the last. */
function isMarked(at: number, count: number): boolean {
  const every = Math.max(1, Math.ceil(count / MAX_MARKS));
  return at === count - 1 || (at % every === 0 && (every === 1 || count - 1 - at > every / 2));
}

/** For a plot without data. */
function emptyPlot(plot: Plot): Shape {
  return textAt((plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2, 'Nothing has been measured yet', {
    color: INK,
  });
}
