/** A job in the output of `squeue`: `QUEUE_COMMAND` requests these columns, `parseQueue` parses them. */
export type QueueRow = {
  /** As users write it: "1234", or "1234_7" for an element of an array. */
  readonly id: string;
  /** Slurm's state, e.g. "PENDING"; see `squeue(1)`, JOB STATE CODES. */
  readonly state: string;
  /** Slurm's reason why it waits or ended, e.g. "Resources"; "None": no reason. */
  readonly reason: string;
  /** The node that runs its script; null: not started. */
  readonly node: string | null;
  /** Seconds since 1970 by the cluster's clock; null: not ended (Slurm then reports the planned end, which is dropped). */
  readonly endedAtS: number | null;
  /** Its time limit in minutes; null: none. */
  readonly limitMinutes: number | null;
  readonly name: string;
};

/** The name is last: only it may contain the separator. */
const COLUMNS = '%i|%T|%r|%B|%e|%l|%j';
const COLUMN_COUNT = 7;

/**
 * All jobs of this user that Slurm knows, including ended ones; array elements on separate lines, each behind `$mark`: the
 * name of a job may have line feeds in it, and so lines of its own.
 */
export const QUEUE_COMMAND = `squeue --noheader --array --states=all --user="$(id -u)" --format="$mark"'|${COLUMNS}'`;

/** Parses the output of `QUEUE_COMMAND` under TZ=UTC. Other lines (a plug-in's warning) are skipped. */
export function parseQueue(text: string): readonly QueueRow[] {
  return text.split('\n').flatMap((line) => {
    const parts = line.split('|');
    if (parts.length < COLUMN_COUNT) return [];
    const [id = '', state = '', reason = '', node = '', end = '', limit = ''] = parts;
    if (!/^\d+(_\d+)?$/.test(id) || !/^[A-Z_]+$/.test(state)) return [];
    return [
      {
        id,
        state,
        reason,
        node: node === '' || node === 'n/a' ? null : node,
        endedAtS: hasEndedInSlurm(state) ? secondsOfUtc(end) : null,
        limitMinutes: minutesOf(limit),
        name: parts.slice(COLUMN_COUNT - 1).join('|'),
      },
    ];
  });
}

/** States in which nothing of the job runs or will run. */
const ENDED = new Set([
  'BOOT_FAIL',
  'CANCELLED',
  'COMPLETED',
  'DEADLINE',
  'FAILED',
  'NODE_FAIL',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'REVOKED',
  'TIMEOUT',
]);

export function hasEndedInSlurm(state: string): boolean {
  return ENDED.has(state);
}

/** "2026-11-21T17:28:26" in UTC as seconds since 1970; null for "N/A" and "Unknown". */
export function secondsOfUtc(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  // Years start in March, so that the leap day is the last day.
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * 146_097 + dayOfEra - 719_468;
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** "2-00:00:00", "00:30:00", "30:00" (minutes, seconds) -> minutes, rounded down; null for UNLIMITED and other text. */
export function minutesOf(text: string): number | null {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)$/.exec(text);
  if (match === null) return null;
  const [days = 0, hours = 0, minutes = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  return (days * 24 + hours) * 60 + minutes;
}
