/** What `squeue` tells of a job. Declared once: `QUEUE_COMMAND` asks for these columns, `parseQueue` reads them. */
export type QueueRow = {
  /** As people say it: "1234", or "1234_7" for an element of an array. */
  readonly id: string;
  /** Slurm's word, e.g. "PENDING"; see `squeue(1)`, JOB STATE CODES. */
  readonly state: string;
  /** Why it waits or ended, in Slurm's word, e.g. "Resources"; "None" where there is nothing to say. */
  readonly reason: string;
  /** The node that runs its script; null before. */
  readonly node: string | null;
  /** Seconds since 1970 by the cluster's clock; null before the end. While it runs, Slurm gives the end of its time: not told here. */
  readonly endedAtS: number | null;
  /** The time that it was given, minutes; null: no limit. */
  readonly limitMinutes: number | null;
  readonly name: string;
};

/** The name is last: it alone may hold the separator. */
const COLUMNS = '%i|%T|%r|%B|%e|%l|%j';
const COLUMN_COUNT = 7;

/** All jobs of this user that Slurm still knows, the ended too, an element of an array each in a line of its own. */
export const QUEUE_COMMAND = `squeue --noheader --array --states=all --user="$(id -u)" --format='${COLUMNS}'`;

/** Reads what `QUEUE_COMMAND` printed under TZ=UTC. Lines that are no rows (a warning of a plug-in) are left out. */
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

/** Words of states in which nothing of the job runs or will run any more. */
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

/** "2026-11-21T17:28:26" in UTC as seconds since 1970; null for "N/A" and "Unknown". Gregorian, by days from civil. */
export function secondsOfUtc(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  // The year begins in March, so that the leap day is its last.
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * 146_097 + dayOfEra - 719_468;
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** "2-00:00:00", "00:30:00", "30:00" (minutes, seconds) -> minutes, cut; null for UNLIMITED and what is no time. */
export function minutesOf(text: string): number | null {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)$/.exec(text);
  if (match === null) return null;
  const [days = 0, hours = 0, minutes = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  return (days * 24 + hours) * 60 + minutes;
}
