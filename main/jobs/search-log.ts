import type { LogMatch, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Asked, Machine } from '../machines';
import type { LogProgress } from './job-api';
import {
  countLinesScript,
  matchInLineScript,
  parseFound,
  searchScript,
  shownMatch,
} from './logic/search-script';

/** Bytes searched in one call: a second or so from a disk, so that progress shows and a cut loses little. */
const STRETCH_BYTES = 268_435_456;
/** Bytes of a line that are looked through for its end, or for the place of a match. */
const LONG_LINE_BYTES = 16_777_216;
const TIMEOUT_MS = 120_000;

/**
 * Lines of a file on a machine that hold the text; those that begin at byte `offset` or behind it, up to what the file
 * holds now. The file is read there, by grep: only what is found travels.
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
    const next = from + STRETCH_BYTES;
    const end = next >= size ? ok(size) : await lineStart(machine, path, next);
    if (!end.ok) return end;
    const most = query.limit + 1 - matches.length;
    const told = await run(searchScript({ path, text: query.text, from, bytes: end.value - from, most }));
    if (!told.ok) return told;
    const found = parseFound(told.value);
    if (found === null) {
      const message = `"${machine.spec.name}" can not search: its grep tells no byte offsets.`;
      return failed({ code: 'unavailable', message, hint: 'Install GNU grep there, or save the log here.' });
    }
    if (found.length > 0) {
      const counted = await run(countLinesScript(path, countedBytes, from - countedBytes));
      if (!counted.ok) return counted;
      countedLines += Number(counted.value.trim());
      countedBytes = from;
    }
    for (const one of found) {
      if (matches.length === query.limit) return ok({ matches, isComplete: false });
      const place = { offset: from + one.offset, line: countedLines + one.line };
      const text = one.isCut ? await aroundMatch(place.offset, one.text) : ok(one.text);
      if (!text.ok) return text;
      matches.push(shownMatch(place, text.value, query.text));
    }
    from = end.value;
    report(from, size);
  }
  return ok({ matches, isComplete: true });

  async function run(script: string): Asked<string> {
    const told = await machine.run(script, { signal, timeoutMs: TIMEOUT_MS });
    return told.ok ? ok(told.value.stdout) : told;
  }

  /** The part of a long line that holds the text. */
  async function aroundMatch(offset: number, beginning: string): Asked<string> {
    if (beginning.toLowerCase().includes(query.text.toLowerCase())) return ok(beginning);
    const told = await run(
      matchInLineScript({ path, text: query.text, from: offset, bytes: LONG_LINE_BYTES }),
    );
    if (!told.ok) return told;
    const inLine = Number.parseInt(told.value, 10);
    if (Number.isNaN(inLine)) return ok(beginning);
    const slice = await machine.readSlice(path, offset + Math.max(0, inLine - 200), 800);
    if (!slice.ok) return slice;
    return ok(new TextDecoder().decode(slice.value?.bytes ?? new Uint8Array()).replace(/^\uFFFD+/, ''));
  }
}

/** The first byte at or behind `offset` that begins a line; in a line without an end in sight `offset` itself. */
async function lineStart(machine: Machine, path: string, offset: number): Asked<number> {
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
