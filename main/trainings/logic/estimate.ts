import type { TrainingSpec } from '../../../preload/contract';

/** A finished training and its duration in seconds. */
export type TimedTraining = { readonly spec: TrainingSpec; readonly seconds: number };

/**
 * Estimated seconds: the median time per unit of work of similar earlier trainings, times its own work. null: there are
 * none, or the spec does not determine the amount of work.
 */
export function estimatedSeconds(spec: TrainingSpec, earlier: readonly TimedTraining[]): number | null {
  const own = workOf(spec);
  if (own === null) return null;
  const rates = earlier
    .flatMap((training) => {
      const work = isAlike(training.spec, spec) ? workOf(training.spec) : null;
      return work === null || work === 0 ? [] : [training.seconds / work];
    })
    .sort((a, b) => a - b);
  const middle = rates[Math.floor(rates.length / 2)];
  return middle === undefined ? null : middle * own;
}

/** Number of programs written in training and in the evaluation of each agent and the team. */
function workOf(spec: TrainingSpec): number | null {
  if (spec.kind !== 'pocket') return null;
  const { families, updates, batch, evaluation, method } = spec;
  const learned = method === 'base' ? 0 : families.length * updates * batch;
  const teams = families.length + (families.length > 1 ? 1 : 0);
  const evaluated = evaluation.problems * (teams * evaluation.nodes + families.length * evaluation.samples);
  return learned + evaluated;
}

/** Same method: trees, grown node by node, take longer than first attempts. */
function isAlike(a: TrainingSpec, b: TrainingSpec): boolean {
  return a.kind === 'pocket' && b.kind === 'pocket' && a.method === b.method;
}

/** Steps observed over time, to estimate when a training ends. Milliseconds. */
export type ProgressRate = {
  readonly since: number;
  readonly from: number;
  readonly at: number;
  readonly step: number;
};

/** null: it was observed before this start of its process, so that a pause counts in it. `startedMs` null: none runs. */
export function rateSince(rate: ProgressRate | null, startedMs: number | null): ProgressRate | null {
  return rate === null || rate.since < (startedMs ?? 0) ? null : rate;
}

/** Adds an observation; a step below the last (a resume from an older checkpoint) starts over. */
export function updateRate(rate: ProgressRate | null, now: number, step: number): ProgressRate {
  if (rate === null || step < rate.step) return { since: now, from: step, at: now, step };
  return step === rate.step ? rate : { ...rate, at: now, step };
}

/**
 * Seconds until `steps` at the average speed so far; null: unknown, also where that moment has passed (what comes after the
 * last step, an evaluation, may take long).
 */
export function secondsLeft(rate: ProgressRate | null, now: number, steps: number | null): number | null {
  if (rate === null || steps === null || rate.step <= rate.from) return null;
  const perStep = (rate.at - rate.since) / (rate.step - rate.from);
  const left = (perStep * (steps - rate.step) - (now - rate.at)) / 1_000;
  return left > 0 ? left : null;
}
