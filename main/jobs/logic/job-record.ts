import { z } from 'zod';
import {
  type JobMoment,
  type JobState,
  type JobView,
  jobMomentSchema,
  jobStateSchema,
} from '../../../preload/contract';
import { commandLineOf } from './job-files';
import { jobSpecSchema } from './job-spec';

/** Lines of a timeline that are kept: its beginning, and the last. Days of a flapping connection fit. */
const FIRST_MOMENTS = 20;
const MOST_MOMENTS = 200;

/** All that this computer keeps of a job; written before what it says is done. Times are ISO dates. */
export const jobRecordSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  spec: jobSpecSchema,
  createdAt: z.string(),
  /** On the machine, absolute; null until it was asked. */
  folder: z.string().nullable(),
  /**
   * waiting: for GPUs or for the time of a retry. starting: the starter is asked until it answers (asking again
   * starts nothing twice). started: looks tell. ended: nothing is asked any more.
   */
  phase: z.enum(['waiting', 'starting', 'started', 'ended']),
  state: jobStateSchema,
  /** The last attempt asked for; 0: none yet. */
  attempt: z.number().int().nonnegative(),
  /** The last attempt whose leftovers were ended before the next one. */
  cleared: z.number().int().nonnegative().default(0),
  /** Starts so far. */
  attempts: z.number().int().nonnegative(),
  /** When the attempt was first asked for. */
  askedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Slurm's number of the attempt. */
  reference: z.string().nullable(),
  gpuIds: z.array(z.string()),
  /** What makes programs use these GPUs alone. */
  gpuEnv: z.record(z.string(), z.string()),
  /** A person wants it stopped, with this grace: it is tried until the machine has done it. */
  stopGraceMs: z.number().nullable(),
  /** Retries made since a person last started it. */
  retried: z.object({ lost: z.number().int(), failed: z.number().int() }),
  /** A retry waits until then. */
  notBefore: z.string().nullable(),
  logBytes: z.number().int().nonnegative(),
  lastOutputAt: z.string().nullable(),
  /** The silence that was told: since when it lasts. */
  silenceTold: z.string().nullable(),
  timeline: z.array(jobMomentSchema),
});
export type JobRecord = Readonly<z.output<typeof jobRecordSchema>>;

export function newRecord(parts: Pick<JobRecord, 'id' | 'spec' | 'createdAt'>): JobRecord {
  return {
    version: 1,
    ...parts,
    folder: null,
    phase: 'waiting',
    state: { kind: 'queued', why: '' },
    attempt: 0,
    cleared: 0,
    attempts: 0,
    askedAt: null,
    startedAt: null,
    endedAt: null,
    reference: null,
    gpuIds: [],
    gpuEnv: {},
    stopGraceMs: null,
    retried: { lost: 0, failed: 0 },
    notBefore: null,
    logBytes: 0,
    lastOutputAt: null,
    silenceTold: null,
    timeline: [],
  };
}

/** With one line more in its timeline; one that says what the last one says is not told again. */
export function withMoment(record: JobRecord, moment: JobMoment): JobRecord {
  const last = record.timeline.at(-1);
  if (last !== undefined && last.what === moment.what && last.why === moment.why) return record;
  const timeline = [...record.timeline, moment];
  if (timeline.length > MOST_MOMENTS) timeline.splice(FIRST_MOMENTS, timeline.length - MOST_MOMENTS);
  return { ...record, timeline };
}

/** In a new state, which its timeline tells; a state that differs in its words alone is no new line. */
export function inState(record: JobRecord, state: JobState, at: string, why: string): JobRecord {
  const changed = { ...record, state };
  return record.state.kind === state.kind && record.timeline.length > 0
    ? changed
    : withMoment(changed, { at, what: state.kind, why });
}

/** A new start, asked for now. */
export function withAttempt(
  record: JobRecord,
  at: string,
  given: {
    readonly gpuIds: readonly string[];
    readonly gpuEnv: Readonly<Record<string, string>>;
    readonly why: string;
  },
): JobRecord {
  const next: JobRecord = {
    ...record,
    phase: 'starting',
    attempt: record.attempt + 1,
    attempts: record.attempts + 1,
    askedAt: at,
    startedAt: null,
    endedAt: null,
    reference: null,
    gpuIds: [...given.gpuIds],
    gpuEnv: given.gpuEnv,
    notBefore: null,
    stopGraceMs: null,
    silenceTold: null,
  };
  return withMoment({ ...next, state: { kind: 'starting' } }, { at, what: 'starting', why: given.why });
}

/** The machine stopped answering. What runs there goes on; a job that waits here does not depend on it. */
export function unknownSince(record: JobRecord, since: string, why: string): JobRecord {
  const { state } = record;
  if (record.phase === 'waiting' || record.phase === 'ended' || state.kind === 'unknown') return record;
  if (state.kind === 'exited' || state.kind === 'lost') return record;
  return inState(record, { kind: 'unknown', since, last: state.kind }, since, why);
}

export function viewOf(record: JobRecord): JobView {
  const { id, spec, state, createdAt, startedAt, endedAt, attempts, lastOutputAt, logBytes } = record;
  return {
    id,
    machineId: spec.machineId,
    name: spec.name,
    purpose: spec.purpose,
    commandLine: commandLineOf(spec.command),
    setUp: spec.setUp,
    cwd: spec.cwd,
    env: { ...spec.env },
    resources: spec.resources,
    retry: spec.retry,
    state,
    createdAt,
    startedAt,
    endedAt,
    attempts,
    gpuIds: record.gpuIds,
    slurmId: record.reference,
    lastOutputAt,
    logBytes,
    timeline: record.timeline,
  };
}

/** GPUs are held from the moment they are given until the end is known. */
export function holdsGpus(record: JobRecord): boolean {
  return record.gpuIds.length > 0 && (record.phase === 'starting' || record.phase === 'started');
}

export function wantsGpus(record: JobRecord): boolean {
  const { gpus, gpuIds } = record.spec.resources;
  return gpus > 0 || (gpuIds !== null && gpuIds.length > 0);
}
