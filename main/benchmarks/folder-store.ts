import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { processStart, reasonOf, replaceFile, syncFolder, systemErrorCode } from '../storage';
import { LineFile } from './line-file';

// No id of the library begins with a dot, so an unfinished folder is never taken for a finished one.
const PREFIX = '.importing-';

async function ownerOf(pid: number): Promise<string | null> {
  const start = await processStart(pid);
  return start === null ? null : `${pid}-${createHash('sha256').update(start).digest('hex').slice(0, 12)}`;
}

/** A new folder beside the finished ones, with this process in its name, to recognise abandoned ones. */
export async function makeStagingFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const owner = (await ownerOf(process.pid)) ?? `${process.pid}-unknown`;
  const path = join(root, `${PREFIX}${owner}-${randomBytes(6).toString('hex')}`);
  await mkdir(path);
  return path;
}

/** Removes folders of imports that were killed. */
export async function sweepStagingFolders(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const match = /^\.importing-((\d+)-[^-]+)-/.exec(name);
    if (match === null || (await ownerOf(Number(match[2]))) === match[1]) continue;
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined); // harmless litter
  }
}

/** Common to benchmarks and recordings: the name of the folder, the name shown, and the digest of the content. */
type Item = { readonly id: string; readonly name: string; readonly digest: string };

/** The imported item, and whether the same one was already present: then nothing was changed, and `asRead` is what was read now. */
export type Imported<T> =
  | { readonly value: T; readonly alreadyPresent: false }
  | { readonly value: T; readonly alreadyPresent: true; readonly asRead: T };

export type NewItem<T> = {
  /** The id that the user requested; null: `defaultId`, with a number if that is taken. */
  readonly id: string | null;
  readonly defaultId: string;
  /** Writes the lines and any other files of the folder; a refusal ends the import. */
  readonly write: (
    lines: LineFile,
    folder: string,
  ) => Promise<Result<(id: string, digest: string) => T, Refusal>>;
};

/**
 * A store of items, each in a folder with a small record and a large file of lines. A folder appears completely, by one
 * rename, or not at all.
 */
export class FolderStore<T extends Item> {
  readonly #root: string;
  readonly #recordName: string;
  readonly #linesName: string;
  readonly #noun: string;
  readonly #items = new Map<string, T>();
  readonly #swept: Promise<void>;
  /** Imports run one at a time: two with the same id would race for it. */
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(options: {
    root: string;
    recordName: string;
    linesName: string;
    noun: string;
    schema: z.ZodType<T>;
  }) {
    this.#root = options.root;
    this.#recordName = options.recordName;
    this.#linesName = options.linesName;
    this.#noun = options.noun;
    for (const id of namesIn(options.root)) {
      const item = readRecord(join(options.root, id, options.recordName), options.schema);
      if (item?.id === id) this.#items.set(id, item);
    }
    this.#swept = sweepStagingFolders(options.root);
  }

