import type { JobRecord } from './job-record';

/** The first retry waits so long; each further one twice as long, up to the last. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;

export type Retry = {
  readonly kind: 'lost' | 'failed';
  /** Which of the allowed ones it is, from 1. */
  readonly number: number;
  readonly most: number;
  readonly waitMs: number;
};

/**
 * Whether an end calls for another start. lost: nobody wrote an exit code; failed: one other than 0. Never where a
 * person has stopped it.
 */
export function retryOf(record: JobRecord, code: number | null): Retry | null {
  if (record.stopGraceMs !== null || code === 0) return null;
  const kind = code === null ? 'lost' : 'failed';
  const [made, most] = [record.retried[kind], record.spec.retry[kind]];
  if (made >= most) return null;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** made);
  return { kind, number: made + 1, most, waitMs };
}

/** e.g. "starts again in 10 s (retry 2 of 3)" */
export function wordsOfRetry({ number, most, waitMs }: Retry): string {
  return `starts again in ${Math.round(waitMs / 1_000)} s (retry ${number} of ${most})`;
}
