import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomStream } from '../../main/base';
import type { BenchmarkLibrary } from '../../main/benchmarks';
import { ZipReader } from '../../main/reports/zip-reader';
import { ZipWriter } from '../../main/reports/zip-writer';
import { ConsoleReader } from '../../main/trainings/logic/watch/console-reader';
import { readEvent } from '../../main/trainings/logic/watch/event-message';
import { RecordReader } from '../../main/trainings/logic/watch/record-reader';
import { pythonEvents } from './python-events';
import { SHARED_DATA } from './shared-samples';
import { temporaryFolder } from './temporary-folder';

/** What reads files that others wrote; the answer is '' for one that is read, else the sentence that says why not. */
export type ForeignFileReader = {
  readonly name: string;
  /** A real file, whose damaged copies are read; null: it is not on this computer. */
  readonly sample: () => Promise<Buffer | null>;
  readonly read: (path: string, library: BenchmarkLibrary) => Promise<string>;
};

const shared = (path: string) => async () =>
  existsSync(join(SHARED_DATA, path)) ? readFile(join(SHARED_DATA, path)) : null;
const table = (name: string) => () =>
  readFile(join(import.meta.dirname, '../main/benchmarks/parquet', `${name}.parquet`));

async function archive(): Promise<Buffer> {
  const path = join(await temporaryFolder(), 'made.zip');
  const zip = await ZipWriter.create(path);
  for (const n of [1, 2, 3]) await zip.addBytes(`part ${n}.txt`, Buffer.from(`${n} and more\n`.repeat(200)));
  await zip.finish();
  await zip.close();
  return readFile(path);
}

const events = async (): Promise<Buffer> =>
  pythonEvents(
    Array.from({ length: 60 }, (_, step) => ({ wall: step, step, values: [{ tag: 'a', value: step / 64 }] })),
  );

const asBenchmark: ForeignFileReader['read'] = async (path, library) => {
  const imported = await library.importBenchmark({ path });
  return imported.ok ? '' : imported.error.message;
};

/** For problems of HumanEval, which the library has as "humaneval". */
const asRecording: ForeignFileReader['read'] = async (path, library) => {
  const imported = await library.importRecording({ path, benchmarkId: 'humaneval' });
  return imported.ok ? '' : imported.error.message;
};

const asLog =
  (form: 'python-dict' | 'pairs'): ForeignFileReader['read'] =>
  async (path) => {
    const reader = new ConsoleReader({ form, stepKey: null, names: {}, agentAt: () => null });
    for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 16_384 })) {
      reader.push(piece, () => {});
    }
    return '';
  };

/** All entries, as an opened bundle is read. */
async function asZip(path: string): Promise<string> {
  try {
    const zip = await ZipReader.open(path, 100);
    try {
      for (const name of zip.names()) await zip.read(name, 2 ** 20);
    } finally {
      zip.close();
    }
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Damage is skipped and counted. */
async function asEvents(path: string): Promise<string> {
  const reader = new RecordReader();
  reader.push(await readFile(path), (data) => readEvent(data, (part) => Buffer.from(part).toString('utf8')));
  return '';
}

/** The table of all readers of files from elsewhere. */
export const FOREIGN_FILE_READERS: readonly ForeignFileReader[] = [
  { name: 'gzipped problems', sample: shared('humaneval/HumanEval.jsonl.gz'), read: asBenchmark },
  {
    name: 'problems with inputs',
    sample: shared('humaneval/HumanEvalPlus-Mini.jsonl.gz'),
    read: asBenchmark,
  },
  { name: 'a gzipped list', sample: shared('intercode-mbpp/ic_mbpp.json.gz'), read: asBenchmark },
  { name: 'a table of problems', sample: table('humaneval-zstd'), read: asBenchmark },
  { name: 'a table of samples', sample: table('samples'), read: asRecording },
  { name: 'gzipped samples', sample: shared('agentcoder-gpt35/samples.jsonl.gz'), read: asRecording },
  {
    name: 'one value over many lines',
    sample: shared('agentcoder-gpt35/gpt-3.5-turbo-1106.json.gz'),
    read: asRecording,
  },
  {
    name: 'a log of dictionaries',
    sample: shared('rl-log-trl-grpo/20251022_120531_run_terminal.md'),
    read: asLog('python-dict'),
  },
  { name: 'a table of readings', sample: shared('nvidia-smi/gpu_log.csv'), read: asLog('pairs') },
  { name: 'an archive', sample: archive, read: asZip },
  { name: 'events', sample: events, read: asEvents },
];

/** Copies of a file with damage of a fixed seed: a third are cut at some byte, the others have one to eight changed. */
export function damagedCopies(name: string, whole: Buffer, count: number): readonly Buffer[] {
  const random = randomStream('damaged files', name);
  return Array.from({ length: count }, (_, round) => {
    if (round % 3 === 0) return whole.subarray(0, random.integer(whole.length));
    const copy = Buffer.from(whole);
    // Half of those at its ends, where formats say what they hold.
    for (let change = 0; change <= random.integer(8); change++) {
      const edge = Math.min(copy.length, 256);
      const at =
        round % 3 === 1
          ? random.integer(copy.length)
          : random.integer(2) * (copy.length - edge) + random.integer(edge);
      copy.writeUInt8(random.integer(256), at);
    }
    return copy;
  });
}
