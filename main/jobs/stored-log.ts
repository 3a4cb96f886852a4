import type { LeftOutPart } from '../../preload/contract';
import { ok } from '../base';
import type { AsyncResult, FileSlice, Machine } from '../machines';
import { cutEndFile, leftOutFile, parseLeftOut } from './logic/log-limit';

/** Tries to read past a part that grows meanwhile; it grows by megabytes, so two are rarely needed. */
const MAX_TRIES = 5;

type StoredSlice = FileSlice & {
  /** Offset of the first byte. */
  readonly start: number;
  /** What was left out of the log, if it was asked for. */
  readonly leftOut: LeftOutPart | null;
};

/** What the limit left out of a log so far; null: nothing. */
export async function readLeftOut(machine: Machine, path: string): AsyncResult<LeftOutPart | null> {
  const note = await machine.readText(leftOutFile(path));
  return note.ok ? ok(parseLeftOut(note.value)) : note;
}

/**
 * Up to `maxBytes` that a log still has, from `offset` on (negative: from the end). In a part that was left out, it begins
 * behind it; before one, it ends there. null: there is no log.
 */
export async function readStored(
  machine: Machine,
  path: string,
  offset: number,
  maxBytes: number,
): AsyncResult<StoredSlice | null> {
  let from = offset;
  let passed: LeftOutPart | null = null;
  for (let tries = 1; ; tries++) {
    const slice = await machine.readSlice(path, from, maxBytes);
    if (!slice.ok || slice.value === null) return slice.ok ? ok(null) : slice;
    const { bytes, size } = slice.value;
    const start = from < 0 ? Math.max(0, size + from) : Math.min(from, size);
    // A part that was left out reads as zeros, and is noted before. Logs hardly ever have zeros, so the note is rarely
    // read.
    if (!bytes.includes(0) && from <= size) return ok({ bytes, size, start, leftOut: passed });
    const noted = await readLeftOut(machine, path);
    if (!noted.ok) return noted;
    const leftOut = noted.value;
    // A file that is being cut is shorter for a moment.
    if (from > size && leftOut?.isCut === true) return ok(emptySlice(from, leftOut));
    if (leftOut === null || start + bytes.length <= leftOut.from) return ok({ bytes, size, start, leftOut });
    if (start < leftOut.from) {
      return ok({ bytes: bytes.subarray(0, leftOut.from - start), size, start, leftOut });
    }
    if (start < leftOut.to) {
      if (tries === MAX_TRIES) return ok({ ...emptySlice(leftOut.to, leftOut), size });
      from = leftOut.to;
      passed = leftOut;
      continue;
    }
    if (!leftOut.isCut || tries > 1) return ok({ bytes, size, start, leftOut });
    // The end of a file that was cut is zeros until it is put back.
    const pending = await machine.readText(cutEndFile(path));
    if (!pending.ok) return pending;
    if (pending.value !== null) return ok({ ...emptySlice(start, leftOut), size });
  }
}

function emptySlice(offset: number, leftOut: LeftOutPart): StoredSlice {
  return { bytes: new Uint8Array(), size: offset, start: offset, leftOut };
}
