import { z } from 'zod';
import {
  type JobState,
  type JobTimelineEntry,
  type JobView,
  jobStateSchema,
  jobTimelineEntrySchema,
  leftOutSchema,
} from '../../../preload/contract';
import { commandLineOf } from './job-files';
import { jobSpecSchema } from './job-spec';

/** A timeline keeps its first and its latest entries; days of a flapping connection fit. */
const KEPT_FIRST_MOMENTS = 20;
const MAX_MOMENTS = 200;

export const JOB_RECORD_VERSION = 1;

/** Everything this computer stores about a job; written before the action it describes. Times are ISO dates. */
export const jobRecordSchema = z.object({
  version: z.literal(JOB_RECORD_VERSION),
  id: z.string().min(1),
  spec: jobSpecSchema,
  createdAt: z.string(),
  /** On the machine, absolute; null before the machine was asked. */
  folder: z.string().nullable(),
  /**
   * waiting: for GPUs or for the time of a retry. starting: the starter is called until it answers (which starts nothing
   * twice). started: probes find its state. ended: nothing more is done.
   */
  phase: z.enum(['waiting', 'starting', 'started', 'ended']),
  state: jobStateSchema,
  /** The last attempt requested; 0: none yet. */
  attempt: z.number().int().nonnegative(),
  /** The last attempt whose leftover processes were ended. */
  cleared: z.number().int().nonnegative().default(0),
  /** Starts so far. */
  attempts: z.number().int().nonnegative(),
  /** When the attempt was first requested. */
  askedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Slurm's job id of the attempt. */
  reference: z.string().nullable(),
  gpuIds: z.array(z.string()),
  /** Environment that restricts programs to these GPUs. */
  gpuEnv: z.record(z.string(), z.string()),
  /** A person requested a stop with this grace period: retried until the machine has done it. */
  stopGraceMs: z.number().nullable(),
  /** Retries since a person last started it. */
  retried: z.object({ lost: z.number().int(), failed: z.number().int() }),
  /** How long the attempts before these retries ran, in seconds. */
  retriedSeconds: z.number().nonnegative().default(0),
  /** A retry does not start before this time. */
  notBefore: z.string().nullable(),
  logBytes: z.number().int().nonnegative(),
  logLeftOut: leftOutSchema.nullable().default(null),
  lastOutputAt: z.string().nullable(),
  /** Numbers of its GPUs that were idle for the last ten minutes, as last seen. */
  idleGpus: z.array(z.number().int()).default([]),
  /** Start of the stall that was last reported. */
  silenceTold: z.string().nullable(),
  timeline: z.array(jobTimelineEntrySchema),
});
export type JobRecord = Readonly<z.output<typeof jobRecordSchema>>;

export function newRecord(parts: Pick<JobRecord, 'id' | 'spec' | 'createdAt'>): JobRecord {
  return {
    version: JOB_RECORD_VERSION,
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
    retriedSeconds: 0,
    notBefore: null,
    logBytes: 0,
    logLeftOut: null,
    lastOutputAt: null,
    idleGpus: [],
    silenceTold: null,
    timeline: [],
  };
}

/** Appends an entry to its timeline, unless it repeats the last one. */
export function withTimelineEntry(record: JobRecord, moment: JobTimelineEntry): JobRecord {
  const last = record.timeline.at(-1);
  if (last !== undefined && last.what === moment.what && last.why === moment.why) return record;
  const timeline = [...record.timeline, moment];
  if (timeline.length > MAX_MOMENTS) timeline.splice(KEPT_FIRST_MOMENTS, timeline.length - MAX_MOMENTS);
  return { ...record, timeline };
}

/** Sets its state and records it in the timeline, unless only the state's text changed. */
export function inState(record: JobRecord, state: JobState, at: string, why: string): JobRecord {
  const changed = { ...record, state };
  return record.state.kind === state.kind && record.timeline.length > 0
    ? changed
    : withTimelineEntry(changed, { at, what: state.kind, why });
}

/** Starts a new attempt. */
export function withAttempt(
  record: JobRecord,
  at: string,
  assigned: {
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
    gpuIds: [...assigned.gpuIds],
    gpuEnv: assigned.gpuEnv,
    notBefore: null,
    stopGraceMs: null,
    silenceTold: null,
  };
  return withTimelineEntry(
    { ...next, state: { kind: 'starting' } },
    { at, what: 'starting', why: assigned.why },
  );
}

/** The machine stopped answering. Its jobs keep running there; jobs that wait here are unaffected. */
export function withUnknownState(record: JobRecord, since: string, why: string): JobRecord {
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
    ...(spec.notes.owner === undefined ? {} : { owner: spec.notes.owner }),
    commandLine: commandLineOf(spec.command),
    setUp: spec.setUp,
    cwd: spec.cwd,
    ...(record.folder === null ? {} : { folder: record.folder }),
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
    ...(record.logLeftOut === null ? {} : { logLeftOut: record.logLeftOut }),
    ...(record.idleGpus.length === 0 || state.kind !== 'running' ? {} : { idleGpus: record.idleGpus }),
    timeline: record.timeline,
  };
}

/** GPUs are held from their assignment until the job's end is known. */
export function holdsGpus(record: JobRecord): boolean {
  return record.gpuIds.length > 0 && (record.phase === 'starting' || record.phase === 'started');
}

export function wantsGpus(record: JobRecord): boolean {
  const { gpus, gpuIds } = record.spec.resources;
  return gpus > 0 || (gpuIds !== null && gpuIds.length > 0);
}
