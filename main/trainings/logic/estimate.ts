import type { TrainingSpec } from '../../../preload/contract';

/** A training that was done, and how long it took from its start to its end, seconds. */
export type EarlierTraining = { readonly spec: TrainingSpec; readonly seconds: number };

/**
 * Seconds that a training like earlier ones takes: their median per unit of work, times its own. Null where there is
 * none, or for trainers whose work an order does not tell.
 */
export function estimatedSeconds(spec: TrainingSpec, earlier: readonly EarlierTraining[]): number | null {
  const own = workOf(spec);
  if (own === null) return null;
  const rates = earlier
    .flatMap((one) => {
      const work = isAlike(one.spec, spec) ? workOf(one.spec) : null;
      return work === null || work === 0 ? [] : [one.seconds / work];
    })
    .sort((a, b) => a - b);
  const middle = rates[Math.floor(rates.length / 2)];
  return middle === undefined ? null : middle * own;
}

/** Programs that are written: in training, and in the evaluation of each agent and the team. */
function workOf(spec: TrainingSpec): number | null {
  if (spec.kind !== 'pocket') return null;
  const { families, updates, batch, evaluation, method } = spec;
  const learned = method === 'base' ? 0 : families.length * updates * batch;
  const teams = families.length + (families.length > 1 ? 1 : 0);
  const evaluated = evaluation.problems * (teams * evaluation.nodes + families.length * evaluation.samples);
  return learned + evaluated;
}

/** Trees cost more than first attempts, one node after the other. */
function isAlike(a: TrainingSpec, b: TrainingSpec): boolean {
  return a.kind === 'pocket' && b.kind === 'pocket' && a.method === b.method;
}
