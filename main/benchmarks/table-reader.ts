import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { reasonOf } from '../storage';
import { damagedTable, demandingTable, TableError, type TableLimits } from './logic/table-error';
import { isRowLine, OUT_OF_MEMORY, parseTableLine } from './logic/table-lines';
import { bytesOf, type FileRow, RowSplitter } from './row-splitter';
import type { TableProgramLimits } from './table-program';

export type TableRow = FileRow & {
  /** From 0 to 1: how much of the table's rows has been read, this one included. */
  readonly share: number;
};

/**
 * The rows of a Parquet table in their order. Throws a TableError for whatever can be wrong with the file, and the
 * signal's reason.
 */
export type ReadTable = (path: string, limits: TableLimits, signal?: AbortSignal) => AsyncIterable<TableRow>;

/** Limits of the process that reads a table. */
export type TableProcessLimits = {
  /** Limit of V8's heap, where texts and numbers are. */
  readonly heapBytes: number;
  /** Limit of the whole process: a group of 256 MB packed and unpacked, on top of the heap. */
  readonly memoryBytes: number;
  /** Longest time without a row or another column, while it is waited for: unpacking 256 MB takes some seconds. */
  readonly silenceMs: number;
};
export const tableProcessLimits: TableProcessLimits = {
  heapBytes: 1024 ** 3,
  memoryBytes: 2 * 1024 ** 3,
  silenceMs: 60_000,
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Variables for the system's loader, and nothing else of this process' environment. */
const PASSED_ON = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR'];
const MAX_STDERR = 2_000;

/** Reads tables in a process of their own each, which ends with the table, with the reader, and with this process. */
export function createTableReader(options: {
  /** `node`, or Electron's binary with ELECTRON_RUN_AS_NODE=1. */
  readonly nodeRuntime: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** The built entry `table-program`. */
  readonly script: string;
  readonly limits?: TableProcessLimits;
}): ReadTable {
  const { nodeRuntime, script, limits = tableProcessLimits } = options;
  return (path, tableLimits, signal) => {
    const start = (): Child => {
      const programLimits: TableProgramLimits = { ...tableLimits, memoryBytes: limits.memoryBytes };
      const heap = `--max-old-space-size=${Math.ceil(limits.heapBytes / 1024 ** 2)}`;
      const passed = PASSED_ON.flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value] as const];
      });
      return spawn(nodeRuntime.command, [heap, script, path, JSON.stringify(programLimits)], {
        env: { ...Object.fromEntries(passed), ...nodeRuntime.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    };
    return readRows(start, tableLimits, limits, signal);
  };
}

async function* readRows(
  start: () => Child,
  { rowBytes }: TableLimits,
  limits: TableProcessLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableRow> {
  signal?.throwIfAborted();
  const child = start();
  const ended = endOf(child);
  const kill = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  let isSilent = false;
  const chunks = withTimeout(child.stdout, limits.silenceMs, () => {
    isSilent = true;
    kill();
  });
  const splitter = new RowSplitter(rowBytes + MAX_STDERR, false);
  let place: string | null = null;
  let total = 0;
  let number = 0;
  try {
    for await (const chunk of chunks) {
      for (const row of splitter.push(chunk)) {
        if (isRowLine(row.pieces[0]?.[0])) {
          number += 1;
          const share = Math.min(1, number / Math.max(1, total));
          yield { pieces: row.pieces, number, location: `row ${number}`, share };
          continue;
        }
        const line = parseTableLine(bytesOf(row).toString('utf8'));
        if (line?.kind === 'end') return;
        if (line?.kind === 'refusal') throw new TableError(line.message, line.hint);
        if (line?.kind === 'total') total = line.rows;
        if (line?.kind === 'place') place = line.place;
      }
    }
    signal?.throwIfAborted();
    throw errorOfEnd(await ended, isSilent, place, limits);
  } finally {
    signal?.removeEventListener('abort', kill);
    kill();
  }
}

/** The chunks of a stream; `onSilence` when none comes for so long while one is waited for. */
async function* withTimeout(
  stream: Readable,
  silenceMs: number,
  onSilence: () => void,
): AsyncGenerator<Buffer> {
  const iterator: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  for (;;) {
    // Where this process itself stood still, what has come meanwhile is read first.
    let isWaiting = true;
    const timer = setTimeout(() => setImmediate(() => isWaiting && onSilence()), silenceMs);
    const next = await iterator.next().finally(() => {
      isWaiting = false;
      clearTimeout(timer);
    });
    if (next.done === true) return;
    yield next.value;
  }
}

type End = {
  readonly failure: Error | null;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
};

function endOf(child: Child): Promise<End> {
  return new Promise((resolve) => {
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => {
      stderr = (stderr + piece.toString()).slice(-MAX_STDERR);
    });
    // A process that has ended no longer reads; its end says why.
    child.stdin.on('error', () => undefined);
    child.on('error', (failure) => resolve({ failure, code: null, signal: null, stderr }));
    child.on('close', (code, signal) => resolve({ failure: null, code, signal, stderr }));
  });
}

const NOT_STARTED =
  'Start the workbench again. If that does not help, install it again: run npm start in a fresh copy of it.';

function errorOfEnd(
  end: End,
  isSilent: boolean,
  place: string | null,
  limits: TableProcessLimits,
): TableError {
  const { failure, code, signal, stderr } = end;
  if (place === null) {
    const lastMessage = stderr.trim().split('\n').at(-1) || `it ended with ${signal ?? code}`;
    const why = isSilent ? 'it says nothing' : failure === null ? lastMessage : reasonOf(failure);
    return new TableError(`the program that reads tables did not start (${why}).`, NOT_STARTED);
  }
  const seconds = Math.round(limits.silenceMs / 1_000);
  if (isSilent) return demandingTable(place, `gave no row for ${seconds} s`);
  // V8's own words for a heap, or a list, that it cannot make.
  if (stderr.includes(OUT_OF_MEMORY) || /out of memory|invalid size|allocation failed/i.test(stderr))
    return demandingTable(place, 'needs more memory than a table may take');
  const why = signal === null ? `with code ${code}` : `by ${signal}, perhaps for lack of memory`;
  return damagedTable(place, `the program that reads tables was ended ${why}`);
}
