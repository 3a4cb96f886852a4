import type { ExperimentCell, ExperimentMetric } from '../../../preload/contract';
import { withExactEnds } from '../exact-rates';
import { seedSpread } from '../seed-spread';
import type { TwoLevelBootstrap } from '../two-level-bootstrap';
import { type Quantity, type TrainedRow, valuesOf } from './trained-rows';

const METRICS: readonly ExperimentMetric[] = ['pass@1', 'pass@1(mcts)', 'pass@n', 'da@k', 'zero-advantage'];

/**
 * Every metric of every row: of each agent, of the mean over its agents alone, and of the team. No
 * cell without data. Yields after every row, so that a caller can let other work run in between.
 */
export function* cellsOf(
  rows: readonly TrainedRow[],
  bootstrap: TwoLevelBootstrap,
): Generator<void, ExperimentCell[]> {
  const cells: ExperimentCell[] = [];
  for (const row of rows) {
    for (const quantity of METRICS.flatMap((metric) => quantitiesOf(metric, row.agents))) {
      const cell = cellOf(row, quantity, bootstrap);
      if (cell !== null) cells.push(cell);
    }
    yield;
  }
  return cells;
}

function quantitiesOf(metric: ExperimentMetric, agents: readonly string[]): Quantity[] {
  return [
    ...agents.map((agent): Quantity => ({ metric, part: 'agent', agents: [agent] })),
    { metric, part: 'alone', agents },
    { metric, part: 'team', agents },
  ];
}

function cellOf(
  trained: TrainedRow,
  quantity: Quantity,
  bootstrap: TwoLevelBootstrap,
): ExperimentCell | null {
  const { metric, part, agents } = quantity;
  const values = valuesOf(trained, quantity, trained.problems);
  if (values === null) return null;
  const measured = trained.problems.filter((_, at) => values.some((own) => !Number.isNaN(own[at] as number)));
  const estimate = bootstrap.mean(values);
  return {
    label: trained.row.label,
    metric,
    part,
    agentId: part === 'agent' ? (agents[0] ?? null) : null,
    ...(metric.startsWith('pass') ? withExactEnds(estimate, measured.length) : estimate),
    seeds: values.filter((own) => Array.from(own).some((value) => !Number.isNaN(value))).length,
    problems: metric === 'zero-advantage' ? 0 : measured.length,
    ...seedSpread(values),
  };
}
