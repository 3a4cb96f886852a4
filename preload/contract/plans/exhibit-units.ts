import type { Exhibit, ExhibitMeasure, ExhibitSeries } from '../exhibit';

/** Is the measure a rate in [0, 1], printed in percent? Other measures of diversity are plain numbers. */
export function measuresRate(measure: ExhibitMeasure): boolean {
  return measure.kind === 'metric' || measure.measure === 'distinct';
}

/** The paper's points of a line, which papers print in percent, as rates like ours. */
export function paperPoints({ reference }: Pick<ExhibitSeries, 'reference'>): { x: number; y: number }[] {
  return reference.map(({ x, y }) => ({ x, y: y / 100 }));
}

/**
 * What each line of an exhibit is called where colours are given: its configuration, or its own label where several
 * lines are of one configuration.
 */
export function seriesNames({
  configurations,
  series,
}: Pick<Exhibit, 'configurations' | 'series'>): string[] {
  return series.map(({ configuration, label }) => {
    const shared = series.filter((entry) => entry.configuration === configuration).length > 1;
    return shared ? label : (configurations.find(({ id }) => id === configuration)?.label ?? label);
  });
}
