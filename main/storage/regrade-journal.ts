import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Grade,
  type ProgramGraded,
  type ProgramKey,
  programGradedSchema,
  type Refusal,
  type RegradeStarted,
  regradeStartedSchema,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { makeFolder, syncFolder } from './durable-file';
import { checksummedLine, checksummedObject } from './journal-line';
import { JournalWriter } from './journal-writer';
import { LineSplitter, LineTooLongError } from './line-splitter';
import { reasonOf, systemErrorCode } from './system-error';

/** Far above the results of all tests of one program, whose texts are cut to a few kB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 512 * 1024;

/** A verdict without the results of its tests, and where these lie in the file. */
type IndexedVerdict = { readonly event: ProgramGraded; readonly offset: number; readonly length: number };

/** The journal of a re-grade, as it was when it was opened. */
export type RegradeReading = {
  readonly started: RegradeStarted;
  /** Different programs that it has a verdict of. */
  readonly programs: () => number;
  /** Without detail; undefined: it has no verdict of this program. */
  readonly gradeOf: (key: ProgramKey) => ProgramGraded | undefined;
  readonly grades: () => IterableIterator<ProgramGraded>;
  /** With the results of the tests. */
  readonly readDetail: (key: ProgramKey) => Promise<Grade | null>;
};

export type RegradeJournal = RegradeReading & {
  /** Resolves after the operating system has the bytes; see `JournalWriter`. */
  readonly append: (event: ProgramGraded) => Promise<void>;
  /** Writes and syncs what is pending. */
  readonly close: () => Promise<void>;
};

function textOf({ benchmarkId, grading, programDigest, problemId }: ProgramKey): string {
  return `${benchmarkId}\n${grading}\n${programDigest}\n${problemId}`;
}

class Index {
  started: RegradeStarted | null = null;
  readonly held = new Map<string, IndexedVerdict>();
  lines = 0;

  /** false: the line is damaged. */
  take(bytes: Buffer, offset: number): boolean {
    this.lines += 1;
    const value = checksummedObject(bytes, { slim: true });
    if (this.started === null) {
      const first = regradeStartedSchema.safeParse(value);
      this.started = first.data ?? null;
      return first.success;
    }
    const graded = programGradedSchema.omit({ detail: true }).safeParse(value);
    if (graded.success) this.put(graded.data, offset, bytes.length);
    return graded.success;
  }

  put(event: ProgramGraded, offset: number, length: number): void {
    this.held.set(textOf(event), { event, offset, length });
  }
}

function damaged(path: string, line: number): Refusal {
  return {
    code: 'bad-input',
    message: `The journal of a re-grade, ${path}, is damaged at line ${line}. Nothing was changed.`,
    hint: 'Restore the file from a backup, or let the first grading count (Re-grade… in the menu of the study; mars2 studies set STUDY --grading first) and grade again.',
  };
}

/** Reads all whole lines; a last line without a newline is what a kill has torn. */
async function scan(
  handle: FileHandle,
  path: string,
): Promise<Result<{ index: Index; good: number }, Refusal>> {
  const index = new Index();
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  let [at, good] = [0, 0];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return ok({ index, good });
      at += bytesRead;
      for (const { bytes, offset } of splitter.push(chunk.subarray(0, bytesRead))) {
        if (!index.take(bytes, offset)) return failed(damaged(path, index.lines));
        good = offset + bytes.length + 1;
      }
    }
  } catch (error) {
    if (error instanceof LineTooLongError) return failed(damaged(path, index.lines + 1));
    throw error;
  }
}

function reading(path: string, index: Index, started: RegradeStarted): RegradeReading {
  return {
    started,
    programs: () => index.held.size,
    gradeOf: (key) => index.held.get(textOf(key))?.event,
    grades: function* () {
      for (const { event } of index.held.values()) yield event;
    },
    readDetail: async (key) => {
      const known = index.held.get(textOf(key));
      if (known === undefined) return null;
      const handle = await open(path, 'r');
      try {
        const bytes = Buffer.alloc(known.length);
        await handle.read(bytes, 0, known.length, known.offset);
        const event = programGradedSchema.safeParse(checksummedObject(bytes, { slim: false }));
        return event.data?.detail?.privateGrade ?? null;
      } finally {
        await handle.close();
      }
    },
  };
}

function notOpened(path: string, error: unknown): Refusal {
  return {
    code: systemErrorCode(error) === 'ENOENT' ? 'not-found' : 'unavailable',
    message: `The journal of a re-grade, ${path}, cannot be opened: ${reasonOf(error)}.`,
    hint: 'Restore the file from a backup, or let the first grading count (Re-grade… in the menu of the study; mars2 studies set STUDY --grading first).',
  };
}

/** Reads the journal of a re-grade. Refused where it is missing or damaged, also where nothing is in it. Changes nothing. */
export async function readRegradeJournal(path: string): Promise<Result<RegradeReading, Refusal>> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, 'r');
    const scanned = await scan(handle, path);
    if (!scanned.ok) return scanned;
    const { index } = scanned.value;
    return index.started === null ? failed(damaged(path, 1)) : ok(reading(path, index, index.started));
  } catch (error) {
    return failed(notOpened(path, error));
  } finally {
    await handle?.close();
  }
}

/**
 * Opens the journal of a re-grade for appending; creates it with `started` as its first line. Cuts off a torn last line.
 * Refuses other damage, and as a conflict one that began with other inputs, which `continues` refuses; the file is then unchanged.
 */
export async function openRegradeJournal(
  path: string,
  started: RegradeStarted,
  continues: (from: RegradeStarted) => boolean = () => true,
): Promise<Result<RegradeJournal, Refusal>> {
  let handle: FileHandle | null = null;
  try {
    await makeFolder(dirname(path));
    handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const scanned = await scan(handle, path);
    if (!scanned.ok) {
      await handle.close();
      return scanned;
    }
    const { index, good } = scanned.value;
    if (index.started !== null && !continues(index.started)) {
      await handle.close();
      return failed({ code: 'conflict', message: `The re-grade ${path} has other inputs.` });
    }
    await handle.truncate(good);
    if (good === 0) await syncFolder(dirname(path));
    const writer = new JournalWriter(handle, path, good);
    if (index.started === null) {
      index.started = started;
      await writer.append(checksummedLine(started), () => undefined);
    }
    return ok({
      ...reading(path, index, index.started),
      append: ({ detail, ...slim }) => {
        const line = checksummedLine({ ...slim, ...(detail === undefined ? {} : { detail }) });
        return writer.append(line, (offset) => index.put(slim, offset, line.length - 1));
      },
      close: () => writer.close(),
    });
  } catch (error) {
    await handle?.close().catch(() => undefined);
    return failed(notOpened(path, error));
  }
}
