import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder, readJson, replaceFile } from '../storage';

/** Of each log the newest part is copied, at most so many bytes ... */
export const MAX_COPY_BYTES = 2_000_000;
/** ... cut to so many, so that not every new line rewrites the file ... */
const TRIMMED_BYTES = 1_500_000;
/** ... and of all logs together at most so many: the oldest copies of ended jobs go first. */
const MAX_BYTES = 500_000_000;
/** Copies that are read when the folder is opened. */
const MAX_COPIES = 20_000;
const META = '.json';

const metaSchema = z.object({
  version: z.literal(1),
  /** Offset in the log of the copy's first byte. */
  from: z.number().int().nonnegative(),
  /** More in the file is of a write that a kill interrupted. */
  bytes: z.number().int().min(0).max(MAX_COPY_BYTES),
  /** ISO date. */
  at: z.iso.datetime(),
  /** It reaches the end of the log of a job that had ended. */
  hasEnd: z.boolean(),
});
type Meta = z.infer<typeof metaSchema>;

/** The newest part of a log, as it was copied to this computer. */
export type LogCopy = Pick<Meta, 'from' | 'at' | 'hasEnd'> & { readonly bytes: Uint8Array };

/** The files of copies by key (job and log), in one folder: the bytes, and what they are. */
export class CopyFiles {
  readonly #folder: string;
  readonly #isoNow: () => string;
  #loading: Promise<Map<string, Meta>> | null = null;

  constructor(folder: string, isoNow: () => string) {
    this.#folder = folder;
    this.#isoNow = isoNow;
  }

  all(): Promise<Map<string, Meta>> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** null: there is none. */
  async read(key: string): Promise<LogCopy | null> {
    const meta = (await this.all()).get(key);
    if (meta === undefined) return null;
    const bytes = await readFile(this.#fileOf(key)).catch(() => null);
    // A file that lost its end is no copy of what its record says.
    if (bytes === null || bytes.length < meta.bytes) return null;
    const { from, at, hasEnd } = meta;
    return { from, at, hasEnd, bytes: bytes.subarray(0, meta.bytes) };
  }

  /** `part` begins where the copy ends, or is a copy of its own. */
  async write(key: string, part: Uint8Array, start: number, hasEnd: boolean): Promise<void> {
    const metas = await this.all();
    const before = metas.get(key);
    const continues = before !== undefined && before.from + before.bytes === start;
    await makeFolder(this.#folder);
    let meta: Meta = { version: 1, from: start, bytes: part.length, at: this.#isoNow(), hasEnd };
    if (continues && before.bytes + part.length <= MAX_COPY_BYTES) {
      const file = await open(this.#fileOf(key), 'r+');
      try {
        await file.write(part, 0, part.length, before.bytes);
      } finally {
        await file.close();
      }
      meta = { ...meta, from: before.from, bytes: before.bytes + part.length };
    } else {
      const existing = continues
        ? (await readFile(this.#fileOf(key))).subarray(0, before.bytes)
        : new Uint8Array();
      const newest = Buffer.concat([existing, part]).subarray(continues ? -TRIMMED_BYTES : -MAX_COPY_BYTES);
      meta = { ...meta, from: start + part.length - newest.length, bytes: newest.length };
      await replaceFile(this.#fileOf(key), newest);
    }
    await replaceFile(this.#metaOf(key), JSON.stringify(meta));
    metas.set(key, meta);
  }

  /** Drops the oldest copies where there are too many bytes; `isRunning`: they go last. */
  async makeRoom(isRunning: (key: string) => boolean): Promise<void> {
    const metas = await this.all();
    let total = [...metas.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= MAX_BYTES) return;
    const rank = (key: string): number => (isRunning(key) ? 1 : 0);
    const oldest = [...metas].sort(
      ([a, first], [b, second]) => rank(a) - rank(b) || (first.at < second.at ? -1 : 1),
    );
    for (const [key, { bytes }] of oldest) {
      if (total <= MAX_BYTES) return;
      await this.drop(key);
      total -= bytes;
    }
  }

  async drop(key: string): Promise<void> {
    (await this.all()).delete(key);
    for (const path of [this.#fileOf(key), this.#metaOf(key)]) await rm(path, { force: true });
  }

  #fileOf(key: string): string {
    return join(this.#folder, `${key}.log`);
  }

  #metaOf(key: string): string {
    return join(this.#folder, `${key}${META}`);
  }

  async #load(): Promise<Map<string, Meta>> {
    const metas = new Map<string, Meta>();
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(META));
    for (const name of names.slice(0, MAX_COPIES)) {
      const meta = await readJson(join(this.#folder, name), metaSchema);
      if (meta.kind === 'read') metas.set(name.slice(0, -META.length), meta.value);
    }
    return metas;
  }
}
