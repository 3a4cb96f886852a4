import type { ReportFigure } from './report-figure';
import type { SourceDocuments } from './source-documents';

/** The figures of an exhibit itself. */
export function isOfExhibit({ id }: ReportFigure): boolean {
  return /^(bars|curves)(-|$)/.test(id);
}

/** The first table, and the first figure that has a value of ours or, where `asked` for, every one of the exhibit. */
export function mainOf(
  { tables, figures }: SourceDocuments,
  figureChoice: 'all' | undefined,
): SourceDocuments {
  const own = figureChoice === 'all' ? figures.filter(isOfExhibit) : [];
  return { tables: tables.slice(0, 1), figures: own.length > 0 ? own : figures.filter(hasOurs).slice(0, 1) };
}

function hasOurs(figure: ReportFigure): boolean {
  switch (figure.kind) {
    case 'lines':
      return figure.series.some(({ points }) => points.length > 0);
    case 'bars':
      return figure.series.some(({ bars }) => bars.some((bar) => bar !== null));
    case 'grid':
      return figure.rows.some(({ shares }) => shares.some((share) => share !== null));
  }
}
