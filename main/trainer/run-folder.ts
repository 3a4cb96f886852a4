import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../base/index';
import { lockFolder, reasonOf, replaceFile, systemErrorCode } from '../storage/index';
import { TrainerError } from './trainer-error';

/** Append-only files; the saved state records their sizes. */
const GROWING_FILES = ['metrics', 'times', 'rollouts'] as const;
export type GrowingFile = (typeof GROWING_FILES)[number];
type FileSizes = Readonly<Record<GrowingFile, number>>;

/** The files of one training. File system errors end the trainer with a message. */
export class RunFolder {
  readonly path: string;
  readonly #handles: ReadonlyMap<GrowingFile, FileHandle>;
  readonly #sizes: Record<GrowingFile, number>;

  private constructor(path: string, handles: ReadonlyMap<GrowingFile, FileHandle>, sizes: FileSizes) {
    this.path = path;
    this.#handles = handles;
    this.#sizes = { ...sizes };
  }

  /** Truncates each file to its size in the state: later lines will be written again. */
  static async open(path: string, sizes: FileSizes): Promise<RunFolder> {
    const handles = new Map<GrowingFile, FileHandle>();
    const folder = new RunFolder(path, handles, sizes);
    try {
      for (const name of GROWING_FILES) {
        const file = fileOf(path, name);
        await withWriteErrors(file, async () => {
          const handle = await open(file, 'a+');
          handles.set(name, handle);
          await truncate(handle, sizes[name]);
        });
      }
    } catch (error) {
      await folder.close();
      throw error;
    }
    return folder;
  }

  get sizes(): FileSizes {
    return { ...this.#sizes };
  }

  async append(name: GrowingFile, records: readonly object[]): Promise<void> {
    if (records.length === 0) return;
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await withWriteErrors(fileOf(this.path, name), async () => {
      await this.#handle(name).appendFile(bytes);
      this.#sizes[name] += bytes.length;
    });
  }

  /** Flushes appended lines to disk: a state must not refer to lines that a power failure could remove. */
  async sync(): Promise<void> {
    for (const name of GROWING_FILES) {
      await withWriteErrors(fileOf(this.path, name), () => this.#handle(name).datasync());
    }
  }

  async replace(name: string, text: string): Promise<void> {
    const file = join(this.path, name);
    await withWriteErrors(file, () => replaceFile(file, text));
  }

  /** null: the file does not exist. */
  read(name: string): Promise<string | null> {
    return readOptional(join(this.path, name));
  }

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close();
  }

  #handle(name: GrowingFile): FileHandle {
    return this.#handles.get(name) as FileHandle;
  }
}

async function truncate(file: FileHandle, bytes: number): Promise<void> {
  const { size } = await file.stat();
  if (size < bytes)
    throw new Error(`it has ${size} bytes, but ${bytes} were written before the training stopped`);
  await file.truncate(bytes);
}

function fileOf(path: string, name: GrowingFile): string {
  return join(path, `${name}.jsonl`);
}

export async function makeRunFolder(path: string): Promise<void> {
  await withWriteErrors(path, () => mkdir(join(path, 'checkpoints'), { recursive: true }));
}

/** Locks the folder, since two trainers would mix their lines. The lock of a killed trainer is taken over. */
export async function lockRunFolder(path: string): Promise<Disposable> {
  const lock = await lockFolder(path);
  if (lock.ok) return lock.value;
  const { code, message } = lock.error;
  throw new TrainerError(
    code === 'conflict'
      ? {
          code,
          message: `Another process is training in ${path}, or one on another computer was.`,
          hint: `Stop it first. If none is running, delete ${join(path, 'workbench.lock')}.`,
        }
      : { code, message, hint: 'Choose another folder.' },
  );
}

/** null: the file does not exist. Throws TrainerError if it cannot be read. */
export async function readOptional(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw new TrainerError({
      code: 'unavailable',
      message: `Cannot read ${path}: ${reasonOf(error)}.`,
    });
  }
}

/** Throws TrainerError with the file's name. */
export async function withWriteErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TrainerError({
      code: 'unavailable',
      message: `Cannot write ${path}: ${reasonOf(error)}.`,
      hint: 'Free some space or choose another folder, then start the training again: it continues from its last saved state.',
    });
  }
}
