import type { LeftOutPart, LogMatch, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import type { LogProgress } from './job-api';
import { lineOffsetScript } from './logic/log-scripts';
import {
  countLinesScript,
  matchInLineScript,
  parseFound,
  searchScript,
  shownMatch,
} from './logic/search-script';
import { readLeftOut } from './stored-log';

/** Bytes searched per call: about a second from disk, so that progress is visible and an interruption loses little. */
const CHUNK_BYTES = 268_435_456;
/** Bytes of a long line that are searched for its end, or for a match. */
const LONG_LINE_BYTES = 16_777_216;
const TIMEOUT_MS = 120_000;

/**
 * Finds lines that contain the text and begin at or after byte `offset`, up to the file's current end. grep reads the
 * file on the machine, so only matches are transferred.
 */
export async function searchLogFile(
  machine: Machine,
  path: string,
  query: { readonly text: string; readonly offset: number; readonly limit: number },
  report: LogProgress,
  signal: AbortSignal,
): Promise<Result<{ readonly matches: readonly LogMatch[]; readonly isComplete: boolean }, Refusal>> {
  const file = await machine.readSlice(path, 0, 0);
  if (!file.ok) return file;
  const size = file.value?.size ?? 0;
  const noted = await readLeftOut(machine, path);
  if (!noted.ok) return noted;
  let leftOut: LeftOutPart | null = noted.value;
  const start = await lineStart(machine, path, nextStoredOffset(leftOut, query.offset));
  if (!start.ok) return start;
  const matches: LogMatch[] = [];
  let counted = { bytes: 0, lines: 0 };

  for (let from = start.value; from < size; ) {
    from = nextStoredOffset(leftOut, from);
    if (from >= size) break;
    const border = leftOut !== null && from < leftOut.from ? leftOut.from : size;
    const next = from + CHUNK_BYTES;
    const end = next >= border ? ok(border) : await lineStart(machine, path, next);
    if (!end.ok) return end;
    const to = Math.min(end.value, border);
    const most = query.limit + 1 - matches.length;
    const result = await run(searchScript({ path, text: query.text, from, bytes: to - from, most }));
    if (!result.ok) return result;
    const parsed = parseFound(result.value);
    if (parsed === null) {
      const message = `Cannot search on "${machine.spec.name}": its grep does not report byte offsets.`;
      return failed({
        code: 'unavailable',
        message,
        hint: 'Install GNU grep there, or save the log to this computer.',
      });
    }
    const before = parsed.length > 0 ? await linesBefore(from) : ok(counted.lines);
    if (!before.ok) return before;
    // What was searched or counted may have been left out meanwhile: then it is done again from where the log continues.
    const now = await readLeftOut(machine, path);
    if (!now.ok) return now;
    if (now.value?.to !== leftOut?.to) {
      leftOut = now.value;
      counted = { bytes: 0, lines: 0 };
      continue;
    }
    if (parsed.length > 0) counted = { bytes: from, lines: before.value };
    for (const match of parsed) {
      if (matches.length === query.limit) return ok({ matches, isComplete: false });
      const position = { offset: from + match.offset, line: before.value + match.line };
      const text = match.isCut ? await excerptAt(position.offset, match.text) : ok(match.text);
      if (!text.ok) return text;
      matches.push(shownMatch(position, text.value, query.text));
    }
    from = to;
    report(from, size);
  }
  return ok({ matches, isComplete: true });

  /** Line ends before a byte that the log still has, also those left out. */
  async function linesBefore(offset: number): AsyncResult<number> {
    const crosses = leftOut !== null && counted.bytes <= leftOut.from && leftOut.to <= offset;
    if (!crosses || leftOut === null) {
      const lines = await linesIn(counted.bytes, offset);
      return lines.ok ? ok(counted.lines + lines.value) : lines;
    }
    const { from, to, lines } = leftOut;
    const above = await linesIn(counted.bytes, from);
    const below = above.ok ? await linesIn(to, offset) : above;
    return above.ok && below.ok ? ok(counted.lines + above.value + lines + below.value) : below;
  }

  async function linesIn(from: number, to: number): AsyncResult<number> {
    if (to <= from) return ok(0);
    const lines = await run(countLinesScript(path, from, to - from));
    return lines.ok ? ok(Number(lines.value.trim())) : lines;
  }

  async function run(script: string): AsyncResult<string> {
    const result = await machine.run(script, { signal, timeoutMs: TIMEOUT_MS });
    return result.ok ? ok(result.value.stdout) : result;
  }

  /** The part of a long line that contains the text. */
  async function excerptAt(offset: number, beginning: string): AsyncResult<string> {
    if (beginning.toLowerCase().includes(query.text.toLowerCase())) return ok(beginning);
    const result = await run(
      matchInLineScript({ path, text: query.text, from: offset, bytes: LONG_LINE_BYTES }),
    );
    if (!result.ok) return result;
    const inLine = Number.parseInt(result.value, 10);
    if (Number.isNaN(inLine)) return ok(beginning);
    const slice = await machine.readSlice(path, offset + Math.max(0, inLine - 200), 800);
    if (!slice.ok) return slice;
    return ok(new TextDecoder().decode(slice.value?.bytes ?? new Uint8Array()).replace(/^\uFFFD+/, ''));
  }
}

/** Where the log continues: `offset`, or behind the part that was left out. */
function nextStoredOffset(leftOut: LeftOutPart | null, offset: number): number {
  return leftOut !== null && offset >= leftOut.from && offset < leftOut.to ? leftOut.to : offset;
}

/** Offset of the first line that begins at or after `offset`; in an extremely long line `offset` itself. */
async function lineStart(machine: Machine, path: string, offset: number): AsyncResult<number> {
  for (let from = offset; from > 0 && from < offset + LONG_LINE_BYTES; ) {
    const slice = await machine.readSlice(path, from - 1, 65_536);
    if (!slice.ok) return slice;
    const { bytes, size } = slice.value ?? { bytes: new Uint8Array(), size: 0 };
    const at = bytes.indexOf(10);
    if (at !== -1) return ok(from + at);
    if (bytes.length === 0 || from - 1 + bytes.length >= size) return ok(size);
    from += bytes.length;
  }
  return ok(offset);
}

/** Reading ten gigabytes takes a few seconds from memory, about a minute from a slow disk. */
const COUNT_TIMEOUT_MS = 300_000;

/** Counting again because the log was shortened meanwhile. */
const MAX_COUNTS = 5;

/**
 * Byte offset of a line (from 1) of a log on a machine, counted there; of a line that was left out, where that part begins.
 * `isThere` false: the log has fewer lines, and `offset` is its end.
 */
export async function findLineOfFile(
  machine: Machine,
  path: string,
  line: number,
  signal: AbortSignal,
): Promise<Result<{ readonly offset: number; readonly isThere: boolean }, Refusal>> {
  for (let counts = 1; ; counts++) {
    const leftOut = await readLeftOut(machine, path);
    if (!leftOut.ok) return leftOut;
    const script = lineOffsetScript(path, line, leftOut.value);
    const result = await machine.run(script, { signal, timeoutMs: COUNT_TIMEOUT_MS });
    if (!result.ok) return result;
    const now = leftOut.value === null ? leftOut : await readLeftOut(machine, path);
    if (!now.ok) return now;
    if (now.value?.to !== leftOut.value?.to && counts < MAX_COUNTS) continue;
    const counted = /^(\d+) +(\d+)\s*$/.exec(result.value.stdout);
    if (counted === null) {
      const message = `Cannot count the lines of ${path}: the machine answered “${result.value.stdout.slice(0, 200)}”.`;
      return failed({ code: 'unavailable', message });
    }
    const [offset, size] = [Number(counted[1]), Number(counted[2])];
    return ok({ offset, isThere: offset < size });
  }
}
