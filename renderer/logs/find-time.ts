import type { Answer } from '../../preload/contract/refusal';
import type { LogPiece } from '../../preload/contract/server';
import { ANY_YEAR, DAY_MS, dayOf, type Moment } from './log-target';

/** Bytes per read: some hundred lines, of which one usually has a timestamp. */
const READ_BYTES = 32 * 1024;
/** Reads without a timestamp before giving up. */
const MAX_READS = 8;

type Stamp = { readonly day: number | null; readonly seconds: number; readonly offset: number };
type Read = (offset: number, maxBytes: number) => Promise<Answer<LogPiece>>;
export type TimeResult =
  | { readonly ok: true; readonly offset: number }
  | { readonly ok: false; readonly message: string };

const STAMP =
  /^.{0,24}?(?:(?:(\d{4})[-/])?(\d\d)[-/](\d\d)[T ])?(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?\s?(Z|[+-]\d\d:?\d\d)?(?=\W|$)/;

/** The timestamp of a line, converted to local time if it has a zone; null: none. */
export function stampOf(line: string): Moment | null {
  const match = STAMP.exec(line.length > 120 ? line.slice(0, 120) : line);
  if (match === null) return null;
  const [, year, month, day, hours, minutes, seconds, zone] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null;
  if (year !== undefined && zone !== undefined) {
    const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${zone}`);
    if (Number.isNaN(at.getTime())) return null;
    return {
      day: dayOf(at.getFullYear(), at.getMonth() + 1, at.getDate()),
      seconds: at.getHours() * 3_600 + at.getMinutes() * 60 + at.getSeconds(),
    };
  }
  return {
    day:
      month === undefined
        ? null
        : dayOf(year === undefined ? ANY_YEAR : Number(year), Number(month), Number(day)),
    seconds: Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds),
  };
}

/**
 * The first line at or after this time, by bisection: about twenty small reads, whatever the length. Timestamps are
 * assumed to be ascending, except over midnight where they have no date.
 */
export async function findTime(read: Read, size: number, target: Moment): Promise<TimeResult> {
  const first = await stampFrom(read, 0, size);
  if (!first.ok) return first;
  if (first.stamp === null) {
    return { ok: false, message: 'The lines of this log have no timestamps.' };
  }
  const last = await lastStamp(read, size);
  if (!last.ok) return last;
  const goal = goalOf(target, first.stamp, last.stamp ?? first.stamp);
  const isReached = (stamp: Stamp): boolean => compare(stamp, goal) >= 0;
  if (isReached(first.stamp)) return { ok: true, offset: first.stamp.offset };
  if (last.stamp !== null && compare(last.stamp, goal) < 0) return { ok: true, offset: size };
  // The first line at or after the goal begins in (before, after].
  let before = first.stamp.offset;
  let after = size;
  while (after - before > READ_BYTES) {
    const middle = Math.floor((before + after) / 2);
    const stamp = await stampFrom(read, middle, after);
    if (!stamp.ok) return stamp;
    if (stamp.stamp === null || isReached(stamp.stamp)) after = middle;
    else before = stamp.stamp.offset;
  }
  for (let at = before; ; ) {
    const piece = await read(at, 2 * READ_BYTES);
    if (!piece.ok) return { ok: false, message: piece.error.message };
    const { text, start = at } = piece.value;
    const stamp = stampsIn(text, start, start === at && at > 0 && at !== before).find(isReached);
    if (stamp !== undefined) return { ok: true, offset: stamp.offset };
    if (piece.value.nextOffset <= at || piece.value.nextOffset >= piece.value.size) {
      return { ok: true, offset: size };
    }
    at = piece.value.nextOffset;
  }
}

/** A time without a date means its last occurrence in the log. */
function goalOf(target: Moment, first: Stamp, last: Stamp): Moment {
  if (first.day === null) return target;
  const lastDay = last.day ?? first.day;
  if (target.day !== null) return { day: inYearOf(lastDay, target.day), seconds: target.seconds };
  const day = target.seconds > last.seconds ? Math.max(first.day, lastDay - 1) : lastDay;
  return { day, seconds: target.seconds };
}

/** A day without a year, in the year of the log. */
function inYearOf(lastDay: number, day: number): number {
  const date = new Date(day * DAY_MS);
  if (date.getUTCFullYear() !== ANY_YEAR) return day;
  return dayOf(new Date(lastDay * DAY_MS).getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

function compare(stamp: Stamp, goal: Moment): number {
  if (stamp.day !== null && goal.day !== null && stamp.day !== goal.day) return stamp.day - goal.day;
  return stamp.seconds - goal.seconds;
}

type StampResult =
  | { readonly ok: true; readonly stamp: Stamp | null }
  | { readonly ok: false; readonly message: string };

/** The first stamp of a line that begins in [from, end). */
async function stampFrom(read: Read, from: number, end: number): Promise<StampResult> {
  let at = from;
  for (let reads = 0; reads < MAX_READS && at < end; reads++) {
    const piece = await read(at, READ_BYTES);
    if (!piece.ok) return { ok: false, message: piece.error.message };
    const { text, start = at } = piece.value;
    const [stamp] = stampsIn(text, start, start === at && at > 0);
    if (stamp !== undefined) return { ok: true, stamp: stamp.offset < end ? stamp : null };
    if (piece.value.nextOffset <= at) break;
    at = piece.value.nextOffset;
  }
  return { ok: true, stamp: null };
}

async function lastStamp(read: Read, size: number): Promise<StampResult> {
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const from = Math.max(0, size - reads * READ_BYTES);
    const piece = await read(from, READ_BYTES);
    if (!piece.ok) return { ok: false, message: piece.error.message };
    const { text, start = from } = piece.value;
    const stamp = stampsIn(text, start, start === from && from > 0).at(-1);
    if (stamp !== undefined || from === 0) return { ok: true, stamp: stamp ?? null };
  }
  return { ok: true, stamp: null };
}

const encoder = new TextEncoder();

/** Stamps of the lines that begin in the text, with their bytes in the file. */
function stampsIn(text: string, offset: number, beginsInside: boolean): readonly Stamp[] {
  const stamps: Stamp[] = [];
  const ascii = encoder.encode(text).length === text.length;
  let at = 0;
  if (beginsInside) {
    const end = text.indexOf('\n');
    if (end === -1) return [];
    at = end + 1;
  }
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const moment = stampOf(text.slice(at, end === -1 ? undefined : end));
    if (moment !== null) {
      const bytes = ascii ? at : encoder.encode(text.slice(0, at)).length;
      stamps.push({ ...moment, offset: offset + bytes });
    }
    if (end === -1) break;
    at = end + 1;
  }
  return stamps;
}
