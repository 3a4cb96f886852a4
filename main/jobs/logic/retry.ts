import type { JobRecord } from './job-record';

/** Wait before the first retry; it doubles for each further one, up to the maximum. */
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 600_000;

export type Retry = {
  readonly kind: 'lost' | 'failed';
  /** From 1. */
  readonly number: number;
  readonly most: number;
  readonly waitMs: number;
};

/**
 * The retry after an end, if any. lost: no exit code was written; failed: an exit code other than 0. null: no retry, as
 * after a stop.
 */
export function nextRetry(record: JobRecord, code: number | null): Retry | null {
  if (record.stopGraceMs !== null || code === 0) return null;
  const kind = code === null ? 'lost' : 'failed';
  const [made, most] = [record.retried[kind], record.spec.retry[kind]];
  if (made >= most) return null;
  const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** made);
  return { kind, number: made + 1, most, waitMs };
}

/** e.g. "starts again in 10 s (retry 2 of 3)" */
export function describeRetry({ number, most, waitMs }: Retry): string {
  return `starts again in ${Math.round(waitMs / 1_000)} s (retry ${number} of ${most})`;
}
