import type { ExperimentOrder } from '../../../../preload/contract';
import { trainingMethodOf } from '../../../../preload/contract/plans';

/** What makes an experiment pointless, in words; null: nothing that can be seen from its order. */
export function findProblem({ rows, seeds, training }: ExperimentOrder): string | null {
  if (training.evaluation?.problems === 0) {
    return 'Its methods are compared by their evaluation: evaluate them on one problem at least.';
  }
  const twice = repeated(rows.map(({ label }) => label));
  if (twice !== null) return `Two rows are called "${twice}". Give each a label of its own.`;
  const seed = repeated(seeds);
  if (seed !== null) return `The seed ${seed} is there twice. Give each training a seed of its own.`;
  for (const { label, method, families } of rows) {
    const facts = trainingMethodOf(method);
    if (families.length < facts.families) {
      return `The row "${label}" has too few families: ${facts.name} needs ${facts.families}.`;
    }
  }
  return null;
}

function repeated<T>(values: readonly T[]): T | null {
  return values.find((value, at) => values.indexOf(value) !== at) ?? null;
}
