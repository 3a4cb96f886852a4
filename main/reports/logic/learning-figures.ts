import type { ExperimentLine, ExperimentRequest, ExperimentView } from '../../../preload/contract/index';
import {
  COMPLEMENT_SENTENCE,
  evaluatedOn,
  experimentScale,
  PLAIN_POCKET_TRAINING,
} from '../../../preload/contract/plans/index';
import { measureOf, trainedOn } from './experiment-measures';
import { methodsIn } from './method-notes';
import { basisOf, figureLimits } from './reading';
import type { ReportFigure } from './report-figure';
import { plainEstimate, type ReportTable } from './report-table';

const METHOD =
  'Learning curves: means over seeds of the means over agents, at the moments of the first seed, the others interpolated linearly between their own. Of training samples each point is the mean over the updates since the point before, of at most 100 points.';

const NAMES: Readonly<Record<string, { readonly name: string; readonly meaning: string }>> = {
  'evaluation pass@1': { name: 'Pass@1 on held-out problems', meaning: measureOf('pass@1').meaning },
  'train pass@1': {
    name: 'Training Pass@1',
    meaning:
      'share of the first attempts among the samples that it learned from that pass the private tests, a mean over agents',
  },
  'train zero-advantage': {
    name: measureOf('zero-advantage').label,
    meaning: measureOf('zero-advantage').meaning,
  },
};

/** On what the values of these lines were measured and over which seeds, in the words of tables. */
function basis(order: ExperimentRequest, lines: readonly ExperimentLine[]): string {
  const isTrained = lines[0]?.part === 'train';
  const problemsOf = ({ label }: ExperimentLine): number => {
    if (!isTrained) return evaluatedOn(order).problems;
    // From a benchmark, a training takes what its settings choose, which is not known here.
    if (order.models !== undefined) return 0;
    const change = order.rows.find((row) => row.label === label)?.change;
    return change?.problems ?? order.training.problems ?? PLAIN_POCKET_TRAINING.problems;
  };
  const measured: ReportTable = {
    ...{ id: '', title: '', rowTitle: '', columns: [], notes: [], method: '', complete: true },
    benchmark: isTrained ? trainedOn(order) : evaluatedOn(order).benchmark,
    rows: lines.map((line) => ({
      ...{ label: line.label, group: '', seeds: order.seeds, scale: experimentScale(order) },
      cells: [plainEstimate({ value: 0, low: 0, high: 0, problems: problemsOf(line), seeds: line.seeds })],
    })),
  };
  return basisOf(measured);
}

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
    const { name, meaning } = NAMES[`${first.part} ${first.key}`] ?? { name: first.key, meaning: '' };
    const hasBands = group.some(({ points }) => points.some(({ low, high }) => low !== high));
    const isOneSeed = group.every(({ seeds }) => seeds === 1);
    return [
      {
        kind: 'lines',
        id,
        title: `${name} over ${first.x}: ${order.name}`,
        scale,
        basis: basis(order, group),
        legend: [
          ...(order.models === undefined ? figureLimits([COMPLEMENT_SENTENCE]) : []),
          ...(meaning === '' ? [] : [`${name}: ${meaning}.`]),
          ...(isOneSeed
            ? ['One seed: the chance of training is not shown.']
            : ['Lines: means over the seeds, of which each is one training.']),
          ...(hasBands ? ['Bands: from the lowest to the highest seed, which is no interval.'] : []),
          'Differences are not tested here.',
          ...methodsIn(group.map(({ label }) => label)),
        ],
        notes: [],
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
