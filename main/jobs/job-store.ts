import type { JobView, Refusal } from '../../preload/contract';
import { type Disposable, Emitter, failed, ok, type Result } from '../base';
import type { JobNotice } from './job-api';
import { type JobRecord, viewOf } from './logic/job-record';
import { byAge, createRecordFiles } from './record-files';

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
  readonly remove: (id: string) => Promise<void>;
  readonly notify: (notice: JobNotice) => void;
  readonly onChange: (listener: (view: JobView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  readonly onNotice: (listener: (notice: JobNotice) => void) => Disposable;
  /** Writes everything to disk; later changes are ignored. */
  readonly close: () => Promise<void>;
};

export async function openJobStore(folder: string): Promise<JobStore> {
  const files = createRecordFiles(folder);
  const records = new Map((await files.readAll()).map((record) => [record.id, record]));
  /** Jobs whose last change is not on disk. */
  const unsaved = new Set<string>();
  const changes = new Emitter<JobView>();
  const removals = new Emitter<string>();
  const notices = new Emitter<JobNotice>();

  let isClosed = false;

  const save = async (record: JobRecord): Promise<Result<null, Refusal>> => {
    unsaved.add(record.id);
    const saved = await files.write(record);
    if (saved.ok && records.get(record.id) === record) unsaved.delete(record.id);
    return saved;
  };

  return {
    records: () => [...records.values()].sort(byAge),
    get: (id) => records.get(id) ?? null,
    require: (id) => {
      const record = records.get(id);
      if (record !== undefined) return ok(record);
      return failed({ code: 'not-found', message: `There is no job "${id}".` });
    },
    put: async (record) => {
      const { id } = record;
      const before = records.get(id);
      // Another workbench may use the folder by now.
      if (isClosed) return ok(null);
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return ok(null);
      records.set(id, record);
      const isGrowth = before !== undefined && withoutLog(before) === withoutLog(record);
      if (isGrowth) unsaved.add(id);
      const saved = isGrowth ? ok(null) : await save(record);
      // It may have changed again or been removed meanwhile: the current record is reported.
      const now = records.get(id);
      if (now !== undefined) changes.emit(viewOf(now));
      return saved;
    },
    remove: async (id) => {
      records.delete(id);
      unsaved.delete(id);
      await files.remove(id);
      removals.emit(id);
    },
    notify: (notice) => notices.emit(notice),
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    onNotice: (listener) => notices.on(listener),
    close: async () => {
      isClosed = true;
      await files.settled();
      for (const id of [...unsaved]) {
        const record = records.get(id);
        if (record !== undefined) await save(record);
      }
    },
  };
}

function withoutLog(record: JobRecord): string {
  return JSON.stringify({ ...record, logBytes: 0, lastOutputAt: null });
}
