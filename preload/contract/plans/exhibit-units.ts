import type { ExhibitMeasure, ExhibitSeries } from '../exhibit';

/** Is what a cell shows a rate in [0, 1], printed in percent? Other measures of diversity are numbers as they stand. */
export function measuresRate(measure: ExhibitMeasure): boolean {
  return measure.kind === 'metric' || measure.measure === 'distinct';
}

/** The paper's points of a line, which papers print in percent, as rates beside ours. */
export function paperPoints({ reference }: Pick<ExhibitSeries, 'reference'>): { x: number; y: number }[] {
  return reference.map(({ x, y }) => ({ x, y: y / 100 }));
}
