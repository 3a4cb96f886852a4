import { type Measure, pathThrough, type Shape, stroked, type TextWeight } from './drawing';
import { type LegendEntry, legendUnder } from './legend';
import { FAINT_RULE, INK, RULE, SOFT_INK, TEXT_SIZE, TICK_SIZE } from './style';
import { linearTicks, type PositionOf } from './ticks';
import { wrappedText } from './wrapped-text';

/** A paper's column and page, in points: 84 mm and 178 mm. */
export const WIDTHS = { 'one-column': (84 / 25.4) * 72, 'two-columns': (178 / 25.4) * 72 } as const;
export type FigureWidth = keyof typeof WIDTHS;

const PLOT_HEIGHT = { 'one-column': 132, 'two-columns': 178 } as const;
const EDGE = 2;

export type Plot = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

type TextStyle = {
  readonly size?: number;
  readonly weight?: TextWeight;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly color?: string;
  readonly upwards?: boolean;
};

export function textAt(x: number, y: number, text: string, style: TextStyle = {}): Shape {
  const { size = TICK_SIZE, weight = 400, anchor = 'middle', color = SOFT_INK, upwards = false } = style;
  return { kind: 'text', x, y, text, size, weight, anchor, color, upwards };
}

/** The area for the data, without the axes and the legend. */
type Frame = {
  readonly plot: Plot;
  readonly y: PositionOf;
  readonly shapes: readonly Shape[];
  readonly width: number;
  readonly height: number;
};

/** Draws the y axis with faint rules, the axis titles and the legend. The caller draws the x axis. */
export function frameOf(options: {
  readonly width: FigureWidth;
  /** The smallest and the largest value that must be visible. */
  readonly range: readonly [low: number, high: number];
  readonly yLabel: string;
  /** As percent. */
  readonly percent: boolean;
  readonly xLabel: string;
  /** Height of the labels under the x axis, without its title. */
  readonly xLabelHeight: number;
  readonly legend: readonly LegendEntry[];
  readonly measure: Measure;
}): Frame {
  const { measure, percent, range, xLabel, yLabel } = options;
  const width = WIDTHS[options.width];
  const { from, to, ticks } = linearTicks(range[0], range[1], 5);
  const decimals = percent && ticks.some((tick) => Math.abs(tick * 100 - Math.round(tick * 100)) > 1e-6);
  const labelOf = (tick: number): string =>
    percent ? (tick * 100).toFixed(decimals ? 1 : 0) : String(Number(tick.toPrecision(6)));
  const tickWidth = Math.max(...ticks.map((tick) => measure(labelOf(tick), TICK_SIZE, 400)));
  const height = PLOT_HEIGHT[options.width];
  const yLines = wrappedText(yLabel, height, measure).lines;
  const plot: Plot = {
    left: EDGE + (TEXT_SIZE + 1) * yLines.length + 4 + tickWidth + 4,
    right: width - EDGE - 5,
    top: EDGE + TICK_SIZE / 2,
    bottom: EDGE + TICK_SIZE / 2 + height,
  };
  const y: PositionOf = (value) => plot.bottom - ((value - from) / (to - from)) * (plot.bottom - plot.top);
  const rules = ticks.flatMap((tick): Shape[] => [
    stroked(
      pathThrough([
        [plot.left, y(tick)],
        [plot.right, y(tick)],
      ]),
      tick === ticks[0] ? RULE : FAINT_RULE,
      0.5,
    ),
    textAt(plot.left - 4, y(tick) + TICK_SIZE * 0.34, labelOf(tick), { anchor: 'end' }),
  ]);
  const xTitleAt = plot.bottom + options.xLabelHeight + (xLabel === '' ? 0 : TEXT_SIZE + 3);
  const legend = legendUnder(
    options.legend,
    { x: plot.left, y: xTitleAt + 6, width: plot.right - plot.left },
    measure,
  );
  const title = { size: TEXT_SIZE, color: INK };
  return {
    plot,
    y,
    width,
    height: xTitleAt + (legend.height === 0 ? 4 : 6 + legend.height) + EDGE,
    shapes: [
      ...rules,
      ...yLines.map((line, at) =>
        textAt(EDGE + TEXT_SIZE * 0.8 + (TEXT_SIZE + 1) * at, (plot.top + plot.bottom) / 2, line, {
          ...title,
          upwards: true,
        }),
      ),
      ...(xLabel === '' ? [] : [textAt((plot.left + plot.right) / 2, xTitleAt, xLabel, title)]),
      ...legend.shapes,
    ],
  };
}
