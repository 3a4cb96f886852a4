import type { JobView, Refusal } from '../../preload/contract';
import { type Disposable, Emitter, failed, ok, type Result } from '../base';
import type { JobNotice } from './job-api';
import { type JobRecord, viewOf } from './logic/job-record';
import { byAge, createRecordFiles } from './record-files';

/** The records of all jobs, in memory and on the disk, and who is told of them. */
export type JobBook = {
  /** Oldest first. */
  readonly records: () => readonly JobRecord[];
  readonly get: (id: string) => JobRecord | null;
  readonly ask: (id: string) => Result<JobRecord, Refusal>;
  /**
   * Keeps a record. It counts at once; who listens is told when it is on the disk, or could not be put there (then it
   * is tried again with the next change). What only the log's growth changes waits for that, too.
   */
  readonly put: (record: JobRecord) => Promise<Result<null, Refusal>>;
  readonly remove: (id: string) => Promise<void>;
  readonly tell: (notice: JobNotice) => void;
  readonly onChange: (listener: (view: JobView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  readonly onNotice: (listener: (notice: JobNotice) => void) => Disposable;
  /** Everything is on the disk then; what is put later is not kept. */
  readonly close: () => Promise<void>;
};

export async function openJobBook(folder: string): Promise<JobBook> {
  const files = createRecordFiles(folder);
  const records = new Map((await files.readAll()).map((record) => [record.id, record]));
  /** Jobs whose last change is not on the disk. */
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
    ask: (id) => {
      const record = records.get(id);
      if (record !== undefined) return ok(record);
      return failed({ code: 'not-found', message: `There is no job "${id}".` });
    },
    put: async (record) => {
      const { id } = record;
      const before = records.get(id);
      // The folder may be another workbench's by now.
      if (isClosed) return ok(null);
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return ok(null);
      records.set(id, record);
      const isGrowth = before !== undefined && withoutLog(before) === withoutLog(record);
      if (isGrowth) unsaved.add(id);
      const saved = isGrowth ? ok(null) : await save(record);
      // It may have changed again meanwhile, or be gone: what is told is what holds now.
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
    tell: (notice) => notices.emit(notice),
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