  /** Sorted by id. */
  list(): readonly T[] {
    return [...this.#items.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): Result<T, Refusal> {
    const item = this.#items.get(id);
    if (item !== undefined) return ok(item);
    return failed({
      code: 'not-found',
      message: `There is no ${this.#noun} "${id}" in the library. Import it, or choose another one.`,
      cause: 'file',
    });
  }

  folder(id: string): string {
    return join(this.#root, id);
  }

  linesPath(id: string): string {
    return join(this.#root, id, this.#linesName);
  }

  /** Replaces the record atomically. Id and digest stay as they are. `check`: why it is refused, or null. */
  update(
    id: string,
    change: (item: T) => T,
    check: () => Refusal | null = () => null,
  ): Promise<Result<T, Refusal>> {
    return this.#exclusively(async () => {
      const present = this.get(id);
      if (!present.ok) return present;
      const refusal = check();
      if (refusal !== null) return failed(refusal);
      const value = change(present.value);
      try {
        await replaceFile(
          join(dirname(this.linesPath(id)), this.#recordName),
          `${JSON.stringify(value, null, 2)}\n`,
        );
      } catch (error) {
        const message = `The ${this.#noun} "${id}" was not changed: its record cannot be written, ${reasonOf(error)}.`;
        return failed({ code: 'unavailable', message });
      }
      this.#items.set(id, value);
      return ok(value);
    });
  }

  /** Lists show names alone, so no two items may have one. */
  rename(id: string, name: string): Promise<Result<T, Refusal>> {
    const nameConflict = (): Refusal | null => {
      const other = this.list().find((item) => item.id !== id && item.name === name);
      if (other === undefined) return null;
      return {
        code: 'conflict',
        message: `The ${this.#noun} "${id}" was not renamed: "${other.id}" is already called "${name}". Choose another name.`,
      };
    };
    return this.update(id, (item) => ({ ...item, name }), nameConflict);
  }

  /** Deletes the item with its folder, which disappears at once: what a kill leaves is swept at the next start. */
  remove(id: string): Promise<Result<null, Refusal>> {
    return this.#exclusively(async () => {
      const present = this.get(id);
      if (!present.ok) return present;
      try {
        const staging = await makeStagingFolder(this.#root);
        await rename(this.folder(id), join(staging, id));
        this.#items.delete(id);
        await rm(staging, { recursive: true, force: true });
      } catch (error) {
        const message = `The ${this.#noun} "${id}" was not removed completely: ${this.#root} cannot be changed, ${reasonOf(error)}.`;
        return failed({ code: 'unavailable', message });
      }
      return ok(null);
    });
  }

  /** Adds a new item. The same content under the same id changes nothing. */
  add(item: NewItem<T>): Promise<Result<Imported<T>, Refusal>> {
    return this.#exclusively(() => this.#put(item));
  }

  #exclusively<R>(work: () => Promise<R>): Promise<R> {
    const result = this.#lastWork.then(async () => {
      await this.#swept;
      return work();
    });
    this.#lastWork = result.catch(() => undefined); // the caller gets the error; the next one only waits
    return result;
  }

  async #put(item: NewItem<T>): Promise<Result<Imported<T>, Refusal>> {
    let staging: string | null = null;
    try {
      staging = await makeStagingFolder(this.#root);
      const made = await this.#writeLines(staging, item);
      if (!made.ok) return made;
      return await this.#install(staging, item, made.value.digest, made.value.record);
    } catch (error) {
      return failed({
        code: 'unavailable',
        message: `The ${this.#noun} was not imported: ${this.#root} cannot be written, ${reasonOf(error)}.`,
      });
    } finally {
      // Leftovers are removed at the next start; the first cause is the one to report.
      if (staging !== null) await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #writeLines(staging: string, item: NewItem<T>) {
    const lines = await LineFile.create(join(staging, this.#linesName));
    try {
      const record = await item.write(lines, staging);
      return record.ok ? ok({ record: record.value, digest: await lines.finish() }) : record;
    } finally {
      await lines.close();
    }
  }

  async #install(
    staging: string,
    item: NewItem<T>,
    digest: string,
    record: (id: string, digest: string) => T,
  ): Promise<Result<Imported<T>, Refusal>> {
    for (let n = 1; ; n++) {
      const id = item.id ?? (n === 1 ? item.defaultId : `${item.defaultId}-${n}`);
      const present = this.#items.get(id);
      if (present?.digest === digest) {
        return ok({ value: present, alreadyPresent: true, asRead: record(id, digest) });
      }
      if (present === undefined) {
        const value = record(id, digest);
        if (await this.#publish(staging, value)) return ok({ value, alreadyPresent: false });
      }
      if (item.id !== null) return failed(this.#idTaken(id));
    }
  }

  /** False when a folder of this name exists but is damaged, so that it is not among the items. */
  async #publish(staging: string, value: T): Promise<boolean> {
    await replaceFile(join(staging, this.#recordName), `${JSON.stringify(value, null, 2)}\n`);
    const target = dirname(this.linesPath(value.id));
    try {
      await rename(staging, target);
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return false;
      throw error;
    }
    await syncFolder(this.#root);
    this.#items.set(value.id, value);
    return true;
  }

  #idTaken(id: string): Refusal {
    return {
      code: 'conflict',
      message: `The ${this.#noun} was not imported: the library has another one with the id "${id}". Choose another id.`,
    };
  }
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root).filter((name) => !name.startsWith('.'));
  } catch {
    return []; // created by the first import
  }
}

/** null for a folder without a valid record: it is left alone, and its name stays taken. */
function readRecord<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
