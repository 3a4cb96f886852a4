import { assertNever } from '../../base';
import { inState, type JobRecord, unknownSince, withMoment } from './job-record';
import { retryOf, wordsOfRetry } from './retry';
import type { JobLook, LogFacts, Sighting } from './sighting';

/** Gigabytes of output that are worth a word: a log that nobody minds has filled a disk before. */
const LARGE_LOGS_GB = [10, 30, 100, 300, 1_000];

/** What people are told of once: an end that nobody asked for, or a long silence. */
export type Told = 'done' | 'failed' | 'stalled';

export type AfterLook = { readonly record: JobRecord; readonly told: Told | null };

export type LookTimes = {
  /** ISO date of the look. */
  readonly at: string;
  /** ISO date of so many milliseconds after the look. */
  readonly later: (ms: number) => string;
  /** Milliseconds from an ISO date to the look. */
  readonly ageMs: (isoDate: string) => number;
  /** Minutes without output that count as a stall; null: none do. */
  readonly stalledMinutes: number | null;
};

/** What a look at its current attempt makes of a record. */
export function afterLook(record: JobRecord, look: JobLook, times: LookTimes): AfterLook {
  const seen = look.log === null ? record : withLog(record, look.log, times.at);
  const { sighting } = look;
  switch (sighting.kind) {
    case 'queued':
      return quiet(inState(seen, { kind: 'queued', why: sighting.why }, times.at, sighting.why));
    case 'starting':
      // One that was seen running does not start: its traces are out of sight, and the next looks will tell.
      if (seen.startedAt !== null && seen.stopGraceMs === null && seen.state.kind !== 'queued')
        return quiet(seen);
      return quiet(inState(seen, { kind: 'starting' }, times.at, ''));
    case 'running':
      return afterRunning(seen, sighting, times);
    case 'unknown':
      return quiet(unknownSince(seen, times.at, sighting.why));
    case 'exited':
    case 'lost':
      return afterEnd(seen, sighting, times);
    default:
      return assertNever(sighting);
  }
}

/** A start that was refused for good: nothing began. */
export function afterRefusal(record: JobRecord, why: string, times: LookTimes): AfterLook {
  return afterEnd(record, { kind: 'lost', why }, times);
}

function quiet(record: JobRecord): AfterLook {
  return { record, told: null };
}

/** A log that has not grown keeps its time: what a clock that is set there tells anew is no output. */
function withLog(record: JobRecord, { bytes, lastOutputAt }: LogFacts, at: string): JobRecord {
  if (bytes === record.logBytes && record.lastOutputAt !== null) return record;
  const grown = { ...record, logBytes: bytes, lastOutputAt };
  const passed = LARGE_LOGS_GB.filter((gb) => record.logBytes < gb * 1e9 && bytes >= gb * 1e9).at(-1);
  if (passed === undefined) return grown;
  const why = `Its output has grown past ${passed} GB. Nothing is deleted: see that the disk there has room.`;
  return withMoment(grown, { at, what: 'large log', why });
}

function afterRunning(
  record: JobRecord,
  { pid }: Extract<Sighting, { kind: 'running' }>,
  times: LookTimes,
): AfterLook {
  const why = record.state.kind === 'unknown' ? 'The machine answers again.' : '';
  const running = inState(
    { ...record, startedAt: record.startedAt ?? times.at },
    { kind: 'running', pid },
    times.at,
    why,
  );
  const since = silentSince(running);
  const minutes = times.stalledMinutes;
  if (since === null || minutes === null || running.silenceTold === since) return quiet(running);
  if (times.ageMs(since) < minutes * 60_000) return quiet(running);
  const moment = { at: times.at, what: 'stalled', why: `It has written nothing since ${since}.` };
  return { record: withMoment({ ...running, silenceTold: since }, moment), told: 'stalled' };
}

/** Since its last byte; since its start where it has written none of its own. */
function silentSince({ startedAt, lastOutputAt }: JobRecord): string | null {
  if (startedAt === null || lastOutputAt === null) return startedAt ?? lastOutputAt;
  return startedAt > lastOutputAt ? startedAt : lastOutputAt;
}

function afterEnd(
  record: JobRecord,
  sighting: Extract<Sighting, { kind: 'exited' | 'lost' }>,
  times: LookTimes,
): AfterLook {
  const code = sighting.kind === 'exited' ? sighting.code : null;
  const startedAt = record.startedAt ?? record.askedAt;
  const seenAt = sighting.kind === 'exited' ? sighting.endedAt : times.at;
  // The machine tells whole seconds: an end within the second of the start would come before it.
  const endedAt = startedAt !== null && startedAt > seenAt ? startedAt : seenAt;
  const state =
    sighting.kind === 'exited'
      ? ({ kind: 'exited', code, endedAt } as const)
      : ({ kind: 'lost', why: sighting.why } as const);
  const ended = inState({ ...record, phase: 'ended', startedAt, endedAt }, state, endedAt, sighting.why);
  const isWanted = sighting.kind === 'exited' && sighting.isWanted === true;
  const retry = isWanted ? null : retryOf(record, code);
  if (retry !== null) {
    const why = wordsOfRetry(retry);
    const waiting: JobRecord = {
      ...ended,
      phase: 'waiting',
      notBefore: times.later(retry.waitMs),
      retried: { ...record.retried, [retry.kind]: retry.number },
    };
    return quiet(inState(waiting, { kind: 'queued', why }, times.at, why));
  }
  return { record: ended, told: record.stopGraceMs !== null ? null : code === 0 ? 'done' : 'failed' };
}
