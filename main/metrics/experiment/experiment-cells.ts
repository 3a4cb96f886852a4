import type { ExperimentCell, ExperimentMetric } from '../../../preload/contract';
import type { Estimate } from '../bootstrap';
import { withExactEnds } from '../exact-rates';
import { seedSpread } from '../seed-spread';
import { problemMeans, type SeedsByProblems, TwoLevelBootstrap } from '../two-level-bootstrap';
import { type Quantity, type TrainedRow, valuesOf } from './trained-rows';

/** With this many resamples, each end of a 95 % interval is accurate to about a twentieth of its width. */
const RESAMPLES = 2_000;
/** Seed of the resampling: the same trainings give the same numbers. */
export const EXPERIMENT_SEED = 1;

/** The bootstrap of every number of trainings. */
export function experimentBootstrap(): TwoLevelBootstrap {
  return new TwoLevelBootstrap(EXPERIMENT_SEED, RESAMPLES);
}

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

/** null: no training of it has such a value. `problems`: those that count. */
export function cellOf(
  trained: TrainedRow,
  quantity: Quantity,
  bootstrap: TwoLevelBootstrap,
  problems = trained.problems,
): ExperimentCell | null {
  const { metric, part, agents } = quantity;
  const values = valuesOf(trained, quantity, problems);
  if (values === null) return null;
  const { problems: counted, ...estimate } = estimateOf(values, metric, bootstrap);
  return {
    label: trained.row.label,
    metric,
    part,
    agentId: part === 'agent' ? (agents[0] ?? null) : null,
    ...estimate,
    seeds: values.filter((own) => Array.from(own).some((value) => !Number.isNaN(value))).length,
    problems: metric === 'zero-advantage' ? 0 : counted,
    ...seedSpread(values),
  };
}

/** The mean with its interval, and over how many problems. Needs a known value. */
export function estimateOf(
  values: SeedsByProblems,
  metric: ExperimentMetric,
  bootstrap: TwoLevelBootstrap,
): Estimate & { readonly problems: number } {
  const problems = problemMeans(values).filter((mean) => !Number.isNaN(mean)).length;
  const estimate = bootstrap.mean(values);
  return { ...(metric.startsWith('pass') ? withExactEnds(estimate, problems) : estimate), problems };
}
