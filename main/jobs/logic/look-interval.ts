import type { JobRecord } from './job-record';

/** So long after somebody asked for a job it counts as looked at. */
const WATCHED_MS = 15_000;
/** So long after its start a job's fate is of interest: most of what fails does so at once. */
const YOUNG_MS = 60_000;

/** What a machine is looked at for. */
type LookReasons = {
  readonly isLocal: boolean;
  readonly hasAnswered: boolean;
  /** Milliseconds since somebody asked for a job of this machine; null: nobody has. */
  readonly askedAgoMs: number | null;
  readonly jobs: ReadonlyArray<Pick<JobRecord, 'phase'> & { readonly ageMs: number }>;
};

/**
 * Milliseconds until a machine is looked at again; null: there is nothing to look for. A look is one short script, so
 * a job that is watched costs a machine little, and one that is not next to nothing.
 */
export function lookInterval({ isLocal, hasAnswered, askedAgoMs, jobs }: LookReasons): number | null {
  const living = jobs.filter(({ phase }) => phase !== 'ended');
  if (living.length === 0) return null;
  // Connections are made again by whoever keeps them, and that is told: this is for the case that nobody tells.
  if (!hasAnswered) return 60_000;
  if (askedAgoMs !== null && askedAgoMs < WATCHED_MS) return isLocal ? 1_000 : 2_000;
  const isYoung = living.some(({ phase, ageMs }) => phase !== 'waiting' && ageMs < YOUNG_MS);
  if (isYoung) return 3_000;
  return isLocal ? 5_000 : 15_000;
}
