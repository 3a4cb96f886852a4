import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { onUnhandledErrors } from '../base';
import type { TableLimits } from './logic/table-error';
import { OUT_OF_MEMORY, tableLine } from './logic/table-lines';
import { tableErrorOf, tableParts } from './parquet-rows';

/**
 * An own process: reads the Parquet table FILE and writes its rows to stdout, as lines (logic/table-lines.ts). A few
 * changed bytes make the decoder ask for any memory or loop for ever, which nothing in the same process survives.
 * Arguments: the file, its limits (`TableProgramLimits`) as JSON.
 */

export type TableProgramLimits = TableLimits & {
  /** Of the whole process. */
  readonly memoryBytes: number;
};

const STDERR = 2;
const WATCH_EVERY_MS = 50;
/** Many rows are one write. */
const BATCH_CHARACTERS = 64 * 1024;

/**
 * A thread that ends this process when its starter has ended (then stdin closes), or when it has grown too large: the
 * thread that reads the table may be in a loop and see neither.
 */
function watch(memoryBytes: number): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  new Socket({ fd: 0, readable: true, writable: false }).on('error', end).on('close', end).resume();
  setInterval(() => {
    if (process.memoryUsage.rss() <= memoryBytes) return;
    // Not by `process.stderr`, which in a thread waits for the main thread.
    writeSync(STDERR, `${OUT_OF_MEMORY}\n`);
    end();
  }, WATCH_EVERY_MS);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

async function read(path: string, limits: TableLimits): Promise<void> {
  let place = 'its beginning';
  const refuse = (error: unknown): void => {
    const { message, hint } = tableErrorOf(error, place);
    process.stdout.write(tableLine({ kind: 'refusal', message, hint }), () => process.exit(0));
  };
  // The decoder leaves promises that nobody waits for; of a damaged table they are rejected.
  onUnhandledErrors(process, (_, error) => refuse(error));
  try {
    let batch = '';
    for await (const part of tableParts(path, limits)) {
      if (part.kind === 'row') batch += `${part.json}\n`;
      else batch += tableLine(part);
      if (part.kind === 'place') place = part.place;
      if (part.kind === 'row' && batch.length < BATCH_CHARACTERS) continue;
      await write(batch);
      batch = '';
    }
    process.stdout.write('', () => process.exit(0));
  } catch (error) {
    refuse(error);
  }
}

if (isMainThread) {
  const [path = '', limitsJson = ''] = process.argv.slice(2);
  const limits: TableProgramLimits = JSON.parse(limitsJson);
  new Worker(fileURLToPath(import.meta.url), { workerData: limits.memoryBytes });
  await read(path, limits);
} else watch(workerData);
