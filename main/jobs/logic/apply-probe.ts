import { idleGpusText, type JobState, logSizeText } from '../../../preload/contract';
import { assertNever, capitalised, counted, nextRetry, type Retry, retryText } from '../../base';
import { inState, type JobRecord, withTimelineEntry, withUnknownState } from './job-record';
import type { JobProbe, LogInfo, Observation } from './observation';

/** Sizes of logs without a limit that are reported, in gigabytes, since an unattended log may fill a disk. */
const LARGE_LOGS_GB = [10, 30, 100, 300, 1_000];

/** 128 + SIGKILL: the command was killed and its wrapper was not. */
const KILLED = 137;

/** Events reported to the user once: an end that was not requested, or a long time without output. */
export type NoticeKind = 'done' | 'failed' | 'stalled';

export type RecordUpdate = { readonly record: JobRecord; readonly notice: NoticeKind | null };

export type ProbeTimes = {
  /** ISO date of the probe. */
  readonly at: string;
  /** ISO date so many milliseconds after the probe. */
  readonly later: (ms: number) => string;
  /** Milliseconds from an ISO date to the probe. */
  readonly ageMs: (isoDate: string) => number;
  /** Minutes without output that count as a stall; null: none do. */
  readonly stalledMinutes: number | null;
};

/** The launcher's answer to a retry (`RetryGate`). */
export type RetryAnswer = { readonly isAllowed: boolean; readonly why: string };

/** Whether the launcher is asked before this end is concluded. */
export function asksBeforeRetry(record: JobRecord, { observation }: JobProbe): boolean {
  if (!record.spec.resumes || (observation.kind !== 'exited' && observation.kind !== 'lost')) return false;
  return retryAfter(record, observation) !== null;
}

/** Updates a record with the observation of its current attempt. `answer` null: nobody had to be asked. */
export function applyProbe(
  record: JobRecord,
  probe: JobProbe,
  times: ProbeTimes,
  answer: RetryAnswer | null = null,
): RecordUpdate {
  const logged = probe.log === null ? record : withLog(record, probe.log, times.at);
  const updated = withIdleGpus(logged, probe, times.at);
  const { observation } = probe;
  switch (observation.kind) {
    case 'queued':
      return withoutNotice(
        inState(updated, { kind: 'queued', why: observation.why }, times.at, observation.why),
      );
    case 'starting':
      // It was running before, so its files are temporarily not visible; a later probe will decide.
      if (updated.startedAt !== null && updated.stopGraceMs === null && updated.state.kind !== 'queued')
        return withoutNotice(updated);
      return withoutNotice(inState(updated, { kind: 'starting' }, times.at, ''));
    case 'running':
      return afterRunning(updated, observation, times);
    case 'unknown':
      return withoutNotice(withUnknownState(updated, times.at, observation.why));
    case 'exited':
    case 'lost':
      return afterEnd(updated, observation, times, answer);
    default:
      return assertNever(observation);
  }
}

/** Updates a record whose start was refused: nothing was started. */
export function applyRefusal(record: JobRecord, why: string, times: ProbeTimes): RecordUpdate {
  return afterEnd(record, { kind: 'lost', why }, times);
}

function withoutNotice(record: JobRecord): RecordUpdate {
  return { record, notice: null };
}

/** A log that has not grown keeps its time, which would change if the machine's clock were set. */
function withLog(record: JobRecord, { bytes, lastOutputAt, leftOut }: LogInfo, at: string): JobRecord {
  if (bytes === record.logBytes && record.lastOutputAt !== null && leftOut?.to === record.logLeftOut?.to) {
    return record;
  }
  const grown = { ...record, logBytes: bytes, logLeftOut: leftOut, lastOutputAt };
  if (leftOut !== null) {
    if (record.logLeftOut !== null) return grown;
    const why = `Its output has exceeded the limit of a log, ${logSizeText(leftOut.limitBytes)}. The beginning and the newest lines are kept.`;
    return withTimelineEntry(grown, { at, what: 'log limit', why });
  }
  const passed = LARGE_LOGS_GB.filter((gb) => record.logBytes < gb * 1e9 && bytes >= gb * 1e9).at(-1);
  if (passed === undefined) return grown;
  const why = `Its output has exceeded ${passed} GB. Nothing is deleted: make sure that the disk there has room.`;
  return withTimelineEntry(grown, { at, what: 'large log', why });
}

/** A model server may wait for requests as long as it likes. */
const WAITS_FOR_REQUESTS = 'model-server';

/** The timeline says when the first of its GPUs became idle. */
function withIdleGpus(record: JobRecord, { observation, idleGpus = [] }: JobProbe, at: string): JobRecord {
  const isJudged = observation.kind === 'running' && record.spec.purpose !== WAITS_FOR_REQUESTS;
  const idle = isJudged ? [...idleGpus] : [];
  const changed = { ...record, idleGpus: idle };
  if (idle.length === 0 || record.idleGpus.length > 0) return changed;
  return withTimelineEntry(changed, { at, what: 'idle GPUs', why: idleGpusText(idle) });
}

