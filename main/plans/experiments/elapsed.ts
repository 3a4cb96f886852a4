import type { TrainingView } from '../../../preload/contract/index';

/** Seconds since the training was last started, up to its end where it has ended. `now` in milliseconds. */
export function elapsedSeconds({ startedAt, endedAt }: TrainingView, now: number): number {
  if (startedAt === null) return 0;
  const end = endedAt === null ? now : Date.parse(endedAt);
  return Math.max(0, (end - Date.parse(startedAt)) / 1_000);
}
