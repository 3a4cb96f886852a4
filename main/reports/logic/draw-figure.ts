import { assertNever } from '../../base/index';
import { drawBars } from './draw-bars';
import { drawGrid } from './draw-grid';
import { drawLines } from './draw-lines';
import type { Drawing, Measure } from './drawing';
import type { FigureWidth } from './frame';
import type { ReportFigure } from './report-figure';

/** The figure in a paper's one column or both; equal input gives an equal drawing. */
export function drawFigure(figure: ReportFigure, width: FigureWidth, measure: Measure): Drawing {
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
