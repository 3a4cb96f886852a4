import type { Exhibit, ExhibitSeries } from '../exhibit';
import { CONTROL } from './exhibit-units';
import { assignHues, distinctHues, HUE_COUNT } from './hues';
import { plainId } from './plain-id';
import { firstFreeName } from './unique-names';

type Lines = Pick<Exhibit, 'configurations' | 'series' | 'paperLines'>;

/** The lines of an exhibit that have the same axes. */
export type LineFigure = {
  /** Says which it is, e.g. in a file name: "pass-n-nodes". */
  readonly id: string;
  /** E.g. "pass@n". */
  readonly measure: string;
  readonly over: 'nodes' | 'updates' | 'samples';
  readonly lines: readonly ExhibitSeries[];
};

/** A figure for each measure and x axis, in the exhibit's order. */
export function lineFiguresOf({ series }: Pick<Exhibit, 'series'>): readonly LineFigure[] {
  const figures = new Map<string, LineFigure>();
  for (const line of series) {
    const { curve } = line;
    const [measure, over] = curve.kind === 'nodes' ? [curve.measure, 'nodes' as const] : [curve.key, curve.x];
    const axes = `${measure} ${over}`;
    const taken = new Set([...figures.values()].map(({ id }) => id));
    const { id, lines } = figures.get(axes) ?? {
      id: firstFreeName(plainId(axes, { most: 60 }), '-', taken),
      lines: [],
    };
    figures.set(axes, { id, measure, over, lines: [...lines, line] });
  }
  return [...figures.values()];
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

/** How a line that only the paper's figure has is called beside ours. */
export const paperLineName = (label: string): string => `${label} (paper)`;

/**
 * The colour number of each line by its id, of those that only the paper has by `paperLineName`. `known`: those of the
 * configurations of studies, which keep theirs. Others depend on the figure that the line is in alone, so that they stay while
 * other figures of the exhibit, and studies of other configurations, come and go.
 */
export function lineHues(exhibit: Lines, known: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const all = lineFiguresOf(exhibit).flatMap(({ lines }, at): (readonly [string, number])[] => {
    const onlyPaper = at === 0 ? (exhibit.paperLines ?? []) : [];
    const others = onlyPaper.map(({ label }) => paperLineName(label));
    const names = [...lines.map((line) => nameOf(line, lines, exhibit)), ...others];
    // Colours of names that it does not have would decide which of the free ones it takes.
    const own = new Map([...known].filter(([name]) => names.includes(name)));
    const hues = distinctHues(assignHues(own, names));
    return [...lines.map(({ id }) => id), ...others].map((id, index) => [id, hues[index] ?? 0]);
  });
  return new Map(all);
}

/** By its configuration, as studies call it; by its own label where its figure has several lines of one configuration. */
function nameOf(
  { configuration, label }: ExhibitSeries,
  lines: readonly ExhibitSeries[],
  { configurations }: Lines,
): string {
  const isShared = lines.filter((line) => line.configuration === configuration).length > 1;
  return isShared ? label : (configurations.find(({ id }) => id === configuration)?.label ?? label);
}
