import { type Drawing, filled, type Measure, rectangle, type Shape, stroked } from './drawing';
import { type FigureWidth, textAt, WIDTHS } from './frame';
import type { ReportFigure } from './report-figure';
import { FAINT_RULE, INK, seriesStyle, TEXT_SIZE } from './style';
import { wrappedText } from './wrapped-text';

type Grid = Extract<ReportFigure, { kind: 'grid' }>;

const EDGE = 2;
const ROW = 11;
const BAR = 8.5;
/** From line to line of a label. */
const LINE = 8.5;
/** Maximum share of the width for labels. */
const LABELS = 0.36;

/**
 * Which configuration solves which problem: a column per problem, a row per configuration. A full bar: all seeds solve
 * it; a lower bar: that share of the seeds; no bar: no seed; a hollow bar: not searched.
 */
export function drawGrid(figure: Grid, width: FigureWidth, measure: Measure): Drawing {
  const figureWidth = WIDTHS[width];
  const labelWidth = Math.min(
    figureWidth * LABELS,
    Math.max(0, ...figure.rows.map(({ label }) => measure(label, TEXT_SIZE, 400))),
  );
  const left = EDGE + labelWidth + 5;
  const count = Math.max(1, ...figure.rows.map(({ shares }) => shares.length));
  const slot = (figureWidth - EDGE - left) / count;
  const wide = slot > 3 ? slot - 0.6 : slot;
  const shapes: Shape[] = [];
  let top = EDGE;
  figure.rows.forEach((row) => {
    const { label, shares } = row;
    const { color } = seriesStyle(row);
    const { lines } = wrappedText(label, labelWidth, measure);
    shapes.push(
      ...lines.map((line, at) =>
        textAt(left - 5, top + BAR - 2 + LINE * at, line, { size: TEXT_SIZE, anchor: 'end', color: INK }),
      ),
      filled(rectangle(left, top, slot * count, BAR), FAINT_RULE, 0.55),
    );
    // One path per row, so that a thousand problems are one shape.
    const solved = shares
      .map((share, column) =>
        share === null || share === 0
          ? ''
          : rectangle(left + slot * column, top + BAR * (1 - share), wide, BAR * share),
      )
      .join('');
    if (solved !== '') shapes.push(filled(solved, color));
    const missing = shares
      .map((share, column) =>
        share === null
          ? rectangle(left + slot * column + 0.3, top + 0.3, Math.max(0.2, wide - 0.6), BAR - 0.6)
          : '',
      )
      .join('');
    if (missing !== '') shapes.push({ ...stroked(missing, '#b9bcc0', 0.4), fill: '#ffffff' });
    top += ROW + LINE * (lines.length - 1);
  });
  const under = top + TEXT_SIZE + 1;
  shapes.push(textAt((left + figureWidth - EDGE) / 2, under, figure.x, { size: TEXT_SIZE, color: INK }));
  return { width: figureWidth, height: under + 4, title: figure.title, shapes };
}
