import type { Exhibit, ExhibitSeries } from '../../preload/contract/exhibit';

export type Figure = {
  readonly id: string;
  readonly title: string;
  /** What x counts. */
  readonly over: string;
  readonly series: readonly ExhibitSeries[];
};

const MEASURES = {
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N on public tests',
  'pass@1(mcts)': 'Pass@1(MCTS)',
} as const;

function axesOf({ curve }: ExhibitSeries): Omit<Figure, 'series'> {
  if (curve.kind === 'nodes') {
    return { id: curve.measure, title: MEASURES[curve.measure], over: 'nodes of a tree' };
  }
  const name = curve.key === 'pass@1' ? 'Pass@1' : curve.key;
  return {
    id: `${curve.key} ${curve.x}`,
    title: `${name} while learning`,
    over: curve.x === 'updates' ? 'updates' : 'samples of an agent',
  };
}

/** Lines of one measure over one axis stand in one chart, in the order of the exhibit. */
export function figuresOf({ series }: Pick<Exhibit, 'series'>): readonly Figure[] {
  const figures = new Map<string, Figure>();
  for (const one of series) {
    const axes = axesOf(one);
    figures.set(axes.id, { ...axes, series: [...(figures.get(axes.id)?.series ?? []), one] });
  }
  return [...figures.values()];
}
