import type { Refusal } from '../../preload/contract';
import type { Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import type { ReconcileProblem } from '../reconcile';
import type { Job, RetryGate } from './job-api';
import type { JobStarter, StartedJob } from './job-starter';
import type { JobStore } from './job-store';
import type { ProbeTimes, RecordUpdate } from './logic/apply-probe';
import { type JobRecord, viewOf } from './logic/job-record';
import { JOB_MARK } from './logic/job-wrapper';
import type { GpuAvailability } from './never-starts';

/** Shared by all parts of the job service. */
export type JobContext = {
  readonly store: JobStore;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** Must return the same starter for a kind of machine at every call, since it caches observations. */
  readonly starters: (machine: Machine) => JobStarter;
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
  readonly clock: { readonly now: () => number };
  /** null: there is none yet. */
  readonly retryGate: () => RetryGate | null;
  readonly settings: () => { readonly stalledMinutes: number | null };
  /** Called for every unexpected error of background work. */
  readonly onError: (problem: ReconcileProblem) => void;
};

/** Runs work that nobody awaits; an error is reported with the job's id. */
export function inBackground({ onError }: JobContext, id: string | null, work: () => Promise<void>): void {
  work().catch((error: unknown) => onError({ name: 'jobs', key: id, error, failures: 1, waitMs: 0 }));
}

export function isoAt(ms: number): string {
  return new Date(ms).toISOString();
}

export function probeTimes({ clock, settings }: JobContext): ProbeTimes {
  const nowMs = clock.now();
  return {
    at: isoAt(nowMs),
    later: (ms) => isoAt(nowMs + ms),
    ageMs: (iso) => nowMs - Date.parse(iso),
    stalledMinutes: settings().stalledMinutes,
  };
}

export function jobOf(record: JobRecord): Job {
  return {
    id: record.id,
    spec: record.spec,
    view: viewOf(record),
    folder: record.folder,
    retriedSeconds: record.retriedSeconds,
  };
}

/** The record's current attempt, for a starter. */
export function startedJob(record: JobRecord, machine: Machine, folder: string): StartedJob {
  const { id, attempt, spec, gpuIds, gpuEnv, reference } = record;
  return {
    id,
    attempt,
    folder,
    spec,
    env: { ...spec.env, ...gpuEnv, [JOB_MARK]: id },
    gpuIds,
    machine,
    reference,
    createdAt: record.askedAt ?? record.createdAt,
  };
}

/** Saves an updated record, then sends its notice. */
export async function saveAndNotify(store: JobStore, { record, notice }: RecordUpdate): Promise<void> {
  await store.put(record);
  if (notice !== null) store.notify({ about: notice, job: viewOf(record) });
}
