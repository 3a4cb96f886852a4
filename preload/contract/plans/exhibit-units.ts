import type { Exhibit, ExhibitMeasure, ExhibitSeries } from '../exhibit';
import { HUE_COUNT } from './hues';

/** How the name of a row, column or line begins that is there to see what else could explain a difference. */
export const CONTROL = 'Control of ours: ';

/** Of a figure whose lines the paper's are not known to be. */
export const ALL_LINES_OURS =
  "No line that was measured stands for a line of the paper's figure: all are ours.";

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

/**
 * Lines over the same axes, by chart. If there are more than colours, the controls have a chart of their own, beside the
 * method that they are controls of: the last before them.
 */
export function chartsOf(lines: readonly ExhibitSeries[]): readonly (readonly ExhibitSeries[])[] {
  const controls = lines.filter(({ label }) => label.startsWith(CONTROL));
  const others = lines.filter((line) => !controls.includes(line));
  const method = others.at(-1)?.configuration;
  if (lines.length <= HUE_COUNT || controls.length === 0 || method === undefined) return [lines];
  return [others, [...others.filter(({ configuration }) => configuration === method), ...controls]];
}

/** A claim with its numbers and the sources that they were read in: "Reported: Largest gain ...: 4.5 points [Article ...]." */
export function claimSentence({ text, reference }: Exhibit['claims'][number]): string {
  const values = reference.map(({ value, unit, source }, at) => {
    const isLast = reference[at + 1]?.source !== source;
    return `${value.toFixed(1)}${unit === 'number' ? '' : ` ${unit}`}${isLast ? ` [${source}]` : ''}`;
  });
  return `Reported: ${text}: ${values.join('; ')}.`;
}