function afterRunning(
  record: JobRecord,
  { pid }: Extract<Observation, { kind: 'running' }>,
  times: ProbeTimes,
): RecordUpdate {
  const why = record.state.kind === 'unknown' ? 'The machine answers again.' : '';
  const running = inState(
    { ...record, startedAt: record.startedAt ?? times.at },
    { kind: 'running', pid },
    times.at,
    why,
  );
  const since = lastActivity(running);
  const minutes = times.stalledMinutes;
  if (since === null || minutes === null || running.silenceTold === since) return withoutNotice(running);
  if (times.ageMs(since) < minutes * 60_000) return withoutNotice(running);
  const moment = {
    at: times.at,
    what: 'stalled',
    why: `It has written no output for ${counted(minutes, 'minute')}.`,
  };
  return { record: withTimelineEntry({ ...running, silenceTold: since }, moment), notice: 'stalled' };
}

/** Since its last output, or since its start if it has written none. */
function lastActivity({ startedAt, lastOutputAt }: JobRecord): string | null {
  if (startedAt === null || lastOutputAt === null) return startedAt ?? lastOutputAt;
  return startedAt > lastOutputAt ? startedAt : lastOutputAt;
}

type End = Extract<Observation, { kind: 'exited' | 'lost' }>;

function afterEnd(
  record: JobRecord,
  observation: End,
  times: ProbeTimes,
  answer: RetryAnswer | null = null,
): RecordUpdate {
  const code = observation.kind === 'exited' ? observation.code : null;
  const startedAt = record.startedAt ?? record.askedAt;
  const seenAt = observation.kind === 'exited' ? observation.endedAt : times.at;
  // The machine reports whole seconds, so an end within the second of the start would precede it.
  const endedAt = startedAt !== null && startedAt > seenAt ? startedAt : seenAt;
  const isCancelled =
    observation.kind === 'exited' && observation.isIntended === true && record.stopGraceMs === null;
  const state: JobState =
    observation.kind === 'exited'
      ? { kind: 'exited', code, endedAt, ...(isCancelled ? { isCancelled } : {}) }
      : { kind: 'lost', why: observation.why };
  const ended = inState({ ...record, phase: 'ended', startedAt, endedAt }, state, endedAt, observation.why);
  const retry = retryAfter(record, observation);
  if (retry !== null && answer?.isAllowed !== false) {
    const why = retryText(retry);
    const waiting: JobRecord = {
      ...ended,
      phase: 'waiting',
      notBefore: times.later(retry.waitMs),
      retried: { ...record.retried, [retry.cause]: retry.number },
      retriedSeconds: record.retriedSeconds + secondsBetween(startedAt, endedAt, times),
    };
    if (answer === null) return withoutNotice(inState(waiting, { kind: 'queued', why }, times.at, why));
    const from = `${why}, ${answer.why}`;
    const restart = { at: times.at, what: 'restart', why: sentences(observation.why, from) };
    return withoutNotice(withTimelineEntry({ ...waiting, state: { kind: 'queued', why: from } }, restart));
  }
  const left = answer?.why ?? retriesExhaustedReason(record, observation);
  const after =
    left === null ? ended : withTimelineEntry(ended, { at: times.at, what: 'not restarted', why: left });
  return { record: after, notice: record.stopGraceMs !== null ? null : code === 0 ? 'done' : 'failed' };
}

/**
 * Why a job that would resume is not started again, although nobody stopped it; null: it is started again, or was
 * stopped.
 */
function retriesExhaustedReason(record: JobRecord, observation: End): string | null {
  const { spec, retried } = record;
  if (!spec.resumes || !isRetriable(record, observation)) return null;
  return spec.retry.lost === 0
    ? 'It may not be restarted by itself: its limit is 0.'
    : `It was restarted ${counted(retried.lost, 'time')}, as often as allowed.`;
}

function sentences(first: string, then: string): string {
  const text = capitalised(then);
  return first === '' ? `${text}.` : `${first} ${text}.`;
}

function secondsBetween(from: string | null, to: string, { ageMs }: ProbeTimes): number {
  return from === null ? 0 : Math.max(0, (ageMs(from) - ageMs(to)) / 1_000);
}

/** Neither done, nor ended because a person wanted it. */
function isRetriable(record: JobRecord, observation: End): boolean {
  if (record.stopGraceMs !== null) return false;
  return observation.kind === 'lost' || (observation.code !== 0 && observation.isIntended !== true);
}

/**
 * The retry after an end, if any; none after a stop. `lost`: without an exit code, or killed where such retries are
 * allowed, or in any way of a job that resumes; `failed`: with any other exit code but 0.
 */
function retryAfter(record: JobRecord, observation: End): Retry<'lost' | 'failed'> | null {
  if (!isRetriable(record, observation)) return null;
  const code = observation.kind === 'exited' ? observation.code : null;
  const maxRetries = record.spec.retry;
  const isLost = record.spec.resumes || code === null || (code === KILLED && maxRetries.lost > 0);
  const cause = isLost ? 'lost' : 'failed';
  const policy = { maxRetries, firstWaitMs: 5_000, longestWaitMs: 600_000 };
  return nextRetry(policy, cause, record.retried[cause]);
}
