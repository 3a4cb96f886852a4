import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, ok, type Result } from '../base';
import { reasonOf } from './system-error';

/** Attempts in a row without any data; each received byte resets the count. */
const MAX_TRIES_WITHOUT_DATA = 5;
/** Before the second attempt; doubled before each further one. */
const FIRST_PAUSE_MS = 250;
/** Until a server answers, redirects included. */
const ANSWER_MS = 15_000;
/** A transfer that stands still for so long is cut, and continued with the next attempt. */
const STALL_MS = 30_000;

export type Download = {
  readonly url: string;
  readonly path: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Other limits than the usual ones. */
  readonly limits?:
    | Partial<{ readonly tries: number; readonly answerMs: number; readonly stallMs: number }>
    | undefined;
  /** `total` is null if the server does not send it. */
  readonly onProgress?: ((done: number, total: number | null) => void) | undefined;
};

/** Why a download failed. `message` is the end of a sentence. */
export type DownloadFailure =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'missing' | 'forbidden' | 'too-large' | 'network'; readonly message: string };

/** Null when complete; otherwise a permanent failure, or a reason to try again. */
type AttemptEnd = DownloadFailure | { readonly kind: 'again'; readonly message: string } | null;

function causeOf(error: unknown): string {
  // The error of fetch says only "fetch failed"; its cause has the reason.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return reasonOf(cause);
}

/** Size of the whole file according to a response. */
function totalOf(response: Response, isPart: boolean): number | null {
  const text = isPart
    ? (response.headers.get('content-range')?.split('/')[1] ?? '')
    : (response.headers.get('content-length') ?? '');
  return /^\d+$/.test(text) ? Number(text) : null;
}

function startOf(response: Response): number | null {
  const match = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
  return match?.[1] === undefined ? null : Number(match[1]);
}

function statusFailure({ status }: Response): DownloadFailure | null {
  if (status === 404 || status === 410) return { kind: 'missing', message: 'the server has no such file' };
  if (status === 401 || status === 403) {
    return { kind: 'forbidden', message: 'the server requires an account, and the workbench has none' };
  }
  return null;
}

function tooLarge(maxBytes: number): DownloadFailure {
  return { kind: 'too-large', message: `it has more than ${Math.floor(maxBytes / 1024 ** 2)} MB` };
}

/** The transfer of one file, over as many connections as needed. */
class Transfer {
  readonly #download: Download;
  readonly #file: FileHandle;
  /** ETag of the version of the file that the first bytes came from. */
  #tag: string | null = null;
  #done = 0;
  #total: number | null = null;

  constructor(request: Download, file: FileHandle) {
    this.#download = request;
    this.#file = file;
  }

  get done(): number {
    return this.#done;
  }

  /** One connection; rejects where it fails, is cancelled, or is silent for too long. */
  async attempt(): Promise<AttemptEnd> {
    const { answerMs = ANSWER_MS, stallMs = STALL_MS } = this.#download.limits ?? {};
    const silence = new AbortController();
    const endAfter = (ms: number, why: string) => setTimeout(() => silence.abort(new Error(why)), ms);
    let timer = endAfter(answerMs, 'the server does not answer');
    const onBytes = (): void => {
      clearTimeout(timer);
      timer = endAfter(stallMs, 'the server stopped in the middle');
    };
    try {
      return await this.#attempt(silence.signal, onBytes);
    } finally {
      clearTimeout(timer);
    }
  }

  async #attempt(silence: AbortSignal, onBytes: () => void): Promise<AttemptEnd> {
    const { url, signal, maxBytes } = this.#download;
    const headers = {
      'accept-encoding': 'identity',
      ...(this.#done > 0 ? { range: `bytes=${this.#done}-` } : {}),
      ...(this.#done > 0 && this.#tag !== null ? { 'if-range': this.#tag } : {}),
    };
    const response = await fetch(url, {
      headers,
      signal: signal === undefined ? silence : AbortSignal.any([signal, silence]),
    });
    onBytes();
    const isPart = response.status === 206 && startOf(response) === this.#done;
    if (!isPart && response.status !== 200) {
      await response.body?.cancel();
      const failure = statusFailure(response);
      if (failure !== null) return failure;
      // 416: the file has changed. A wrong continuation starts again from the beginning.
      if (response.status === 416 || response.status === 206) await this.#restart();
      return { kind: 'again', message: `the server answered ${response.status}` };
    }
    if (!isPart) await this.#restart();
    this.#tag = response.headers.get('etag');
    this.#total = totalOf(response, isPart);
    if ((this.#total ?? 0) > maxBytes) {
      await response.body?.cancel();
      return tooLarge(maxBytes);
    }
    return this.#receive(response, onBytes);
  }

  async #receive(response: Response, onBytes: () => void): Promise<AttemptEnd> {
    const { maxBytes, onProgress } = this.#download;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      onBytes();
      if (this.#done + chunk.length > maxBytes) return tooLarge(maxBytes);
      await this.#file.write(chunk, 0, chunk.length, this.#done);
      this.#done += chunk.length;
      onProgress?.(this.#done, this.#total);
    }
    if (this.#total === null || this.#done === this.#total) return null;
    return { kind: 'again', message: 'the connection was cut' };
  }

  async #restart(): Promise<void> {
    this.#done = 0;
    this.#tag = null;
    await this.#file.truncate(0);
  }
}

/** Downloads one file; after a lost or silent connection it continues where it stopped. */
export async function download(
  request: Download,
): Promise<Result<{ readonly bytes: number }, DownloadFailure>> {
  const { path, signal } = request;
  const { tries: mostTries = MAX_TRIES_WITHOUT_DATA } = request.limits ?? {};
  const file = await open(path, 'w');
  try {
    const transfer = new Transfer(request, file);
    let last = '';
    for (let tries = 0; tries < mostTries; tries++) {
      if (tries > 0) await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, signal ? { signal } : {});
      const before = transfer.done;
      try {
        const end = await transfer.attempt();
        if (end === null) return ok({ bytes: transfer.done });
        if (end.kind !== 'again') return failed(end);
        last = end.message;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        last = causeOf(error);
      }
      if (transfer.done > before) tries = 0;
    }
    return failed({ kind: 'network', message: last });
  } catch (error) {
    if (signal?.aborted === true) return failed({ kind: 'cancelled' });
    return failed({ kind: 'network', message: reasonOf(error) });
  } finally {
    await file.close();
  }
}
