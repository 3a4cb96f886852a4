import { assertNever } from '../../base/index';
import { drawBars } from './draw-bars';
import { drawGrid } from './draw-grid';
import { drawLines } from './draw-lines';
import { type Drawing, type Measure, type PathShape, rounded, type TextShape } from './drawing';
import { type FigureWidth, textAt } from './frame';
import { picturePrint } from './picture-print';
import type { ReportFigure } from './report-figure';
import { wrappedText } from './wrapped-text';

function escapedXml(text: string): string {
  // Leaves out control characters that XML 1.0 cannot represent.
  const writable = [...text].filter((character) => (character.codePointAt(0) ?? 0) >= 32).join('');
  return writable
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A text element that uses an embedded font. */
export function svgText(shape: TextShape, family: string): string {
  const { x, y, size, weight, anchor, color, upwards, text } = shape;
  const placement = upwards
    ? `transform="translate(${rounded(x)} ${rounded(y)}) rotate(-90)"`
    : `x="${rounded(x)}" y="${rounded(y)}"`;
  return `<text ${placement} font-family="${family}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${color}">${escapedXml(text)}</text>`;
}

function svgPath(shape: PathShape): string {
  const { d, fill, stroke, width, dash, opacity } = shape;
  const line =
    stroke === null || width === 0
      ? ''
      : ` stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"${dash.length === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`}`;
  return `<path d="${d}" fill="${fill ?? 'none'}"${line}${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`;
}

/** `style`: the embedded fonts; `text`: how a text becomes an element, by font or by outlines. */
export function svgOf(
  { width, height, title, shapes }: Drawing,
  style: string,
  text: (shape: TextShape) => string,
): string {
  const w = rounded(width);
  const h = rounded(height);
  const lines = shapes.map((shape) => (shape.kind === 'text' ? text(shape) : svgPath(shape)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}pt" height="${h}pt" viewBox="0 0 ${w} ${h}" role="img">`,
    `<title>${escapedXml(title)}</title>`,
    ...(style === '' ? [] : [`<style>${style}</style>`]),
    `<rect width="${w}" height="${h}" fill="#ffffff"/>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

/** From line to line of the small print under a figure. */
const SMALL_LINE = 7.5;
const SMALL_SIZE = 6;
const SMALL_EDGE = 2;

/** The figure at the width of one column of a paper or of both; equal input gives an equal drawing. */
export function drawFigure(figure: ReportFigure, width: FigureWidth, measure: Measure): Drawing {
  return withSmallPrint(drawPlot(figure, width, measure), figure, measure);
}

/** Under the plot: on what it was measured, what its bands are, and what else there is room for. */
function withSmallPrint(drawing: Drawing, figure: ReportFigure, measure: Measure): Drawing {
  const lines = picturePrint(
    figure,
    (text) => wrappedText(text, drawing.width - 2 * SMALL_EDGE, measure, SMALL_SIZE).lines,
  );
  if (lines.join('') === '') return drawing;
  const shapes = lines.map((line, at) =>
    textAt(SMALL_EDGE, drawing.height + SMALL_SIZE + SMALL_LINE * at, line, {
      size: SMALL_SIZE,
      anchor: 'start',
    }),
  );
  return {
    ...drawing,
    height: drawing.height + SMALL_LINE * lines.length + 2,
    shapes: [...drawing.shapes, ...shapes],
  };
}

function drawPlot(figure: ReportFigure, width: FigureWidth, measure: Measure): Drawing {
  switch (figure.kind) {
    case 'lines':
      return drawLines(figure, width, measure);
    case 'bars':
      return drawBars(figure, width, measure);
    case 'grid':
      return drawGrid(figure, width, measure);
    default:
      return assertNever(figure);
  }
}
