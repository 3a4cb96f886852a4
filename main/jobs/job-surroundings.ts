import type { Gpu, Refusal, Reservation } from '../../preload/contract';
import type { Result } from '../base';
import type { Asked, Machine } from '../machines';
import type { Job } from './job-api';
import type { JobBook } from './job-book';
import type { JobStarter, StartedJob } from './job-starter';
import type { AfterLook, LookTimes } from './logic/after-look';
import { type JobRecord, viewOf } from './logic/job-record';
import { JOB_MARK } from './logic/job-wrapper';

/** Who uses the GPUs of a machine, and for whom they are kept. `user`: the account that jobs run under there. */
type GpuUse = {
  readonly gpus: readonly Gpu[];
  readonly reservations: readonly Reservation[];
  readonly user: string;
};

/** What all parts of the service work with. */
export type JobSurroundings = {
  readonly book: JobBook;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** The same one for a kind of machine at every call: it remembers what it saw. */
  readonly starters: (machine: Machine) => JobStarter;
  readonly gpus: (machineId: string) => Asked<GpuUse>;
  readonly clock: { readonly now: () => number };
  readonly settings: () => { readonly stalledMinutes: number | null };
};

export function isoAt(ms: number): string {
  return new Date(ms).toISOString();
}

export function lookTimes({ clock, settings }: JobSurroundings): LookTimes {
  const nowMs = clock.now();
  return {
    at: isoAt(nowMs),
    later: (ms) => isoAt(nowMs + ms),
    ageMs: (iso) => nowMs - Date.parse(iso),
    stalledMinutes: settings().stalledMinutes,
  };
}

export function jobOf(record: JobRecord): Job {
  return { id: record.id, spec: record.spec, view: viewOf(record), folder: record.folder };
}

/** The record's current attempt for a starter; `folder` is known by then. */
export function startedJob(record: JobRecord, machine: Machine, folder: string): StartedJob {
  const { id, attempt, spec, gpuIds, gpuEnv, reference } = record;
  return {
    id,
    attempt,
    folder,
    order: spec,
    env: { ...spec.env, ...gpuEnv, [JOB_MARK]: id },
    gpuIds,
    machine,
    reference,
    createdAt: record.askedAt ?? record.createdAt,
  };
}

/** Keeps what a look made of a record, and tells of it once it is kept. */
export async function keep(book: JobBook, { record, told }: AfterLook): Promise<void> {
  await book.put(record);
  if (told !== null) book.tell({ about: told, job: viewOf(record) });
}
