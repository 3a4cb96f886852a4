import type { JobRecord } from './job-record';

/** How long a request for a job counts as interest in it. */
const INTEREST_MS = 15_000;
/** Recently started jobs are probed more often: most failures happen early. */
const YOUNG_MS = 60_000;

/** What determines how often a machine is probed. */
type ProbeReasons = {
  readonly isLocal: boolean;
  readonly isReachable: boolean;
  /** Milliseconds since somebody requested a job of this machine; null: never. */
  readonly interestAgeMs: number | null;
  readonly jobs: ReadonlyArray<Pick<JobRecord, 'phase'> & { readonly ageMs: number }>;
};

/**
 * Milliseconds until a machine is probed again; null: there is nothing to probe. A probe is one short script, so frequent
 * probing costs a machine little.
 */
export function probeInterval({ isLocal, isReachable, interestAgeMs, jobs }: ProbeReasons): number | null {
  const unfinished = jobs.filter(({ phase }) => phase !== 'ended');
  if (unfinished.length === 0) return null;
  // A reconnect triggers a probe by itself; this is a fallback.
  if (!isReachable) return 60_000;
  if (interestAgeMs !== null && interestAgeMs < INTEREST_MS) return isLocal ? 1_000 : 2_000;
  const started = unfinished.filter(({ phase }) => phase !== 'waiting');
  const isYoung = started.some(({ ageMs }) => ageMs < YOUNG_MS);
  // The end of one job lets a queued one begin, which must not wait until a screen shows the list.
  const isWaitedFor = started.length > 0 && started.length < unfinished.length;
  if (isWaitedFor) return 2_000;
  if (isYoung) return 3_000;
  return isLocal ? 5_000 : 15_000;
}
