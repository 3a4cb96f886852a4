import { type Drawing, filled, type Measure, pathThrough, rectangle, type Shape, stroked } from './drawing';
import { type FigureWidth, frameOf, textAt, WIDTHS } from './frame';
import { type LegendEntry, paperLabel } from './legend';
import type { ReportFigure } from './report-figure';
import { INK, markPath, seriesStyle, TICK_SIZE } from './style';
import { wrappedText } from './wrapped-text';

type Bars = Extract<ReportFigure, { kind: 'bars' }>;

/** From line to line of a label, in points. */
const LINE = 8;
/** Share of a group's width for its bars; the rest is empty. */
const FILLED = 0.78;
/** Share of a bar's width. */
const BAR = 0.86;

/** With more lines than this a label is easier to read turned. */
const MAX_LINES = 3;

/** Labels under groups of this width, and the height that they take: in lines, or turned where a word does not fit. */
function groupLabels(
  labels: readonly string[],
  width: number,
  measure: Measure,
): { readonly height: number; readonly shapes: (at: number, x: number, top: number) => Shape[] } {
  const wrapped = labels.map((label) => wrappedText(label, width, measure, TICK_SIZE));
  const lines = Math.max(1, ...wrapped.map(({ lines: own }) => own.length));
  if (lines > MAX_LINES || wrapped.some(({ isBroken }) => isBroken)) {
    const longest = Math.max(...labels.map((label) => measure(label, TICK_SIZE, 400)));
    return {
      height: 4 + longest + 2,
      shapes: (at, x, top) => [
        textAt(x + TICK_SIZE * 0.34, top + 4, labels[at] ?? '', { anchor: 'end', upwards: true }),
      ],
    };
  }
  return {
    height: 4 + TICK_SIZE + LINE * (lines - 1) + 2,
    shapes: (at, x, top) =>
      (wrapped[at]?.lines ?? []).map((line, below) => textAt(x, top + 4 + TICK_SIZE + LINE * below, line)),
  };
}

/** Bars in groups with whiskers; the paper's numbers are hollow diamonds on them. */
export function drawBars(figure: Bars, width: FigureWidth, measure: Measure): Drawing {
  const values = figure.series.flatMap(({ bars, reference }) => [
    ...bars.flatMap((bar) => bar?.high ?? []),
    ...reference.flatMap((value) => value?.y ?? []),
  ]);
  // An empty one has the whole range of a rate.
  const highest = values.length === 0 ? 1 : Math.max(0.01, ...values);
  const lowest = Math.min(0, ...figure.series.flatMap(({ bars }) => bars.map((bar) => bar?.low ?? 0)));
  const withPaper = figure.series.some(({ reference }) => reference.some((value) => value !== null));
  const legend: LegendEntry[] = [
    // A single series is named by the y axis.
    ...(figure.series.length > 1 ? figure.series : []).map((series) => ({
      kind: 'bar' as const,
      label: series.label,
      style: seriesStyle(series),
    })),
    ...(withPaper ? [{ kind: 'paper' as const, label: paperLabel(figure.scale) }] : []),
  ];
  // About the width beside the y axis.
  const perGroup = (WIDTHS[width] * 0.88) / Math.max(1, figure.groups.length) - 3;
  const labels = groupLabels(figure.groups, perGroup, measure);
  const frame = frameOf({
    width,
    range: [lowest, highest],
    yLabel: figure.y.label,
    percent: figure.y.unit === 'rate',
    xLabel: '',
    xLabelHeight: labels.height,
    legend,
    measure,
  });
  const { plot, y } = frame;
  const room = (plot.right - plot.left) / Math.max(1, figure.groups.length);
  const slot = (room * FILLED) / Math.max(1, figure.series.length);
  const shapes: Shape[] = [...frame.shapes];
  figure.groups.forEach((_, at) => {
    const left = plot.left + room * at;
    shapes.push(...labels.shapes(at, left + room / 2, plot.bottom));
    figure.series.forEach((series, index) => {
      const { bars, reference } = series;
      const middle = left + (room * (1 - FILLED)) / 2 + slot * (index + 0.5);
      const bar = bars[at] ?? null;
      const whiskers: Shape[] = [];
      if (bar !== null) {
        const wide = slot * BAR;
        const top = Math.min(y(bar.y), y(0));
        shapes.push(
          filled(
            rectangle(middle - wide / 2, top, wide, Math.abs(y(bar.y) - y(0))),
            seriesStyle(series).color,
          ),
        );
        const cap = Math.min(2.2, wide / 4);
        const whisker = `${pathThrough([
          [middle, y(bar.low)],
          [middle, y(bar.high)],
        ])}${pathThrough([
          [middle - cap, y(bar.low)],
          [middle + cap, y(bar.low)],
        ])}${pathThrough([
          [middle - cap, y(bar.high)],
          [middle + cap, y(bar.high)],
        ])}`;
        whiskers.push(stroked(whisker, INK, 0.6));
      }
      const value = reference[at] ?? null;
      if (value !== null) {
        shapes.push({ ...stroked(markPath('diamond', middle, y(value.y), 4.2), INK, 0.8), fill: '#ffffff' });
      }
      // Above the diamond, which would hide an end of the interval.
      shapes.push(...whiskers);
    });
  });
  return { width: frame.width, height: frame.height, title: figure.title, shapes };
}
