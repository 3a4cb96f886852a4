import type { Refusal } from '../../preload/contract';
import { compareText, createKeyedQueue, type Disposable, Emitter, failed, ok, type Result } from '../base';
import {
  RecordFiles,
  type RecordFilesOptions,
  type StoredRecord,
  type UnreadableRecord,
} from './record-files';

export type { StoredRecord, UnreadableRecord } from './record-files';

export type RecordStoreOptions<R extends StoredRecord> = RecordFilesOptions<R> & {
  /** How to see the records, for the hint of "not found". */
  readonly listHint?: string;
  /**
   * disk (the default): a change takes effect once it is on disk; if it cannot be written, it has no effect. memory: it
   * takes effect at once; a failed write is repeated with the next change and at `close`.
   */
  readonly commit?: 'disk' | 'memory';
  /** With `commit: 'memory'`: a change that need not be written before the next other one. */
  readonly isMinor?: (before: R, after: R) => boolean;
};

/** `after` null: it was removed; `before` null: it is new. */
export type RecordChange<R> = { readonly id: string; readonly before: R | null; readonly after: R | null };

/** Records in memory and on disk, each in its own file, which is replaced atomically. */
export type RecordStore<R extends StoredRecord> = {
  /** Oldest first. */
  readonly list: () => readonly R[];
  readonly get: (id: string) => R | null;
  /** As `get`, with a refusal that names what is missing. */
  readonly find: (id: string) => Result<R, Refusal>;
  /** Adds or replaces. Writes of one record are done one after the other. */
  readonly put: (record: R) => Promise<Result<null, Refusal>>;
  /**
   * Changes of one record run one after the other, each on the result of the one before. Returning the same record
   * writes nothing.
   */
  readonly change: (id: string, next: (record: R) => R) => Promise<Result<R, Refusal>>;
  /**
   * Removes the record from memory, then its file, then its folder except for the names in `keep`. Refuses if something
   * could not be removed; once the file is removed, the record is gone even so.
   */
  readonly remove: (id: string, keep?: readonly string[]) => Promise<Result<null, Refusal>>;
  /** Moves aside a record that turned out to be unusable, e.g. because a file beside it is damaged. */
  readonly setAside: (id: string, why: string) => Promise<void>;
  /** The folder of a record, if each record has its own. */
  readonly folderOf: (id: string) => string;
  /** Records that were moved aside since the store was opened. */
  readonly unreadable: () => readonly UnreadableRecord[];
  /** Called after a change has taken effect. */
  readonly onChange: (listener: (change: RecordChange<R>) => void) => Disposable;
  /** Resolves once everything is on disk; later changes are refused. */
  readonly close: () => Promise<void>;
};

/** Reads all records; an unreadable one does not affect the others. Rejects if the folder cannot be read or created. */
export async function openRecordStore<R extends StoredRecord>(
  options: RecordStoreOptions<R>,
): Promise<RecordStore<R>> {
  const { noun, commit = 'disk' } = options;
  const files = new RecordFiles(options);
  const records = new Map<string, R>();
  const changes = new Emitter<RecordChange<R>>();
  const queue = createKeyedQueue();
  /** With `commit: 'memory'`: records whose last change is not on the disk. */
  const unsaved = new Set<string>();
  let isClosed = false;

  const missing = (id: string): Refusal => ({
    code: 'not-found',
    message: `There is no ${noun} "${id}".`,
    ...(options.listHint === undefined ? {} : { hint: options.listHint }),
  });
  const commitToDisk = async (record: R): Promise<Result<null, Refusal>> => {
    const { id } = record;
    if (isClosed) return failed(closed());
    const written = await files.write(record);
    if (!written.ok) return written;
    const before = records.get(id) ?? null;
    records.set(id, record);
    changes.emit({ id, before, after: record });
    return written;
  };
  /** Writes the newest state at that time; skips a write that a later one has made unnecessary. */
  const save = (id: string): Promise<Result<null, Refusal>> =>
    queue.run(id, async () => {
      const record = records.get(id);
      if (record === undefined || !unsaved.has(id)) return ok(null);
      const written = await files.write(record);
      if (written.ok && records.get(id) === record) unsaved.delete(id);
      return written;
    });
  const commitToMemory = async (record: R): Promise<Result<null, Refusal>> => {
    const { id } = record;
    if (isClosed) return failed(closed());
    const before = records.get(id) ?? null;
    records.set(id, record);
    unsaved.add(id);
    const isMinor = before !== null && (options.isMinor?.(before, record) ?? false);
    const saved = isMinor ? ok(null) : await save(id);
    // It may have been changed or removed meanwhile: listeners get the current state.
    const after = records.get(id);
    if (after !== undefined) changes.emit({ id, before, after });
    return saved;
  };

  const closed = (): Refusal => ({
    code: 'unavailable',
    message: `The workbench is closing, so the ${noun} is not saved.`,
  });

  for (const id of await files.ids()) {
    const record = await files.read(id);
    if (record !== null) records.set(id, record);
  }

  return {
    list: () => [...records.values()].sort(byAge),
    get: (id) => records.get(id) ?? null,
    find: (id) => {
      const record = records.get(id);
      return record === undefined ? failed(missing(id)) : ok(record);
    },
    put: (record) =>
      commit === 'memory' ? commitToMemory(record) : queue.run(record.id, () => commitToDisk(record)),
    change: async (id, next) => {
      const apply = async (): Promise<Result<R, Refusal>> => {
        const record = records.get(id);
        if (record === undefined) return failed(missing(id));
        const changed = next(record);
        if (changed === record) return ok(record);
        const saved = await (commit === 'memory' ? commitToMemory(changed) : commitToDisk(changed));
        return saved.ok ? ok(changed) : saved;
      };
      return commit === 'memory' ? apply() : queue.run(id, apply);
    },
    remove: (id, keep = []) => {
      const before = records.get(id) ?? null;
      const forget = (): void => {
        records.delete(id);
        unsaved.delete(id);
      };
      if (commit === 'memory') forget();
      return queue.run(id, async () => {
        try {
          return await files.remove(id, keep, forget);
        } finally {
          if (before !== null && !records.has(id)) changes.emit({ id, before, after: null });
        }
      });
    },
    setAside: (id, why) =>
      queue.run(id, async () => {
        records.delete(id);
        unsaved.delete(id);
        await files.moveAside(id, why);
      }),
    folderOf: (id) => files.folderOf(id),
    unreadable: () => files.unreadable,
    onChange: (listener) => changes.on(listener),
    close: async () => {
      isClosed = true;
      await queue.idle();
      for (const id of [...unsaved]) await save(id);
    },
  };
}

/** By code units: the order is the same on every machine. */
function byAge(a: StoredRecord, b: StoredRecord): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}
