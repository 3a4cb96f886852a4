import type { FileHandle } from 'node:fs/promises';
import { reasonOf } from './system-error';

/** The longest time between a write and its sync; a power cut loses no more than this. */
const SYNC_MS = 1_000;

/** A write failed. Every later append is rejected with this first cause. */
export class JournalWriteError extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `The journal ${path} could not be written: ${reasonOf(cause)}. The run stops here and can be resumed once that is fixed.`,
      { cause },
    );
    this.name = 'JournalWriteError';
  }
}

type Waiting = {
  readonly bytes: Buffer;
  readonly written: (offset: number) => void;
  readonly rejected: (error: Error) => void;
};

/**
 * Appends complete lines to an open file, in order; all lines of one turn of the event loop go into one write. After a
 * failed write the file is cut back to its last complete batch, so that no half line remains.
 */
export class JournalWriter {
  readonly #handle: FileHandle;
  readonly #path: string;
  /** Bytes of whole lines in the file. */
  #end: number;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #failure: Error | null = null;
  #closed = false;
  #syncTimer: NodeJS.Timeout | null = null;
  #syncing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, path: string, end: number) {
    this.#handle = handle;
    this.#path = path;
    this.#end = end;
  }

  /** `written` is called, in the order of the appends, once the operating system has the bytes. */
  append(line: Buffer, written: (offset: number) => void): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new Error(`The journal ${this.#path} is closed.`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        bytes: line,
        written: (offset) => {
          written(offset);
          resolve();
        },
        rejected: reject,
      });
      this.#flushing ??= this.#flush();
    });
  }

  /** Writes what waits, syncs, closes the file. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#flushing;
    if (this.#syncTimer !== null) clearTimeout(this.#syncTimer);
    await this.#syncing;
    try {
      if (this.#failure === null) await this.#handle.datasync();
    } finally {
      await this.#handle.close();
    }
  }

  async #flush(): Promise<void> {
    // The end of this turn: all that is appended in it goes into one write.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeBatch(batch);
    }
    this.#flushing = null;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const start = this.#end;
    try {
      if (this.#failure !== null) throw this.#failure;
      await this.#writeAll(Buffer.concat(batch.map((item) => item.bytes)), start);
    } catch (error) {
      await this.#fail(error);
      for (const item of batch) item.rejected(this.#failure ?? new JournalWriteError(this.#path, error));
      return;
    }
    for (const item of batch) {
      const offset = this.#end;
      this.#end += item.bytes.length;
      item.written(offset);
    }
    this.#syncTimer ??= setTimeout(() => this.#sync(), SYNC_MS).unref();
  }

  async #writeAll(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }

  async #fail(cause: unknown): Promise<void> {
    if (this.#failure !== null) return;
    this.#failure = new JournalWriteError(this.#path, cause);
    // If this fails too, a half line remains at the end, and the next opening cuts it off as torn.
    await this.#handle.truncate(this.#end).catch(() => undefined);
  }

  #sync(): void {
    this.#syncTimer = null;
    this.#syncing = this.#handle.datasync().catch((error: unknown) => {
      // The kernel may have dropped the pages, so the bytes since the last sync may be lost.
      this.#failure ??= new JournalWriteError(this.#path, error);
    });
  }
}
