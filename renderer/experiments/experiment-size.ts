import type { ExperimentOrder } from '../../preload/contract/experiment';
import { trainingsOfSeed } from './experiment-draft';

export type ExperimentSize = {
  readonly trainings: number;
  /** Samples to learn from, of all agents, rows and seeds. */
  readonly samples: number;
  /** Programs that the evaluations write and grade. */
  readonly evaluated: number;
  /** Samples of one seed, by row. */
  readonly rows: readonly number[];
};

/** How much work an experiment is. */
export function experimentSize(order: ExperimentOrder): ExperimentSize {
  const seeds = order.seeds.length;
  const trainings = trainingsOfSeed(order);
  const rows = trainings.map(({ method, updates, batch, families }) =>
    method === 'base' ? 0 : updates * batch * families.length,
  );
  const evaluated = trainings.map(({ evaluation, families }) => {
    const teams = families.length > 1 ? families.length + 1 : 1;
    return evaluation.problems * (evaluation.nodes * teams + evaluation.samples * families.length);
  });
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    trainings: rows.length * seeds,
    samples: sum(rows) * seeds,
    evaluated: sum(evaluated) * seeds,
    rows,
  };
}
