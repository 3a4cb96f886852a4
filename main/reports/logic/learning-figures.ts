import type { ExperimentLine, ExperimentView } from '../../../preload/contract/index';
import { experimentScale } from '../../../preload/contract/plans/index';
import type { ReportFigure } from './report-figure';

const METHOD =
  'Learning curves: means over seeds of the means over agents, at the moments of the first seed, the others interpolated linearly between their own. Of training samples each point is the mean over the updates since the point before, of at most 100 points.';

const NAMES: Readonly<Record<string, string>> = {
  'evaluation pass@1': 'Pass@1 on held-out problems',
  'train pass@1': 'Training Pass@1',
  'train zero-advantage': 'Samples without a gradient',
};

/** Learning curves of an experiment: a figure for each quantity over updates, and one over samples. */
export function learningFigures(
  { order, state }: Pick<ExperimentView, 'order' | 'state'>,
  lines: readonly ExperimentLine[],
): ReportFigure[] {
  const scale = experimentScale(order);
  const kinds = new Map<string, ExperimentLine[]>();
  for (const line of lines) {
    const id = `curves-${line.part}-${line.key}-${line.x}`.replace(/[^a-z0-9]+/g, '-');
    kinds.set(id, [...(kinds.get(id) ?? []), line]);
  }
  return [...kinds].flatMap(([id, group]): ReportFigure[] => {
    const [first] = group;
    if (first === undefined) return [];
    const name = NAMES[`${first.part} ${first.key}`] ?? first.key;
    const hasBands = group.some(({ points }) => points.some(({ low, high }) => low !== high));
    const counts = new Set(group.map(({ seeds }) => seeds));
    return [
      {
        kind: 'lines',
        id,
        title: `${name} over ${first.x}: ${order.name}`,
        scale,
        legend: [
          ...(counts.size === 1 && counts.has(1) ? ['One seed: the chance of training is not shown.'] : []),
          ...(hasBands ? ['Bands: from the lowest to the highest seed, which is no interval.'] : []),
        ],
        notes: [
          `Seeds: ${counts.size === 1 ? [...counts].join() : group.map(({ label, seeds }) => `${label} ${seeds}`).join(', ')}.`,
        ],
        method: METHOD,
        complete: state.kind === 'done',
        x: { label: first.x === 'updates' ? 'Updates of an agent' : 'Samples of an agent', scale: 'linear' },
        y: { label: `${name} (%), ${scale}`, unit: 'rate' },
        // Colours by position, as in the window.
        series: group.map(({ label, points }) => {
          const position = order.rows.findIndex((row) => row.label === label);
          return { label, position, hue: position, points, reference: [] };
        }),
      },
    ];
  });
}
