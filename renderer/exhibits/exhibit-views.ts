import type { Exhibit, ExhibitEntry, ExhibitSeries } from '../../preload/contract/exhibit';
import { chartsOf, isAllAtHand, lineFiguresOf } from '../../preload/contract/plans/index';
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

const MEASURE_LABELS: Readonly<Record<string, string>> = {
  'pass@1': 'Pass@1',
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N on public tests',
  'pass@1(mcts)': 'Pass@1(MCTS)',
};
const OVER = { nodes: 'nodes per tree', updates: 'updates', samples: 'samples per agent' } as const;

/** One chart per measure and axis, in the exhibit's order; a second for controls where one cannot hold all lines. */
export function figuresOf(exhibit: Pick<Exhibit, 'series'>): readonly Figure[] {
  const figures = lineFiguresOf(exhibit);
  const hasBoth = (wanted: string): boolean =>
    figures.filter(({ measure, over }) => measure === wanted && over !== 'nodes').length > 1;
  return figures.flatMap(({ id, measure, over, lines }) => {
    const learning = ` during training${hasBoth(measure) ? `, over ${over}` : ''}`;
    const title = `${MEASURE_LABELS[measure] ?? measure}${over === 'nodes' ? '' : learning}`;
    return chartsOf(lines).map((series, at) =>
      at === 0
        ? { id, title, over: OVER[over], series }
        : { id: `${id} controls`, title: `${title}: controls`, over: OVER[over], series },
    );
  });
}
