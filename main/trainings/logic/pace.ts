/** Steps that were seen over time, to tell when a training ends. */
export type Pace = {
  readonly since: number;
  readonly from: number;
  readonly at: number;
  readonly step: number;
};

/** A later sighting; one that is behind the last (a resume from an older checkpoint) begins anew. Milliseconds. */
export function nextPace(pace: Pace | null, now: number, step: number): Pace {
  if (pace === null || step < pace.step) return { since: now, from: step, at: now, step };
  return step === pace.step ? pace : { ...pace, at: now, step };
}

/** Seconds until `steps` at the speed so far; null: not known yet. */
export function secondsLeft(pace: Pace | null, now: number, steps: number | null): number | null {
  if (pace === null || steps === null || pace.step <= pace.from) return null;
  const perStep = (pace.at - pace.since) / (pace.step - pace.from);
  return Math.max(0, (perStep * (steps - pace.step) - (now - pace.at)) / 1_000);
}
