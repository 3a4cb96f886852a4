import type { Answer } from '../../preload/contract/refusal';
import type { LogPiece } from '../../preload/contract/server';
import { itemAt, type LogItem, lineSoFar, type OpenLine, openLineAt, splitLines } from './log-lines';
import { MOST_FOLLOWED, MOST_ITEMS, trimmedAbove, trimmedBelow, withoutPartLine } from './log-window';

/** Bytes of one read. */
export const READ_BYTES = 256 * 1024;
/** Skips ahead when the file is this many bytes ahead of what was read. */
export const SKIP_FROM_BYTES = 1024 * 1024;
/** Bytes read per tenth of a second then: some hundred lines, more than anyone can read. */
const FLOOD_BYTES = 64 * 1024;
/** Bytes read before a jump target, for context. */
const CONTEXT_BYTES = 48 * 1024;
/** Pause between reads of a growing file. */
export const PACE_MS = 100;
/** Pause between checks of a file that does not grow. */
export const IDLE_MS = [250, 500, 1_000, 2_000] as const;

export type LogView = {
  /** In the order of the file; a new array whenever one has changed. */
  readonly items: readonly LogItem[];
  /** Bytes held: from the first to before the last. */
  readonly from: number;
  readonly to: number;
  /** Last known size of the file. */
  readonly size: number;
  /** True: the newest line is kept in view. */
  readonly follows: boolean;
  /** Where the running read will add lines. */
  readonly reading: 'older' | 'newer' | 'elsewhere' | null;
  /** Why the last read failed. */
  readonly failure: string | null;
  /** The byte of a jump and the number of the jump: the view scrolls to it once. */
  readonly target: { readonly offset: number; readonly jump: number } | null;
};

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
  #view: LogView = {
    items: [],
    from: 0,
    to: 0,
    size: 0,
    follows: true,
    reading: null,
    failure: null,
    target: null,
  };
  /** The unfinished line at `to`. */
  #open: OpenLine = openLineAt(0);
  /** The last of the items is the open line so far. */
  #showsOpen = false;
  /** From this offset on the file was written while open: lines get the time of their read. */
  #liveFrom = 0;
  #live = false;
  #busy = false;
  #idleLooks = 0;
  #jumps = 0;
  /** Answers to requests before the last jump are dropped. */
  #turn = 0;
  #cancelLook: (() => void) | null = null;
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
    if (grew || woke) this.#look();
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#turn += 1;
    this.#busy = false;
    if (!this.#isAtEnd()) {
      const from = Math.max(0, this.#view.size - READ_BYTES);
      this.#empty(from, { follows: true, reading: 'elsewhere' });
    } else {
      this.#update({ follows: true, target: null });
    }
    this.#look();
  }

  toStart(): void {
    this.#jumpTo(0, 0);
  }

  /** Shows the line that contains this byte. */
  goTo(offset: number): void {
    const wanted = Math.max(0, Math.min(offset, this.#view.size));
    const held = this.#view.items;
    if (held.length > 0 && wanted >= this.#view.from && wanted < this.#view.to) {
      const there = held[itemAt(held, wanted)];
      if (there?.kind === 'line') {
        this.#jumps += 1;
        this.#update({ follows: false, target: { offset: wanted, jump: this.#jumps } });
        return;
      }
    }
    this.#jumpTo(Math.max(0, wanted - CONTEXT_BYTES), wanted);
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
    if (follows && items.length > MOST_FOLLOWED / 4) return;
    void this.#readOlder();
  }

  /** The view comes near the end of what is held. */
  wantNewer(): void {
    if (this.#busy || this.#ended || this.#view.to >= this.#view.size) return;
    this.#update({ reading: 'newer' });
    void this.#readNewer();
  }

  /** Reads again after a failure. */
  retry(): void {
    this.#update({ failure: null });
    this.#look();
  }

  /** Stops reading and notifying. */
  dispose(): void {
    this.#ended = true;
    this.#turn += 1;
    this.#cancelLook?.();
    this.#cancelLook = null;
  }

  #isAtEnd(): boolean {
    return this.#view.items.length > 0 && this.#view.size - this.#view.to < SKIP_FROM_BYTES;
  }

  #jumpTo(from: number, target: number): void {
    this.#turn += 1;
    this.#busy = false;
    this.#jumps += 1;
    this.#empty(from, {
      follows: false,
      reading: 'elsewhere',
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
  #look(): void {
    if (this.#ended || this.#busy) return;
    this.#cancelLook?.();
    this.#cancelLook = null;
    void this.#readNewer();
  }

  #lookLater(ms: number): void {
    if (this.#ended) return;
    this.#cancelLook?.();
    this.#cancelLook = this.#options.later(() => {
      this.#cancelLook = null;
      if (!this.#busy) void this.#readNewer();
    }, ms);
  }

  /** Schedules the next read, after one that returned the size. */
  #plan(grew: boolean): void {
    const { to, size, follows, items } = this.#view;
    const behind = to < size && (follows || items.length === 0);
    this.#idleLooks = grew ? 0 : this.#idleLooks + 1;
    if (behind && grew) this.#lookLater(PACE_MS);
    else if (this.#live) this.#lookLater(IDLE_MS[Math.min(this.#idleLooks, IDLE_MS.length - 1)] ?? 2_000);
  }

  async #readNewer(): Promise<void> {
    const turn = this.#turn;
    this.#busy = true;
    let { to } = this.#view;
    const behind = this.#view.size - to;
    const isFlooded = this.#view.follows && this.#view.items.length > 0 && behind > SKIP_FROM_BYTES;
    if (isFlooded) to = this.#view.size - FLOOD_BYTES;
    // Not at the end: only the size is needed.
    const wanted = this.#view.follows || this.#view.items.length === 0 || this.#view.reading === 'newer';
    const answer = await this.#options
      .read(to, isFlooded ? FLOOD_BYTES : wanted ? READ_BYTES : 1)
      .catch(refusalOf);
    if (turn !== this.#turn) return;
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
      if (piece.size > 0) this.#look();
      else this.#plan(false);
      return;
    }
    const grew = piece.size > this.#view.size || piece.nextOffset > to;
    if (wanted && piece.nextOffset > to) this.#append(to, piece);
    else this.#update({ size: piece.size, failure: null, reading: null });
    this.#plan(grew && wanted);
  }

  #append(start: number, piece: LogPiece): void {
    const view = this.#view;
    const arrivedAt = start >= this.#liveFrom && this.#live ? this.#options.now() : null;
    const items = this.#showsOpen ? view.items.slice(0, -1) : [...view.items];
    const skipped = start - view.to;
    let text = piece.text;
    let bytes = piece.nextOffset - start;
    let open = this.#open;
    let from = view.from;
    if (skipped > 0) {
      const last = lineSoFar(open, arrivedAt);
      if (last !== null) items.push(last);
    }
    if (skipped > 0 || (items.length === 0 && open.continued && open.bytes === 0)) {
      const cut = withoutPartLine(text, bytes);
      if (skipped > 0) {
        items.push({ kind: 'skipped', offset: view.to, bytes: cut.offset + start - view.to });
      } else from = start + cut.offset;
      text = cut.text;
      open = openLineAt(start + cut.offset, cut.isMiddle);
      bytes -= cut.offset;
    }
    const split = splitLines(open, text, bytes, arrivedAt);
    for (const line of split.lines) items.push(line);
    this.#open = split.open;
    const last = lineSoFar(split.open, arrivedAt);
    this.#showsOpen = last !== null;
    if (last !== null) items.push(last);
    const trimmed = trimmedAbove(items, piece.nextOffset, view.follows ? MOST_FOLLOWED : MOST_ITEMS);
    this.#update({
      items: trimmed,
      from: trimmed === items ? from : (trimmed[0]?.offset ?? piece.nextOffset),
      to: piece.nextOffset,
      size: piece.size,
      failure: null,
      reading: null,
    });
  }

  async #readOlder(): Promise<void> {
    const turn = this.#turn;
    this.#busy = true;
    this.#update({ reading: 'older', target: null });
    const end = this.#view.from;
    const start = Math.max(0, end - READ_BYTES);
    let text = '';
    let size = this.#view.size;
    for (let at = start; at < end; ) {
      const answer = await this.#options.read(at, end - at).catch(refusalOf);
      if (turn !== this.#turn) return;
      if (!answer.ok || answer.value.nextOffset <= at) {
        this.#busy = false;
        this.#fail(answer.ok ? 'The log ends before the place that was asked for.' : answer.error.message);
        return;
      }
      text += answer.value.text;
      at = answer.value.nextOffset;
      size = answer.value.size;
    }
    this.#busy = false;
    const cut = start === 0 ? { text, offset: 0, isMiddle: false } : withoutPartLine(text, end - start);
    const open = openLineAt(start + cut.offset, cut.isMiddle);
    const split = splitLines(open, cut.text, end - start - cut.offset, null);
    const rest = lineSoFar(split.open, null);
    const items = [...split.lines, ...(rest === null ? [] : [rest]), ...this.#view.items];
    const trimmed = this.#view.follows ? items : trimmedBelow(items, start);
    if (trimmed.length < items.length) {
      const next = items[trimmed.length];
      this.#open = openLineAt(next?.offset ?? end, next?.kind === 'line' && next.continued);
      this.#showsOpen = false;
    }
    this.#update({
      items: trimmed,
      from: start + cut.offset,
      to: trimmed.length < items.length ? this.#open.offset : this.#view.to,
      size,
      failure: null,
      reading: null,
    });
    this.#plan(false);
  }

  #fail(message: string): void {
    this.#update({ failure: message, reading: null });
    // Retries by itself: the machine may answer later.
    if (this.#live) this.#lookLater(IDLE_MS[IDLE_MS.length - 1] ?? 2_000);
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
