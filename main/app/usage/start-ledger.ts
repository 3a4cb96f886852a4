import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { usageProjectSchema } from '../../../preload/contract/index';
import { parsedJson } from '../../base/index';
import { makeFolder, sealed, systemErrorCode, unsealed } from '../../storage/index';

/** How much of an older ledger's end is read: more than two hundred thousand starts. */
const MAX_BYTES = 67_108_864;
/** Far above any line of ours. */
const LONGEST_LINE = 8_192;
const MAX_GPUS = 4_096;

const word = (most: number) => z.string().max(most);

/** One start of a job that has ended: a line of the ledger. Times are ISO dates. */
const startRecordSchema = z.object({
  version: z.literal(1),
  jobId: word(200).min(1),
  attempt: z.number().int().positive(),
  name: word(200),
  machineId: word(200),
  /** e.g. "command", "model-server", "training" */
  purpose: word(60),
  /** As it was called when the job ended (a table has its present name); null: a person started the job. */
  project: usageProjectSchema.nullable(),
  gpus: z.number().int().min(0).max(MAX_GPUS),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** noticed: its end was not recorded, so it counts until the end was noticed. */
  end: z.enum(['known', 'noticed']),
});
export type StartRecord = z.infer<typeof startRecordSchema>;

/** Starts of jobs that have ended, also of jobs that were removed since: JSON lines that are only appended to. */
export type StartLedger = {
  readonly records: () => readonly StartRecord[];
  readonly has: (jobId: string, attempt: number) => boolean;
  /** It counts at once. Rejects where it cannot be written; it is written with the next one then. */
  readonly add: (record: StartRecord) => Promise<void>;
  /** Lines that cannot be read; they stay in the file. */
  readonly unread: number;
};

const keyOf = (jobId: string, attempt: number): string => `${attempt} ${jobId}`;

/** Reads the ledger; one that is not there yet is empty. Rejects with the system's error. */
export async function openStartLedger(path: string): Promise<StartLedger> {
  const { lines, isTorn } = await readLines(path);
  const records = new Map<string, StartRecord>();
  let unread = 0;
  for (const line of lines) {
    const record = recordOf(line);
    if (record === null) unread += 1;
    else records.set(keyOf(record.jobId, record.attempt), record);
  }
  // A line that a kill tore must not swallow the next one.
  let unwritten = isTorn ? '\n' : '';
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    if (unwritten.trim() === '') return;
    const text = unwritten;
    await makeFolder(dirname(path));
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    unwritten = unwritten.slice(text.length);
  };
  return {
    records: () => [...records.values()],
    has: (jobId, attempt) => records.has(keyOf(jobId, attempt)),
    add: (record) => {
      records.set(keyOf(record.jobId, record.attempt), record);
      unwritten += `${JSON.stringify(sealed(record))}\n`;
      writing = writing.catch(() => undefined).then(flush);
      return writing;
    },
    unread,
  };
}

/** null: it was changed since, or is not ours. Lines of earlier versions have no checksum. */
function recordOf(line: string): StartRecord | null {
  try {
    const value = unsealed(line.length > LONGEST_LINE ? null : parsedJson(line));
    return startRecordSchema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

async function readLines(
  path: string,
): Promise<{ readonly lines: readonly string[]; readonly isTorn: boolean }> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { lines: [], isTorn: false };
    throw error;
  }
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.subarray(0, bytesRead).toString('utf8').split('\n');
    const isTorn = lines.at(-1) !== '';
    // The first line of a part is cut.
    return { lines: lines.slice(size > MAX_BYTES ? 1 : 0).filter((line) => line !== ''), isTorn };
  } finally {
    await file.close();
  }
}
