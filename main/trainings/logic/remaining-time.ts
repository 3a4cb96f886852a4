/** Steps observed over time, to estimate when a training ends. Milliseconds. */
export type ProgressRate = {
  readonly since: number;
  readonly from: number;
  readonly at: number;
  readonly step: number;
};

/** Adds an observation; a step below the last (a resume from an older checkpoint) starts over. */
export function updateRate(rate: ProgressRate | null, now: number, step: number): ProgressRate {
  if (rate === null || step < rate.step) return { since: now, from: step, at: now, step };
  return step === rate.step ? rate : { ...rate, at: now, step };
}

/** Seconds until `steps` at the average speed so far; null: unknown. */
export function secondsLeft(rate: ProgressRate | null, now: number, steps: number | null): number | null {
  if (rate === null || steps === null || rate.step <= rate.from) return null;
  const perStep = (rate.at - rate.since) / (rate.step - rate.from);
  return Math.max(0, (perStep * (steps - rate.step) - (now - rate.at)) / 1_000);
}
