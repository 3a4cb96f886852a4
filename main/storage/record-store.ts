import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { compareText, createKeyedQueue, type Disposable, Emitter, failed, ok, type Result } from '../base';
import { makeFolder, syncFolder } from './durable-file';
import { readJson, writeJson } from './json-file';
import { reasonOf } from './system-error';

const ENDING = '.json';
/** Of the file of a record that was moved aside. */
const UNREAD = '.unread';

/** The fields of every record. `createdAt`: ISO date; `version`: of the record's form. */
export type StoredRecord = { readonly id: string; readonly createdAt: string; readonly version: number };

export type RecordStoreOptions<R extends StoredRecord> = {
  /** Created if it is missing. Only this store writes records in it. */
  readonly folder: string;
  /**
   * The name of the record's file, in a folder per record that may hold other files; null: one file per record, named
   * by its id. We create the ids, so they are safe as names.
   */
  readonly fileName: string | null;
  /** Of the current version. */
  readonly schema: z.ZodType<R>;
  /** The version that is written. */
  readonly version: number;
  /** Converts a record of an older `version` to the current form, which is written with the next change. */
  readonly migrate?: (value: unknown, version: number) => unknown;
  /** For messages, e.g. "experiment". */
  readonly noun: string;
  /** For messages: the record's name; left out: its id. */
  readonly nameOf?: (record: R) => string;
  /** How to see the records, for the hint of "not found". */
  readonly listHint?: string;
  /** What to do when a record could not be written. */
  readonly writeHint?: string;
  readonly indent?: number;
  /**
   * disk (the default): a change takes effect once it is on disk; if it cannot be written, it has no effect. memory: it
   * takes effect at once; a failed write is repeated with the next change and at `close`.
   */
  readonly commit?: 'disk' | 'memory';
  /** With `commit: 'memory'`: a change that need not be written before the next other one. */
  readonly isMinor?: (before: R, after: R) => boolean;
};

/** A record that cannot be used. Its file is never deleted, and is tried again at every start. */
export type UnreadableRecord = {
  readonly id: string;
  /** Where its file is now: moved aside, or still in its place if a newer version wrote it or it could not be read. */
  readonly path: string;
  readonly why: string;
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
  const { folder, fileName, noun, commit = 'disk', indent = 0 } = options;
  const records = new Map<string, R>();
  const unreadable: UnreadableRecord[] = [];
  const changes = new Emitter<RecordChange<R>>();
  const queue = createKeyedQueue();
  /** With `commit: 'memory'`: records whose last change is not on the disk. */
  const unsaved = new Set<string>();
  let isClosed = false;

  const folderOf = (id: string): string => join(folder, id);
  const pathOf = (id: string): string =>
    fileName === null ? join(folder, `${id}${ENDING}`) : join(folderOf(id), fileName);

  const moveAside = async (id: string, why: string): Promise<void> => {
    const path = `${pathOf(id)}${UNREAD}`;
    await rename(pathOf(id), path);
    unreadable.push({ id, path, why });
  };
  const readFile = async (path: string) => {
    let version = options.version;
    const file = await readJson(path, options.schema, (value) => {
      version = versionOf(value) ?? version;
      if (version > options.version) throw new Error('a newer version of the workbench wrote it');
      return version < options.version && options.migrate !== undefined
        ? options.migrate(value, version)
        : value;
    });
    return { file, isNewer: version > options.version };
  };
  /** An older version may have moved it aside: this one may know its values, or somebody has repaired it. */
  const readAgain = async (id: string): Promise<void> => {
    const unreadPath = `${pathOf(id)}${UNREAD}`;
    const { file } = await readFile(unreadPath);
    if (file.kind !== 'read' || file.value.id !== id) return;
    await rename(unreadPath, pathOf(id));
    records.set(id, file.value);
  };
  const readOne = async (id: string): Promise<void> => {
    const { file, isNewer } = await readFile(pathOf(id));
    if (file.kind === 'missing') return readAgain(id);
    if (file.kind === 'read' && file.value.id === id) {
      records.set(id, file.value);
      return;
    }
    const why = file.kind === 'read' ? `it is the record of "${file.value.id}"` : file.why;
    if (file.kind === 'unreadable' || isNewer) {
      unreadable.push({ id, path: pathOf(id), why });
    } else await moveAside(id, why);
  };

  const missing = (id: string): Refusal => ({
    code: 'not-found',
    message: `There is no ${noun} "${id}".`,
    ...(options.listHint === undefined ? {} : { hint: options.listHint }),
  });
  const write = async (record: R): Promise<Result<null, Refusal>> => {
    try {
      await writeJson(pathOf(record.id), record, indent);
      return ok(null);
    } catch (error) {
      const name = options.nameOf?.(record) ?? record.id;
      const message = `The ${noun} "${name}" cannot be saved in ${pathOf(record.id)}: ${reasonOf(error)}.`;
      const hint = options.writeHint;
      return failed({ code: 'unavailable', message, ...(hint === undefined ? {} : { hint }) });
    }
  };
  const commitToDisk = async (record: R): Promise<Result<null, Refusal>> => {
    const { id } = record;
    if (isClosed) return failed(closed());
    const written = await write(record);
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
      const written = await write(record);
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

  const stays = (id: string, error: unknown): Refusal => ({
    code: 'unavailable',
    message: `Not everything of the ${noun} "${id}" can be removed from ${fileName === null ? folder : folderOf(id)}: ${reasonOf(error)}.`,
  });
  const closed = (): Refusal => ({
    code: 'unavailable',
    message: `The workbench is closing, so the ${noun} is not saved.`,
  });

  await makeFolder(folder);
  const ids = (await readdir(folder)).flatMap((name) => {
    if (name.startsWith('.')) return [];
    if (fileName !== null) return [name];
    const file = name.endsWith(UNREAD) ? name.slice(0, -UNREAD.length) : name;
    return file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : [];
  });
  for (const id of new Set(ids)) await readOne(id);

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
          // The record goes first, so that a half-removed one does not come back.
          await rm(pathOf(id), { force: true });
          forget();
          if (fileName === null) await syncFolder(folder);
          else await removeFolder(folderOf(id), keep);
          return ok(null);
        } catch (error) {
          return failed(stays(id, error));
        } finally {
          if (before !== null && !records.has(id)) changes.emit({ id, before, after: null });
        }
      });
    },
    setAside: (id, why) =>
      queue.run(id, async () => {
        records.delete(id);
        unsaved.delete(id);
        await moveAside(id, why);
      }),
    folderOf,
    unreadable: () => unreadable,
    onChange: (listener) => changes.on(listener),
    close: async () => {
      isClosed = true;
      await queue.idle();
      for (const id of [...unsaved]) await save(id);
    },
  };
}

async function removeFolder(folder: string, keep: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0) await syncFolder(folder);
  for (const name of names) {
    if (!keep.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
  if (!names.some((name) => keep.includes(name))) await rm(folder, { recursive: true, force: true });
}

function versionOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('version' in value)) return null;
  return typeof value.version === 'number' ? value.version : null;
}

/** By code units: the order is the same on every machine. */
function byAge(a: StoredRecord, b: StoredRecord): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}
