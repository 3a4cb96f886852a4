import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { makeFolder, syncFolder } from './durable-file';
import { readJson, writeJson } from './json-file';
import { reasonOf } from './system-error';

const EXTENSION = '.json';
/** Of the file of a record that was moved aside. */
const UNREAD = '.unread';

/** The fields of every record. `createdAt`: ISO date; `version`: of the record's form. */
export type StoredRecord = { readonly id: string; readonly createdAt: string; readonly version: number };

export type RecordFilesOptions<R extends StoredRecord> = {
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
  /** What to do when a record could not be written. */
  readonly writeHint?: string;
  readonly indent?: number;
};

/** A record that cannot be used. Its file is never deleted, and is tried again at every start. */
export type UnreadableRecord = {
  readonly id: string;
  /** Where its file is now: moved aside, or still in its place if a newer version wrote it or it could not be read. */
  readonly path: string;
  readonly why: string;
};

/** The files of records: one for each, alone or in a folder of its own, replaced atomically. */
export class RecordFiles<R extends StoredRecord> {
  readonly #options: RecordFilesOptions<R>;
  readonly #unreadable: UnreadableRecord[] = [];

  constructor(options: RecordFilesOptions<R>) {
    this.#options = options;
  }

  /** Records that were moved aside, or left alone, since this was made. */
  get unreadable(): readonly UnreadableRecord[] {
    return this.#unreadable;
  }

  folderOf(id: string): string {
    return join(this.#options.folder, id);
  }

  pathOf(id: string): string {
    const { folder, fileName } = this.#options;
    return fileName === null ? join(folder, `${id}${EXTENSION}`) : join(this.folderOf(id), fileName);
  }

  /** Of all records that have a file, read or moved aside. Creates the folder. */
  async ids(): Promise<ReadonlySet<string>> {
    const { folder, fileName } = this.#options;
    await makeFolder(folder);
    const ids = (await readdir(folder)).flatMap((name) => {
      if (name.startsWith('.')) return [];
      if (fileName !== null) return [name];
      const file = name.endsWith(UNREAD) ? name.slice(0, -UNREAD.length) : name;
      return file.endsWith(EXTENSION) ? [file.slice(0, -EXTENSION.length)] : [];
    });
    return new Set(ids);
  }

  /** null: there is none, or it cannot be used and is now one of `unreadable`. */
  async read(id: string): Promise<R | null> {
    const { file, isNewer } = await this.#readFile(this.pathOf(id));
    if (file.kind === 'missing') return this.#readAgain(id);
    if (file.kind === 'read' && file.value.id === id) return file.value;
    const why = file.kind === 'read' ? `it is the record of "${file.value.id}"` : file.why;
    if (file.kind === 'unreadable' || isNewer) this.#unreadable.push({ id, path: this.pathOf(id), why });
    else await this.moveAside(id, why);
    return null;
  }

  async moveAside(id: string, why: string): Promise<void> {
    const path = `${this.pathOf(id)}${UNREAD}`;
    await rename(this.pathOf(id), path);
    this.#unreadable.push({ id, path, why });
  }

  async write(record: R): Promise<Result<null, Refusal>> {
    const { noun, nameOf, writeHint: hint, indent = 0 } = this.#options;
    const path = this.pathOf(record.id);
    try {
      await writeJson(path, record, indent);
      return ok(null);
    } catch (error) {
      const name = nameOf?.(record) ?? record.id;
      const message = `The ${noun} "${name}" cannot be saved in ${path}: ${reasonOf(error)}.`;
      return failed({ code: 'unavailable', message, ...(hint === undefined ? {} : { hint }) });
    }
  }

  /** See `RecordStore.remove`; `onRemoved` is called once the record's own file is gone. */
  async remove(id: string, keep: readonly string[], onRemoved: () => void): Promise<Result<null, Refusal>> {
    const { folder, fileName, noun } = this.#options;
    try {
      // The record goes first, so that a half-removed one does not come back.
      await rm(this.pathOf(id), { force: true });
      onRemoved();
      if (fileName === null) await syncFolder(folder);
      else await removeFolder(this.folderOf(id), keep);
      return ok(null);
    } catch (error) {
      const place = fileName === null ? folder : this.folderOf(id);
      const message = `Not everything of the ${noun} "${id}" can be removed from ${place}: ${reasonOf(error)}.`;
      return failed({ code: 'unavailable', message });
    }
  }

  /** An older version may have moved it aside: this one may know its values, or somebody has repaired it. */
  async #readAgain(id: string): Promise<R | null> {
    const unreadPath = `${this.pathOf(id)}${UNREAD}`;
    const { file } = await this.#readFile(unreadPath);
    if (file.kind !== 'read' || file.value.id !== id) return null;
    await rename(unreadPath, this.pathOf(id));
    return file.value;
  }

  async #readFile(path: string) {
    const { schema, migrate, version: current } = this.#options;
    let version = current;
    const file = await readJson(path, schema, (value) => {
      version = versionOf(value) ?? version;
      if (version > current) throw new Error('a newer version of the workbench wrote it');
      return version < current && migrate !== undefined ? migrate(value, version) : value;
    });
    return { file, isNewer: version > current };
  }
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
