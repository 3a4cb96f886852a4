import type {
  ExperimentCell,
  ExperimentMetric,
  ExperimentPart,
  ExperimentRequest,
  ExperimentResult,
} from '../../preload/contract/experiment';
import {
  ALGORITHM_DRAWS,
  EXPERIMENT_METRIC_TITLES,
  trainingMethodOf,
} from '../../preload/contract/plans/index';

/** A metric with its columns: agents alone, and all agents in one tree. */
export type ResultGroup = {
  readonly metric: ExperimentMetric;
  readonly label: string;
  /** "%" or "". */
  readonly unit: string;
  readonly hint: string;
  readonly parts: readonly ResultPart[];
};
export type ResultPart = Exclude<ExperimentPart, 'agent'>;

const BOTH: readonly ResultPart[] = ['alone', 'team'];
export const RESULT_GROUPS: readonly ResultGroup[] = [
  {
    metric: 'pass@1',
    label: EXPERIMENT_METRIC_TITLES['pass@1'],
    unit: '%',
    hint: 'A first attempt passes all tests; no search.',
    parts: ['alone'],
  },
  {
    metric: 'pass@1(mcts)',
    label: EXPERIMENT_METRIC_TITLES['pass@1(mcts)'],
    unit: '%',
    hint: 'The node that the search selects passes all tests.',
    parts: BOTH,
  },
  {
    metric: 'pass@n',
    label: EXPERIMENT_METRIC_TITLES['pass@n'],
    unit: '%',
    hint: 'Some node of the tree passes all tests.',
    parts: BOTH,
  },
  {
    metric: 'da@k',
    label: EXPERIMENT_METRIC_TITLES['da@k'],
    unit: '',
    hint: `Expected number of different algorithms among ${ALGORITHM_DRAWS} correct programs of a problem.`,
    parts: BOTH,
  },
];

export const PART_HINTS: Readonly<Record<ResultPart, string>> = {
  alone: 'Each agent in its own trees; mean over agents',
  team: 'All agents in one tree',
};

export type ResultCell = Pick<
  ExperimentCell,
  'value' | 'low' | 'high' | 'seeds' | 'problems' | 'seedSpread'
> & {
  /** Values of the single agents, by name. */
  readonly agents: readonly { readonly name: string; readonly value: number }[];
};

export type ResultRow = {
  readonly label: string;
  /** Position in the experiment, which determines the colour. */
  readonly position: number;
  readonly families: readonly string[];
  readonly isControl: boolean;
  /** By "metric part"; missing where nothing was measured. */
  readonly cells: ReadonlyMap<string, ResultCell>;
  /** Share of training samples without a gradient; null: not measured. */
  readonly zeroAdvantage: ResultCell | null;
  readonly budget: ExperimentResult['budgets'][number] | null;
  /** Number of trainings included. */
  readonly seeds: number;
};

export type ResultTable = {
  readonly groups: readonly ResultGroup[];
  readonly methods: readonly ResultRow[];
  /** Controls, which are not in the papers: they show where a gain comes from. */
  readonly controls: readonly ResultRow[];
};

export function cellKey(metric: ExperimentMetric, part: ResultPart): string {
  return `${metric} ${part}`;
}

/** The table as in a paper: rows in the experiment's order, columns with at least one value. */
export function resultTable(request: ExperimentRequest, result: ExperimentResult | null): ResultTable {
  const rows = request.rows.map(({ label, method, families }, position): ResultRow => {
    const own = (result?.cells ?? []).filter((cell) => cell.label === label);
    const cells = new Map<string, ResultCell>();
    for (const { metric, parts } of RESULT_GROUPS) {
      for (const part of parts) {
        const cell = cellOf(own, metric, part);
        if (cell !== null) cells.set(cellKey(metric, part), cell);
      }
    }
    return {
      label,
      position,
      families,
      isControl: trainingMethodOf(method).isControl,
      cells,
      zeroAdvantage: cellOf(own, 'zero-advantage', 'alone') ?? cellOf(own, 'zero-advantage', 'team'),
      budget: result?.budgets.find((budget) => budget.label === label) ?? null,
      seeds: Math.max(0, ...own.map(({ seeds }) => seeds)),
    };
  });
  const hasValue = (metric: ExperimentMetric, part: ResultPart): boolean =>
    result === null || result.cells.length === 0 || rows.some((row) => row.cells.has(cellKey(metric, part)));
  return {
    groups: RESULT_GROUPS.flatMap((group) => {
      const parts = group.parts.filter((part) => hasValue(group.metric, part));
      return parts.length === 0 ? [] : [{ ...group, parts }];
    }),
    methods: rows.filter(({ isControl }) => !isControl),
    controls: rows.filter(({ isControl }) => isControl),
  };
}

function cellOf(
  cells: readonly ExperimentCell[],
  metric: ExperimentMetric,
  part: ResultPart,
): ResultCell | null {
  const cell = cells.find((cell) => cell.metric === metric && cell.part === part);
  if (cell === undefined) return null;
  const { value, low, high, seeds, problems, seedSpread } = cell;
  const agents =
    part === 'team'
      ? []
      : cells.flatMap((cell) =>
          cell.metric === metric && cell.part === 'agent' && cell.agentId !== null
            ? [{ name: cell.agentId, value: cell.value }]
            : [],
        );
  return { value, low, high, seeds, problems, seedSpread, agents };
}
