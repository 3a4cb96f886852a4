import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { replaceFile } from './durable-file';
import { moveAside } from './move-aside';
import { emptyRegistry, REGISTRY_VERSION, type RegistryData } from './registry-data';
import { readRegistryValue } from './registry-reading';
import { type UnreadValue, withUnread } from './registry-sections';
import { reasonOf, systemErrorCode } from './system-error';

export type DamagedFile = { readonly movedTo: string; readonly why: string };

/** The small data that no journal holds: settings, the window's place, studies, speeds. */
export type Registry = {
  /**
   * Where a damaged file was moved when the registry was opened, and what was wrong with it; null: it was not damaged.
   */
  readonly damaged: DamagedFile | null;
  /** Values that this version cannot read; the file keeps them. */
  readonly unread: readonly UnreadValue[];
  readonly read: () => RegistryData;
  /**
   * Applies `next` to the current data and resolves once the result is on disk. Updates run one after the other, so
   * none is lost. If the file cannot be written, it refuses, and the data stays unchanged in memory and on disk. An
   * error that `next` throws rejects that update alone.
   */
  readonly update: (next: (data: RegistryData) => RegistryData) => Promise<Result<RegistryData, Refusal>>;
};

/** lowdb's file adapter with a sync before and after the rename; see `replaceFile`. */
class DurableJsonFile implements Adapter<unknown> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<unknown> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return null;
      throw error;
    }
    const value: unknown = JSON.parse(text);
    // lowdb takes `null` for a missing file, but a file that contains `null` is damaged.
    if (value === null) throw new SyntaxError('null is no registry');
    return value;
  }

  write(data: unknown): Promise<void> {
    return replaceFile(this.#path, `${JSON.stringify(data, null, 2)}\n`);
  }
}

type Update = {
  readonly next: (data: RegistryData) => RegistryData;
  readonly resolve: (result: Result<RegistryData, Refusal>) => void;
  readonly reject: (error: unknown) => void;
};

function createRegistry(
  low: Low<unknown>,
  path: string,
  opened: RegistryData,
  unread: readonly UnreadValue[] = [],
  damaged: DamagedFile | null = null,
): Registry {
  let data = opened;
  let waiting: Update[] = [];
  let busy = false;

  /** One write for all updates that wait: each was applied to the result of the one before. */
  const writeAll = async (updates: readonly Update[]): Promise<void> => {
    let next = data;
    const applied: Array<{ readonly update: Update; readonly data: RegistryData }> = [];
    for (const update of updates) {
      try {
        next = update.next(next);
        applied.push({ update, data: next });
      } catch (error) {
        update.reject(error);
      }
    }
    try {
      low.data = withUnread(next, unread);
      if (applied.length > 0) await low.write();
    } catch (error) {
      const refusal: Refusal = {
        code: 'unavailable',
        message: `The change was not saved: ${path} cannot be written, ${reasonOf(error)}. Fix that and try again.`,
      };
      for (const { update } of applied) update.resolve(failed(refusal));
      return;
    }
    data = next;
    for (const item of applied) item.update.resolve(ok(item.data));
  };

  const work = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) {
      const updates = waiting;
      waiting = [];
      await writeAll(updates);
    }
    busy = false;
  };

  return {
    damaged,
    unread,
    read: () => data,
    update: (next) =>
      new Promise((resolve, reject) => {
        waiting.push({ next, resolve, reject });
        void work();
      }),
  };
}

/**
 * Opens the registry; a missing file is an empty registry. A value that this version does not know costs no other one
 * (`unread`). Moves a damaged file aside, never overwrites it, names it in `damaged` and continues with what can be
 * read of it. Refuses a file of a newer version or one that cannot be read, and leaves it unchanged. The caller must
 * hold the data folder's lock.
 */
export async function openRegistry(path: string): Promise<Result<Registry, Refusal>> {
  const low = new Low<unknown>(new DurableJsonFile(path), null);
  let reading: ReturnType<typeof readRegistryValue>;
  try {
    await mkdir(dirname(path), { recursive: true });
    await low.read();
    if (low.data === null) return ok(createRegistry(low, path, emptyRegistry));
    reading = readRegistryValue(low.data);
    if (reading.kind === 'read') return ok(createRegistry(low, path, reading.data, reading.unread));
    if (reading.kind === 'newer') return failed(newer(path, reading.version));
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      return failed({ code: 'unavailable', message: `${path} cannot be read: ${reasonOf(error)}.` });
    }
    reading = { kind: 'damaged', why: 'it is not JSON', data: emptyRegistry, unread: [] };
  }
  const { why, data, unread } = reading;
  try {
    return ok(createRegistry(low, path, data, unread, { movedTo: await moveAside(path), why }));
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `${path} is damaged (${why}) and cannot be moved aside: ${reasonOf(error)}. Move it by hand.`,
    });
  }
}

function newer(path: string, version: number): Refusal {
  return {
    code: 'bad-input',
    message: `${path} was written by a newer version of the workbench (registry version ${version}; this one reads up to ${REGISTRY_VERSION}). Start that version, or choose another folder with --data.`,
  };
}
