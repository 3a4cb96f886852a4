import type { LeftOutPart } from '../../preload/contract/job';
import { withoutControl, withoutStyles } from './control-sequences';

/** A line of a log as it is shown. */
export type LogLine = {
  readonly kind: 'line';
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Without escape sequences. */
  readonly text: string;
  /** With the escape sequences of colours. */
  readonly styled: string;
  /** Number of earlier states overwritten by a carriage return (progress bars). */
  readonly folds: number;
  /** True: continues the previous line, which was too long. */
  readonly continued: boolean;
  /** When it was read, if that was about when it was written; milliseconds since the epoch. */
  readonly arrivedAt: number | null;
};

/** A part of the file that was skipped because it grew too fast, or that was left out of it. */
export type SkippedPart = { readonly kind: 'skipped'; readonly offset: number; readonly bytes: number };
export type LogItem = LogLine | SkippedPart;

/** Whether a part that is not shown was left out of the log, at least partly. */
export function isLeftOut(part: SkippedPart, leftOut: LeftOutPart | null): leftOut is LeftOutPart {
  return leftOut !== null && part.offset < leftOut.to && leftOut.from < part.offset + part.bytes;
}

/** The last line, not ended yet. */
export type OpenLine = {
  readonly offset: number;
  /** Its last state, and a trailing carriage return that may be half of a line end. */
  readonly raw: string;
  /** Bytes of it in the file, which may be more than those of `raw`. */
  readonly bytes: number;
  readonly folds: number;
  readonly continued: boolean;
};

/** Maximum characters per row; longer lines continue in the next row. */
export const LONGEST_ROW = 4_000;

const encoder = new TextEncoder();
const REPLACEMENT = '\uFFFD';

/**
 * Measures parts of a text in bytes of the file. The decoder puts U+FFFD for invalid UTF-8; the bytes of those are
 * what the rest leaves over.
 */
function byteMeasure(text: string, bytes: number): (part: string) => number {
  if (text.length === bytes) return (part) => part.length; // one byte a character: ASCII
  const replaced = text.split(REPLACEMENT).length - 1;
  if (replaced === 0) return (part) => encoder.encode(part).length;
  const each = (bytes - (encoder.encode(text).length - 3 * replaced)) / replaced;
  return (part) => {
    const own = part.split(REPLACEMENT).length - 1;
    return Math.round(encoder.encode(part).length - 3 * own + each * own);
  };
}

export function openLineAt(offset: number, continued = false): OpenLine {
  return { offset, raw: '', bytes: 0, folds: 0, continued };
}

/**
 * The lines that end in `text`, which continues `open`, and the line that stays open. `bytes`: of the text in the
 * file. Line ends are "\n" and "\r\n"; a lone "\r" restarts the line.
 */
export function splitLines(
  open: OpenLine,
  text: string,
  bytes: number,
  arrivedAt: number | null,
): { readonly lines: readonly LogLine[]; readonly open: OpenLine } {
  const measure = byteMeasure(text, bytes);
  const lines: LogLine[] = [];
  let at = open;
  let from = 0;
  for (;;) {
    const end = text.indexOf('\n', from);
    if (end === -1) break;
    const part = text.slice(from, end);
    at = extended(at, part, measure(part), lines, arrivedAt);
    const line = at.raw.endsWith('\r') ? at.raw.slice(0, -1) : at.raw;
    lines.push(lineOf(at, line, arrivedAt));
    at = openLineAt(at.offset + at.bytes + 1);
    from = end + 1;
  }
  const part = text.slice(from);
  return { lines, open: extended(at, part, measure(part), lines, arrivedAt) };
}

/** The open line as shown now; null if empty. */
export function lineSoFar(open: OpenLine, arrivedAt: number | null): LogLine | null {
  const raw = open.raw.endsWith('\r') ? open.raw.slice(0, -1) : open.raw;
  return raw === '' && open.bytes === 0 ? null : lineOf(open, raw, arrivedAt);
}

/** Appends text to an open line, counts overwritten states, and cuts rows that are too long. */
function extended(
  open: OpenLine,
  part: string,
  bytes: number,
  lines: LogLine[],
  arrivedAt: number | null,
): OpenLine {
  let { offset, continued, folds } = open;
  let raw = open.raw + part;
  let lineBytes = open.bytes + bytes;
  const last = raw.lastIndexOf('\r', raw.length - 2);
  if (last !== -1) {
    const states = raw.slice(0, last).split('\r');
    folds += states.filter((state) => withoutStyles(withoutControl(state)).trim() !== '').length;
    raw = raw.slice(last + 1);
  }
  while (raw.length > LONGEST_ROW) {
    // Do not split a surrogate pair (an emoji).
    const code = raw.charCodeAt(LONGEST_ROW - 1);
    const cut = code >= 0xd800 && code < 0xdc00 ? LONGEST_ROW - 1 : LONGEST_ROW;
    const row = raw.slice(0, cut);
    const size = Math.min(lineBytes, encoder.encode(row).length);
    lines.push(lineOf({ offset, raw: row, bytes: size, folds, continued }, row, arrivedAt));
    offset += size;
    lineBytes -= size;
    raw = raw.slice(cut);
    continued = true;
    folds = 0;
  }
  return { offset, raw, bytes: lineBytes, folds, continued };
}

function lineOf(open: OpenLine, raw: string, arrivedAt: number | null): LogLine {
  const styled = withoutControl(raw);
  const { offset, folds, continued } = open;
  return { kind: 'line', offset, text: withoutStyles(styled), styled, folds, continued, arrivedAt };
}

/** Index of the item that contains this byte, or of the next one; -1 if there are none. */
export function itemAt(items: readonly LogItem[], offset: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((items[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return items.length === 0 ? -1 : low;
}
