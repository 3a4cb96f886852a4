import type { LogMatch, Refusal } from '../../preload/contract';
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
  const start = await lineStart(machine, path, query.offset);
  if (!start.ok) return start;
  const matches: LogMatch[] = [];
  let [countedBytes, countedLines] = [0, 0];

  for (let from = start.value; from < size; ) {
    const next = from + CHUNK_BYTES;
    const end = next >= size ? ok(size) : await lineStart(machine, path, next);
    if (!end.ok) return end;
    const most = query.limit + 1 - matches.length;
    const result = await run(searchScript({ path, text: query.text, from, bytes: end.value - from, most }));
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
    if (parsed.length > 0) {
      const counted = await run(countLinesScript(path, countedBytes, from - countedBytes));
      if (!counted.ok) return counted;
      countedLines += Number(counted.value.trim());
      countedBytes = from;
    }
    for (const match of parsed) {
      if (matches.length === query.limit) return ok({ matches, isComplete: false });
      const position = { offset: from + match.offset, line: countedLines + match.line };
      const text = match.isCut ? await excerptAt(position.offset, match.text) : ok(match.text);
      if (!text.ok) return text;
      matches.push(shownMatch(position, text.value, query.text));
    }
    from = end.value;
    report(from, size);
  }
  return ok({ matches, isComplete: true });

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

/**
 * Byte offset of a line (from 1) of a file on a machine, counted there. `isThere` false: the file has fewer lines, and
 * `offset` is its end.
 */
export async function findLineOfFile(
  machine: Machine,
  path: string,
  line: number,
  signal: AbortSignal,
): Promise<Result<{ readonly offset: number; readonly isThere: boolean }, Refusal>> {
  const result = await machine.run(lineOffsetScript(path, line), { signal, timeoutMs: COUNT_TIMEOUT_MS });
  if (!result.ok) return result;
  const counted = /^(\d+) +(\d+)\s*$/.exec(result.value.stdout);
  if (counted === null) {
    const message = `Cannot count the lines of ${path}: the machine answered “${result.value.stdout.slice(0, 200)}”.`;
    return failed({ code: 'unavailable', message });
  }
  const [offset, size] = [Number(counted[1]), Number(counted[2])];
  return ok({ offset, isThere: offset < size });
}
