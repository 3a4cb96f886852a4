import type { JobView, Refusal } from '../../preload/contract';
import { type Disposable, Emitter, ok, type Result } from '../base';
import { openRecordStore, type UnreadableRecord } from '../storage';
import type { JobNotice } from './job-api';
import { JOB_RECORD_VERSION, type JobRecord, jobRecordSchema, viewOf } from './logic/job-record';

/** The records of all jobs, in memory and on disk, with change events. */
export type JobStore = {
  /** Oldest first. */
  readonly records: () => readonly JobRecord[];
  readonly get: (id: string) => JobRecord | null;
  readonly require: (id: string) => Result<JobRecord, Refusal>;
  /**
   * Saves a record. It takes effect at once; listeners are notified when it is on disk, or could not be written (it is
   * then retried with the next change). If only the log's size changed, it is written with the next other change.
   */
  readonly put: (record: JobRecord) => Promise<Result<null, Refusal>>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Records that could not be read when the store was opened. */
  readonly unreadable: () => readonly UnreadableRecord[];
  readonly notify: (notice: JobNotice) => void;
  readonly onChange: (listener: (view: JobView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  readonly onNotice: (listener: (notice: JobNotice) => void) => Disposable;
  /** Writes everything to disk; later changes are refused. */
  readonly close: () => Promise<void>;
};

export async function openJobStore(folder: string): Promise<JobStore> {
  const records = await openRecordStore<JobRecord>({
    folder,
    fileName: null,
    schema: jobRecordSchema,
    version: JOB_RECORD_VERSION,
    noun: 'job',
    nameOf: ({ spec }) => spec.name,
    indent: 1,
    // A job that runs must be tracked even while this computer's disk is full.
    commit: 'memory',
    isMinor: (before, after) => withoutLog(before) === withoutLog(after),
  });
  const notices = new Emitter<JobNotice>();

  return {
    records: records.list,
    get: records.get,
    require: records.find,
    put: async (record) => {
      const before = records.get(record.id);
      // Most probes change nothing.
      if (before !== null && JSON.stringify(before) === JSON.stringify(record)) return ok(null);
      return records.put(record);
    },
    remove: (id) => records.remove(id),
    unreadable: records.unreadable,
    notify: (notice) => notices.emit(notice),
    onChange: (listener) =>
      records.onChange(({ after }) => {
        if (after !== null) listener(viewOf(after));
      }),
    onRemoved: (listener) =>
      records.onChange(({ id, after }) => {
        if (after === null) listener(id);
      }),
    onNotice: (listener) => notices.on(listener),
    close: records.close,
  };
}

function withoutLog(record: JobRecord): string {
  return JSON.stringify({ ...record, logBytes: 0, logLeftOut: null, lastOutputAt: null });
}
