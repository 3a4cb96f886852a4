import type { Exhibit, ExhibitEntry, ExhibitSeries } from '../../preload/contract/exhibit';
import { chartsOf, isAllAtHand } from '../../preload/contract/plans/index';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { ComparedRuns } from '../../preload/contract/run-comparison';

export type ListedPaper = {
  readonly title: string;
  readonly arxiv: string | null;
  readonly entries: readonly ExhibitEntry[];
};

/** Exhibits grouped by paper, in the given order. */
export function papersOf(entries: readonly ExhibitEntry[]): readonly ListedPaper[] {
  const papers = new Map<string, ListedPaper>();
  for (const entry of entries) {
    const { title, arxiv } = entry.exhibit.paper;
    const paper = papers.get(title);
    papers.set(title, {
      title,
      arxiv: paper?.arxiv ?? arxiv,
      entries: [...(paper?.entries ?? []), entry],
    });
  }
  return [...papers.values()];
}

/** Can a reproduction fill it? A table of runs at hand alone has no scale to be measured at. */
export function canBeMeasured(exhibit: Exhibit): boolean {
  const { pocket, paper } = exhibit.scales;
  return (pocket !== null || paper !== null) && !isAllAtHand(exhibit);
}

/** The runs behind the cells, each once, labelled by configuration, so that the seeds of one form one row. */
export function comparedRunsOf(
  { configurations }: Pick<Exhibit, 'configurations'>,
  { steps }: Pick<ReproductionView, 'steps'>,
): ComparedRuns {
  // A comparison counts all programs, so it would show other values of rows that have another row's tokens.
  const whole = configurations.filter(({ tokensOf }) => tokensOf === undefined);
  const labels = new Map(whole.map(({ id, label }) => [id, label]));
  const runs: ComparedRuns = [];
  const seen = new Set<string>();
  for (const { kind, runId, configurations: served } of steps) {
    const label = labels.get(served[0] ?? '');
    if (kind !== 'search' || runId === null || label === undefined || seen.has(runId)) continue;
    seen.add(runId);
    runs.push({ runId, label });
  }
  return runs;
}

/** The rows with runs that `comparedRunsOf` leaves out, by their names. */
export function notComparedOf(
  { configurations }: Pick<Exhibit, 'configurations'>,
  { steps }: Pick<ReproductionView, 'steps'>,
): readonly string[] {
  const searched = steps.flatMap(({ kind, runId, configurations: [first] }) =>
    kind === 'search' && runId !== null ? first : [],
  );
  return configurations.flatMap(({ id, tokensOf, label }) =>
    tokensOf === undefined || !searched.includes(id) ? [] : [label],
  );
}

export type Figure = {
  readonly id: string;
  readonly title: string;
  /** Label of the x axis. */
  readonly over: string;
  readonly series: readonly ExhibitSeries[];
};

const MEASURE_LABELS = {
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N on public tests',
  'pass@1(mcts)': 'Pass@1(MCTS)',
} as const;

function axesOf({ curve }: ExhibitSeries): Omit<Figure, 'series'> {
  if (curve.kind === 'nodes') {
    return { id: curve.measure, title: MEASURE_LABELS[curve.measure], over: 'nodes per tree' };
  }
  const name = curve.key === 'pass@1' ? 'Pass@1' : curve.key;
  return {
    id: `${curve.key} ${curve.x}`,
    title: `${name} during training`,
    over: curve.x === 'updates' ? 'updates' : 'samples per agent',
  };
}

/** One chart per measure and axis, in the exhibit's order; a second for controls where one cannot hold all lines. */
export function figuresOf({ series }: Pick<Exhibit, 'series'>): readonly Figure[] {
  const figures = new Map<string, Figure>();
  for (const line of series) {
    const axes = axesOf(line);
    figures.set(axes.id, { ...axes, series: [...(figures.get(axes.id)?.series ?? []), line] });
  }
  return [...figures.values()].flatMap((figure) =>
    chartsOf(figure.series).map((lines, at) =>
      at === 0
        ? { ...figure, series: lines }
        : { ...figure, id: `${figure.id} controls`, title: `${figure.title}: controls`, series: lines },
    ),
  );
}
