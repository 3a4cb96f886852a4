import { assertNever } from '../base/index';
import { pdfFile, pngFile, svgFile } from './figure-files';
import { figureCsv } from './logic/figure-csv';
import type { FigureWidth } from './logic/frame';
import type { ReportFigure } from './logic/report-figure';
import { drawFigure } from './logic/svg';
import { type FigureFormat, jsonBytes } from './render-table';
import { measureText } from './typeface';

/**
 * The figure's bytes; csv and json contain the data behind it. `width` is for pictures. Not exported by the folder's
 * index, so that only the drawing thread loads the libraries for PDF, fonts and PNG, and not every start of the
 * workbench.
 */
export async function renderFigure(
  figure: ReportFigure,
  format: FigureFormat,
  width: FigureWidth,
): Promise<Buffer> {
  switch (format) {
    case 'svg':
      return svgFile(drawFigure(figure, width, measureText));
    case 'pdf':
      return pdfFile(drawFigure(figure, width, measureText));
    case 'png':
      return pngFile(drawFigure(figure, width, measureText));
    case 'csv':
      return Buffer.from(figureCsv(figure).text);
    case 'json':
      return jsonBytes(figure);
    default:
      return assertNever(format);
  }
}
