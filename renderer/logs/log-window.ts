import type { LogPiece } from '../../preload/contract/server';
import { type LogItem, lineSoFar, type OpenLine, openLineAt, splitLines } from './log-lines';
import type { LogView } from './log-view';

/** Maximum lines in memory; others are read again when needed. */
export const MAX_ITEMS = 50_000;
/** The same while following the end, where each update costs by the lines in memory. */
export const MAX_FOLLOWED = 8_000;
/** Bytes of the file, likewise. */
const MAX_BYTES = 6 * 1024 * 1024;

/** The lines in memory, with the bytes of the file that they cover: `from` inclusive, `to` exclusive. */
export type LoadedLines = Pick<LogView, 'items' | 'from' | 'to'> & {
  /** The unfinished line at `to`. */
  readonly open: OpenLine;
  /** Whether the last of the items is the open line so far. */
  readonly showsOpen: boolean;
};

export type OlderText = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isLineStart: boolean;
};

/**
 * Adds a piece of the file that begins at `start`, at or after `to`; bytes between the two become a skipped item.
 * `isLineStart`: the piece begins with a whole line although it does not follow what is held.
 * `arrivedAt`: the time of lines written while the file was open, in ms since the epoch; null: older ones.
 */
export function withNewer(
  lines: LoadedLines,
  start: number,
  piece: LogPiece,
  follows: boolean,
  arrivedAt: number | null,
  isLineStart = false,
): LoadedLines {
  const items = lines.showsOpen ? lines.items.slice(0, -1) : [...lines.items];
  const skipped = start - lines.to;
  let { open, from } = lines;
  let { text } = piece;
  let bytes = piece.nextOffset - start;
  if (skipped > 0) {
    const last = lineSoFar(open, arrivedAt);
    if (last !== null) items.push(last);
  }
  if (skipped > 0 || (items.length === 0 && open.continued && open.bytes === 0)) {
    const cut = isLineStart ? { text, offset: 0, isMiddle: false } : withoutPartLine(text, bytes);
    if (skipped > 0) {
      items.push({ kind: 'skipped', offset: lines.to, bytes: cut.offset + start - lines.to });
    } else from = start + cut.offset;
    text = cut.text;
    open = openLineAt(start + cut.offset, cut.isMiddle);
    bytes -= cut.offset;
  }
  const split = splitLines(open, text, bytes, arrivedAt);
  for (const line of split.lines) items.push(line);
  const last = lineSoFar(split.open, arrivedAt);
  if (last !== null) items.push(last);
  const to = piece.nextOffset;
  const trimmed = trimmedAbove(items, to, follows ? MAX_FOLLOWED : MAX_ITEMS);
  return {
    items: trimmed,
    from: trimmed === items ? from : (trimmed[0]?.offset ?? to),
    to,
    open: split.open,
    showsOpen: last !== null,
  };
}

/**
 * Adds the text of the file from `start` to `end`; bytes from there to `from` become a skipped item. While following,
 * nothing below is dropped for it. `isLineStart`: the text begins with a whole line.
 */
export function withOlder(
  lines: LoadedLines,
  { start, end, text, isLineStart }: OlderText,
  follows: boolean,
): LoadedLines {
  const bytes = end - start;
  const cut = isLineStart ? { text, offset: 0, isMiddle: false } : withoutPartLine(text, bytes);
  const split = splitLines(openLineAt(start + cut.offset, cut.isMiddle), cut.text, bytes - cut.offset, null);
  const rest = lineSoFar(split.open, null);
  const gap: readonly LogItem[] =
    end < lines.from ? [{ kind: 'skipped', offset: end, bytes: lines.from - end }] : [];
  const items = [...split.lines, ...(rest === null ? [] : [rest]), ...gap, ...lines.items];
  const trimmed = follows ? items : trimmedBelow(items, start);
  const from = start + cut.offset;
  if (trimmed.length === items.length) return { ...lines, items, from };
  const next = items[trimmed.length];
  const open = openLineAt(next?.offset ?? lines.from, next?.kind === 'line' && next.continued);
  return { items: trimmed, from, to: open.offset, open, showsOpen: false };
}

/** Text from the middle of a file starts within a line, which is dropped if another line follows. */
function withoutPartLine(
  text: string,
  bytes: number,
): { readonly text: string; readonly offset: number; readonly isMiddle: boolean } {
  const end = text.indexOf('\n');
  if (end !== -1) {
    const rest = text.slice(end + 1);
    // Measured from the end: the partial character at the start may be any number of bytes.
    const size = new TextEncoder().encode(rest).length;
    const offset = rest.includes('\uFFFD')
      ? new TextEncoder().encode(text.slice(0, end + 1)).length
      : bytes - size;
    return { text: rest, offset: Math.min(bytes, Math.max(0, offset)), isMiddle: false };
  }
  const front = /^\uFFFD{1,3}/.exec(text)?.[0].length ?? 0;
  return { text: text.slice(front), offset: front, isMiddle: true };
}

/** Drops the first of too many lines; skipped parts do not count. */
function trimmedAbove(items: readonly LogItem[], to: number, most: number): readonly LogItem[] {
  let heldBytes = to - (items[0]?.offset ?? to);
  for (const item of items) if (item.kind === 'skipped') heldBytes -= item.bytes;
  if (items.length <= most && heldBytes <= MAX_BYTES) return items;
  let drop = 0;
  // A quarter at once, so that it happens rarely.
  while (drop < items.length - 1 && (items.length - drop > most * 0.75 || heldBytes > MAX_BYTES * 0.75)) {
    const item = items[drop];
    const next = items[drop + 1];
    if (item?.kind === 'line') heldBytes -= (next?.offset ?? to) - item.offset;
    drop += 1;
  }
  return items.slice(drop);
}

/** Drops the last of too many lines. */
function trimmedBelow(items: readonly LogItem[], from: number): readonly LogItem[] {
  let keep = Math.min(items.length, MAX_ITEMS);
  while (keep > 1 && (items[keep - 1]?.offset ?? 0) - from > MAX_BYTES) keep -= 1;
  return items.slice(0, keep);
}

/** What the log still has in front of the first line, at most `maxBytes` of it. */
export function olderRange(
  { from, leftOut }: Pick<LogView, 'from' | 'leftOut'>,
  maxBytes: number,
): { readonly start: number; readonly end: number } {
  if (leftOut === null) return { start: Math.max(0, from - maxBytes), end: from };
  const end = from > leftOut.from && from <= leftOut.to ? leftOut.from : from;
  const start = Math.max(0, end - maxBytes);
  return { start: start < leftOut.to && leftOut.to < end ? leftOut.to : start, end };
}
