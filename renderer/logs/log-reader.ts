import type { Answer } from '../../preload/contract/refusal';
import type { LogPiece } from '../../preload/contract/server';
import { itemAt, type OpenLine, openLineAt } from './log-lines';
import { EMPTY_LOG, fileState, type LogView } from './log-view';
import { type LoadedLines, MAX_FOLLOWED, olderRange, withNewer, withOlder } from './log-window';

/** Bytes of one read. */
export const READ_BYTES = 256 * 1024;
/** Skips ahead when the file is this many bytes ahead of what was read. */
export const SKIP_FROM_BYTES = 1024 * 1024;
/** Bytes read per tenth of a second then: some hundred lines, more than anyone can read. */
const FLOOD_BYTES = 64 * 1024;
/** Bytes read before a jump target, for context. */
const CONTEXT_BYTES = 48 * 1024;
/** Pause between reads of a growing file. */
const READ_PAUSE_MS = 100;
/** Pause between checks of a file that does not grow. */
export const IDLE_MS = [250, 500, 1_000, 2_000] as const;

export type LogReaderOptions = {
  /** `offset` in bytes from the start of the file. */
  readonly read: (offset: number, maxBytes: number) => Promise<Answer<LogPiece>>;
  readonly onChange: (view: LogView) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls later; the returned function cancels. */
  readonly later: (call: () => void, ms: number) => () => void;
};

/**
 * A window of some thousand lines on a file of any length. It follows the end by pulling
 * (one read at a time, paced, jumping ahead of a flood and saying so), or stays anywhere and reads on either way when
 * the view comes near an edge.
 */
export class LogReader {
  readonly #options: LogReaderOptions;
  #view = EMPTY_LOG;
  /** The unfinished line at `to`. */
  #open: OpenLine = openLineAt(0);
  /** The last of the items is the open line so far. */
  #showsOpen = false;
  /** From this offset on the file was written while open: lines get the time of their read. */
  #liveFrom = 0;
  #live = false;
  #busy = false;
  #idleReads = 0;
  #jumps = 0;
  /** Answers to requests before the last jump are dropped. */
  #generation = 0;
  #cancelRead: (() => void) | null = null;
  #ended = false;

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  get view(): LogView {
    return this.#view;
  }

  /** Opens a file of about this size at its end. `live`: more may come. */
  start(size: number, live: boolean): void {
    this.#live = live;
    this.#liveFrom = size;
    this.#update({ size });
    this.toEnd();
  }

