import type { LogItem } from './log-lines';

/** Maximum lines in memory; others are read again when needed. */
export const MOST_ITEMS = 50_000;
/** The same while following the end, where each update costs by the lines in memory. */
export const MOST_FOLLOWED = 8_000;
/** Bytes of the file, likewise. */
const MOST_BYTES = 6 * 1024 * 1024;

/** Text from the middle of a file starts within a line, which is dropped if another line follows. */
export function withoutPartLine(
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
export function trimmedAbove(items: readonly LogItem[], to: number, most: number): readonly LogItem[] {
  let held = to - (items[0]?.offset ?? to);
  for (const item of items) if (item.kind === 'skipped') held -= item.bytes;
  if (items.length <= most && held <= MOST_BYTES) return items;
  let drop = 0;
  // A quarter at once, so that it happens rarely.
  while (drop < items.length - 1 && (items.length - drop > most * 0.75 || held > MOST_BYTES * 0.75)) {
    const item = items[drop];
    const next = items[drop + 1];
    if (item?.kind === 'line') held -= (next?.offset ?? to) - item.offset;
    drop += 1;
  }
  return items.slice(drop);
}

/** Drops the last of too many lines. */
export function trimmedBelow(items: readonly LogItem[], from: number): readonly LogItem[] {
  let keep = Math.min(items.length, MOST_ITEMS);
  while (keep > 1 && (items[keep - 1]?.offset ?? 0) - from > MOST_BYTES) keep -= 1;
  return items.slice(0, keep);
}
