import type { Answer, LogPiece } from '../../preload/contract';

/** Bytes of the first look at a long file. */
export const FIRST_LOOK_BYTES = 256 * 1024;
/** Bytes of one read, at most. */
export const READ_BYTES = 1024 * 1024;
/** Characters kept for the view as plain text. */
export const TAIL_CHARS = 256 * 1024;

export type LogState = {
  /** Offset of the first byte that was shown. */
  readonly from: number;
  /** Offset of the next byte to read. */
  readonly next: number;
  /** Bytes in the file, as last heard. */
  readonly size: number;
  /** Why the last read failed; reading goes on when the file grows or on `retry`. */
  readonly failure: string | null;
};

/** Where the text goes. `write` calls back when it has taken the text in: only then is more asked for. */
export type LogSink = {
  readonly write: (text: string, taken: () => void) => void;
  readonly clear: () => void;
};

export type LogReader = (offset: number, maxBytes: number) => Promise<Answer<LogPiece>>;

/**
 * Follows a file by offset, pulling: the next piece is read when the sink has taken in the last one, so a log of any
 * length or speed needs the memory of one piece. Starts near the end of a long file.
 */
export class LogFollower {
  readonly #read: LogReader;
  readonly #sink: LogSink;
  readonly #onState: (state: LogState) => void;
  #state: LogState = { from: 0, next: 0, size: 0, failure: null };
  #tail = '';
  /** Text from the middle of a file starts in the middle of a line, which is left out. */
  #skipsLine = false;
  #busy = false;
  /** Answers to questions of an earlier turn are dropped: the user has asked for another part since. */
  #turn = 0;
  #ended = false;

  constructor(read: LogReader, sink: LogSink, onState: (state: LogState) => void) {
    this.#read = read;
    this.#sink = sink;
    this.#onState = onState;
  }

  get state(): LogState {
    return this.#state;
  }

  /** The last `TAIL_CHARS` characters shown. */
  get tail(): string {
    return this.#tail;
  }

  /** Starts to follow a file of this size, near its end. */
  start(size: number): void {
    this.#restart(Math.max(0, size - FIRST_LOOK_BYTES), size);
  }

  /** Shows the file again from its first byte. */
  loadFromStart(): void {
    this.#restart(0, this.#state.size);
  }

  /** The file is known to have this size now. */
  grow(size: number): void {
    if (size === this.#state.size) return;
    this.#update({ size });
    this.#pull();
  }

  /** Reads again after a failure. */
  retry(): void {
    this.#pull();
  }

  /** Nothing is written or told from now on. */
  dispose(): void {
    this.#ended = true;
    this.#turn += 1;
  }

  #restart(from: number, size: number): void {
    this.#turn += 1;
    this.#busy = false;
    this.#tail = '';
    this.#skipsLine = from > 0;
    this.#sink.clear();
    this.#update({ from, next: from, size, failure: null });
    this.#ask();
  }

  #pull(): void {
    // A file that is shorter than what was read of it was begun anew.
    if (this.#state.size < this.#state.next) this.#restart(0, this.#state.size);
    else if (this.#state.next < this.#state.size) this.#ask();
  }

  #ask(): void {
    if (this.#busy || this.#ended) return;
    this.#busy = true;
    const turn = this.#turn;
    this.#read(this.#state.next, READ_BYTES).then(
      (answer) => {
        if (turn === this.#turn) this.#take(answer, turn);
      },
      (error: unknown) => {
        if (turn === this.#turn) this.#fail(error instanceof Error ? error.message : String(error));
      },
    );
  }

  #take(answer: Answer<LogPiece>, turn: number): void {
    if (!answer.ok) {
      this.#fail(answer.error.message);
      return;
    }
    const piece = answer.value;
    const moved = piece.nextOffset > this.#state.next;
    const text = this.#withoutPartLine(piece.text);
    this.#tail = (this.#tail + text).slice(-TAIL_CHARS);
    this.#sink.write(text, () => {
      if (turn !== this.#turn) return;
      this.#busy = false;
      this.#update({ next: Math.max(this.#state.next, piece.nextOffset), size: piece.size, failure: null });
      // A piece that brings nothing (half a character at the end) waits for the file to grow.
      if (moved || piece.size < this.#state.next) this.#pull();
    });
  }

  #withoutPartLine(text: string): string {
    if (!this.#skipsLine) return text;
    const end = text.indexOf('\n');
    if (end === -1) return '';
    this.#skipsLine = false;
    return text.slice(end + 1);
  }

  #fail(message: string): void {
    this.#busy = false;
    this.#update({ failure: message });
  }

  #update(change: Partial<LogState>): void {
    this.#state = { ...this.#state, ...change };
    if (!this.#ended) this.#onState(this.#state);
  }
}