  /** The file is known to have this size now, and whether more may come. */
  sizeChanged(size: number, live: boolean): void {
    const grew = size !== this.#view.size;
    const woke = live && !this.#live;
    this.#live = live;
    if (grew) this.#update({ size: Math.max(size, this.#view.to) });
    if (size < this.#view.to && !live) return;
    if (grew || woke) this.#readSoon();
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#generation += 1;
    this.#busy = false;
    if (!this.#isAtEnd()) {
      const from = Math.max(0, this.#view.size - READ_BYTES);
      this.#empty(from, { follows: true, loading: 'elsewhere' });
    } else {
      this.#update({ follows: true, target: null });
    }
    this.#readSoon();
  }

  toStart(): void {
    this.#jumpTo(0, 0);
  }

  /** Shows the line that contains this byte. */
  goTo(offset: number): void {
    const targetOffset = Math.max(0, Math.min(offset, this.#view.size));
    const items = this.#view.items;
    if (items.length > 0 && targetOffset >= this.#view.from && targetOffset < this.#view.to) {
      const item = items[itemAt(items, targetOffset)];
      if (item?.kind === 'line') {
        this.#jumps += 1;
        this.#update({ follows: false, target: { offset: targetOffset, jump: this.#jumps } });
        return;
      }
    }
    this.#jumpTo(Math.max(0, targetOffset - CONTEXT_BYTES), targetOffset);
  }

  /** Stops following the end. */
  leaveEnd(): void {
    if (this.#view.follows) this.#update({ follows: false, target: null });
  }

  /** The view comes near the top of what is held. */
  wantOlder(): void {
    const { from, items, follows } = this.#view;
    if (this.#busy || this.#ended || from === 0 || items.length === 0) return;
    // While following, the first lines are dropped again as others come.
    if (follows && items.length > MAX_FOLLOWED / 4) return;
    void this.#readOlder();
  }

  /** The view comes near the end of what is held. */
  wantNewer(): void {
    if (this.#busy || this.#ended || this.#view.to >= this.#view.size) return;
    this.#update({ loading: 'newer' });
    void this.#readNewer();
  }

  /** Reads again after a failure. */
  retry(): void {
    this.#update({ failure: null });
    this.#readSoon();
  }

  /** Stops reading and notifying. */
  dispose(): void {
    this.#ended = true;
    this.#generation += 1;
    this.#cancelRead?.();
    this.#cancelRead = null;
  }

  #isAtEnd(): boolean {
    return this.#view.items.length > 0 && this.#view.size - this.#view.to < SKIP_FROM_BYTES;
  }

  #jumpTo(from: number, target: number): void {
    this.#generation += 1;
    this.#busy = false;
    this.#jumps += 1;
    this.#empty(from, {
      follows: false,
      loading: 'elsewhere',
      target: { offset: target, jump: this.#jumps },
    });
    void this.#readNewer();
  }

  #empty(from: number, change: Partial<LogView>): void {
    this.#open = openLineAt(from, from > 0);
    this.#showsOpen = false;
    this.#update({ items: [], from, to: from, failure: null, target: null, ...change });
  }

  /** Reads what has come, now or as soon as the pace allows. */
  #readSoon(): void {
    if (this.#ended || this.#busy) return;
    this.#cancelRead?.();
    this.#cancelRead = null;
    void this.#readNewer();
  }

  #readLater(ms: number): void {
    if (this.#ended) return;
    this.#cancelRead?.();
    this.#cancelRead = this.#options.later(() => {
      this.#cancelRead = null;
      if (!this.#busy) void this.#readNewer();
    }, ms);
  }

  /** Schedules the next read, after one that returned the size. */
  #scheduleNext(grew: boolean): void {
    const { to, size, follows, items } = this.#view;
    const behind = to < size && (follows || items.length === 0);
    this.#idleReads = grew ? 0 : this.#idleReads + 1;
    if (behind && grew) this.#readLater(READ_PAUSE_MS);
    else if (this.#live) this.#readLater(IDLE_MS[Math.min(this.#idleReads, IDLE_MS.length - 1)] ?? 2_000);
  }

  async #readNewer(): Promise<void> {
    const generation = this.#generation;
    this.#busy = true;
    let { to } = this.#view;
    const behind = this.#view.size - to;
    const isFlooded = this.#view.follows && this.#view.items.length > 0 && behind > SKIP_FROM_BYTES;
    if (isFlooded) to = this.#view.size - FLOOD_BYTES;
    // Not at the end: only the size is needed.
    const needsNewer = this.#view.follows || this.#view.items.length === 0 || this.#view.loading === 'newer';
    const answer = await this.#options
      .read(to, isFlooded ? FLOOD_BYTES : needsNewer ? READ_BYTES : 1)
      .catch(refusalOf);
    if (generation !== this.#generation) return;
    this.#busy = false;
    if (!answer.ok) {
      this.#fail(answer.error.message);
      return;
    }
    const piece = answer.value;
    if (piece.size < this.#view.to) {
      // A file shorter than what was read was truncated and restarted.
      this.#empty(0, { size: piece.size, follows: true });
      this.#liveFrom = 0;
      if (piece.size > 0) this.#readSoon();
      else this.#scheduleNext(false);
      return;
    }
    const grew = piece.size > this.#view.size || piece.nextOffset > to;
    if (needsNewer && piece.nextOffset > to) this.#append(to, piece);
    else this.#update({ ...fileState(this.#view, piece), failure: null, loading: null });
    this.#scheduleNext(grew && needsNewer);
  }

  #append(requestedOffset: number, piece: LogPiece): void {
    const start = piece.start ?? requestedOffset;
    const arrivedAt = start >= this.#liveFrom && this.#live ? this.#options.now() : null;
    const { items, from, to } = this.#hold(
      withNewer(this.#held, start, piece, this.#view.follows, arrivedAt, piece.start !== undefined),
    );
    this.#update({ items, from, to, ...fileState(this.#view, piece), failure: null, loading: null });
  }

  async #readOlder(): Promise<void> {
    const generation = this.#generation;
    this.#busy = true;
    this.#update({ loading: 'older', target: null });
    const { start, end } = olderRange(this.#view, READ_BYTES);
    let text = '';
    let size = this.#view.size;
    for (let at = start; at < end; ) {
      const answer = await this.#options.read(at, end - at).catch(refusalOf);
      if (generation !== this.#generation) return;
      if (!answer.ok || answer.value.nextOffset <= at) {
        this.#busy = false;
        this.#fail(answer.ok ? 'The log ends before the requested position.' : answer.error.message);
        return;
      }
      const { start: elsewhere, leftOut } = answer.value;
      if (elsewhere !== undefined && leftOut !== undefined && leftOut.to !== this.#view.leftOut?.to) {
        // More was left out since the last read.
        this.#update(fileState(this.#view, answer.value));
        return this.#readOlder();
      }
      text += answer.value.text;
      at = answer.value.nextOffset;
      size = answer.value.size;
    }
    this.#busy = false;
    const isLineStart = start === 0 || start === this.#view.leftOut?.to;
    const older = { start, end, text, isLineStart };
    const { items, from, to } = this.#hold(withOlder(this.#held, older, this.#view.follows));
    this.#update({ items, from, to, size, failure: null, loading: null });
    this.#scheduleNext(false);
  }

  get #held(): LoadedLines {
    const { items, from, to } = this.#view;
    return { items, from, to, open: this.#open, showsOpen: this.#showsOpen };
  }

  #hold(lines: LoadedLines): LoadedLines {
    this.#open = lines.open;
    this.#showsOpen = lines.showsOpen;
    return lines;
  }

  #fail(message: string): void {
    this.#update({ failure: message, loading: null });
    // Retries by itself: the machine may answer later.
    if (this.#live) this.#readLater(IDLE_MS[IDLE_MS.length - 1] ?? 2_000);
  }

  #update(change: Partial<LogView>): void {
    this.#view = { ...this.#view, ...change };
    if (!this.#ended) this.#options.onChange(this.#view);
  }
}

function refusalOf(error: unknown): Answer<LogPiece> {
  return {
    ok: false,
    error: { code: 'internal', message: error instanceof Error ? error.message : String(error) },
  };
}
