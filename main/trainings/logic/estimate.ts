import type { ModelTraining, TrainingSpec } from '../../../preload/contract';
import { trainingPrograms, withoutSeed } from '../../../preload/contract/plans';
import { canonicalJson } from '../../base';
import { isComparableTraining } from './model-plan/duration';
import { medianOf } from './watch/trend';

/** A finished training and its duration in seconds. */
export type TimedTraining = {
  readonly spec: TrainingSpec;
  readonly machineId: string;
  readonly seconds: number;
};

/** To start, whatever a training's length: programs, problems, sandbox (docs/training.md, "What it costs"). */
const STARTING_SECONDS = 4;
/** Of trainings of other lengths those that come closest count. */
const NEAREST = 5;
/** Those shorter than both say nothing of a long one: how long they took to start varies by more than their work took. */
const SHORT = { seconds: 60, share: 0.05 };

/**
 * Estimated seconds: the median of earlier trainings with the same settings; else from the nearest in length of those like it,
 * a fixed part to start and their median time per program. Of pocket trainings another method is better than nothing. null:
 * nothing like it has run. `machineId` left out: on any machine; pocket trainings are timed by any.
 */
export function estimatedSeconds(
  spec: TrainingSpec,
  earlier: readonly TimedTraining[],
  machineId?: string,
): number | null {
  const known = earlier.filter(
    (one) => machineId === undefined || spec.kind === 'pocket' || one.machineId === machineId,
  );
  const key = canonicalJson(withoutSeed(spec));
  const equal = known.filter((one) => canonicalJson(withoutSeed(one.spec)) === key);
  if (equal.length > 0) return medianOf(equal.map(({ seconds }) => seconds));
  const own = workOf(spec);
  if (own === null) return null;
  const sameMethod = known.filter((one) => isAlike(one.spec, spec));
  const rates = (sameMethod.length > 0 ? sameMethod : known.filter((one) => arePocket(one.spec, spec)))
    .flatMap((training) => {
      const work = workOf(training.spec);
      if (work === null || work === 0) return [];
      const isTooShort = work < SHORT.share * own && training.seconds < SHORT.seconds;
      return isTooShort ? [] : [{ work, ...training }];
    })
    .sort((a, b) => Math.abs(Math.log(a.work / own)) - Math.abs(Math.log(b.work / own)))
    .slice(0, NEAREST)
    .map(({ work, seconds }) => Math.max(seconds - STARTING_SECONDS, 0) / work);
  return rates.length === 0 ? null : STARTING_SECONDS + medianOf(rates) * own;
}

/** Number of programs written in training and in its evaluations; null: it does not say. */
function workOf(spec: TrainingSpec): number | null {
  if (spec.kind !== 'pocket' && spec.kind !== 'model') return null;
  const { learned, evaluated, final } = trainingPrograms(spec);
  return learned + evaluated + final;
}

/** Same method: trees, grown node by node, take longer than first attempts. Of language models also the same answers. */
function isAlike(a: TrainingSpec, b: TrainingSpec): boolean {
  if (a.kind === 'model' && b.kind === 'model') {
    return a.method === b.method && isComparableTraining(a, b) && answerSettings(a) === answerSettings(b);
  }
  return a.kind === 'pocket' && b.kind === 'pocket' && a.method === b.method;
}

const arePocket = (a: TrainingSpec, b: TrainingSpec): boolean => a.kind === 'pocket' && b.kind === 'pocket';

/** How long they may be, and what writes them. */
function answerSettings({ agents, writer }: ModelTraining): string {
  return JSON.stringify([agents.map(({ maxTokens, thinking }) => [maxTokens, thinking]), writer]);
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

/** The evaluation after the last step in steps, by its programs: it has no pace of its own before it has begun. */
export function evaluationSteps(spec: TrainingSpec): number {
  if (spec.kind !== 'pocket' && spec.kind !== 'model') return 0;
  const { learned, evaluated, final } = trainingPrograms(spec);
  return learned === 0 ? 0 : (spec.updates * final) / (learned + evaluated);
}

/**
 * Seconds until `steps`, and what takes as long as `more` of them, at the average speed so far; null: unknown, also where that
 * moment has passed.
 */
export function secondsLeft(
  rate: ProgressRate | null,
  now: number,
  steps: number | null,
  more = 0,
): number | null {
  if (rate === null || steps === null || rate.step <= rate.from) return null;
  const perStep = (rate.at - rate.since) / (rate.step - rate.from);
  const left = (perStep * (steps + more - rate.step) - (now - rate.at)) / 1_000;
  return left > 0 ? left : null;
}
