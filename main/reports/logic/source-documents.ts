import type { ReportFigure } from './report-figure';
import type { ReportTable } from './report-table';

export type SourceDocuments = {
  readonly tables: readonly ReportTable[];
  readonly figures: readonly ReportFigure[];
};

export function joined(first: SourceDocuments, second: SourceDocuments): SourceDocuments {
  return {
    tables: [...first.tables, ...second.tables],
    figures: [...first.figures, ...second.figures],
  };
}

/** Each says these sentences, too. */
export function withSentences(
  { tables, figures }: SourceDocuments,
  sentences: readonly string[],
): SourceDocuments {
  return {
    tables: tables.map((table) => ({ ...table, notes: [...table.notes, ...sentences] })),
    figures: figures.map((figure) => ({ ...figure, legend: [...figure.legend, ...sentences] })),
  };
}
