import type { Exhibit, ExhibitMeasure, ExhibitSeries } from '../exhibit';

/** How the name of a row, column or line begins that is there to see what else could explain a difference. */
export const CONTROL = 'Control of ours: ';

/** For a figure whose lines may differ from the paper's. */
export const ALL_LINES_OURS =
  "No line that was measured stands for a line of the paper's figure: all are ours.";

/** Where a reader finds what the exhibits leave out. */
export const ALL_OF_PAPERS = 'Every table and figure of both papers, with its state: docs/paper-exhibits.md';

/** Is the measure a rate in [0, 1], printed in percent? Other measures of diversity are plain numbers. */
export function measuresRate(measure: ExhibitMeasure): boolean {
  return measure.kind === 'metric' || measure.measure === 'distinct';
}

/** Does every cell of the column measure a rate, so that its head can say "%" for all of them? */
export function isRateColumn({ cells }: Pick<Exhibit, 'cells'>, columnId: string): boolean {
  const own = cells.filter(({ column }) => column === columnId);
  return own.length > 0 && own.every(({ measure }) => measuresRate(measure));
}

/** The paper's points of a line, which papers print in percent, as rates like ours. */
export function paperPoints({ reference }: Pick<ExhibitSeries, 'reference'>): { x: number; y: number }[] {
  return reference.map(({ x, y }) => ({ x, y: y / 100 }));
}

/** A claim with its numbers and the sources that they were read in: "Reported: Largest gain ...: 4.5 points [Article ...]. It is ..." */
export function claimSentence({ text, reference, remark }: Exhibit['claims'][number]): string {
  const values = reference.map(({ value, unit, source }, at) => {
    const isLast = reference[at + 1]?.source !== source;
    return `${value.toFixed(1)}${unit === 'number' ? '' : ` ${unit}`}${isLast ? ` [${source}]` : ''}`;
  });
  return [`Reported: ${text}: ${values.join('; ')}.`, ...(remark === undefined ? [] : [remark])].join(' ');
}
