/**
 * The output of `tmux -C`, line by line (tmux(1), "CONTROL MODE"): output of panes as it was written, with control
 * characters and backslashes in octal; answers to commands between %begin and %end (or %error) of the same number.
 */
export type ControlEvent =
  | { readonly kind: 'output'; readonly pane: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'answer';
      readonly isOurs: boolean;
      readonly ok: boolean;
      readonly lines: readonly Uint8Array[];
    }
  | { readonly kind: 'exit'; readonly reason: string };

const LINE_FEED = 10;
const BACKSLASH = 92;
const SPACE = 32;
const ZERO = 48;

/** Bytes in, events out; keeps half a line and an answer that has not ended. */
export class ControlReader {
  #rest: Uint8Array = new Uint8Array(0);
  #answer: { readonly mark: string; readonly isOurs: boolean; readonly lines: Uint8Array[] } | null = null;

  read(chunk: Uint8Array): ControlEvent[] {
    const events: ControlEvent[] = [];
    const bytes = joined(this.#rest, chunk);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const event = this.#line(bytes.subarray(start, end));
      if (event !== null) events.push(event);
      start = end + 1;
    }
    this.#rest = bytes.slice(start);
    return events;
  }

  /** The process has ended: its last line may lack its end. */
  finish(): ControlEvent[] {
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    const event = rest.length === 0 ? null : this.#line(rest);
    return event === null ? [] : [event];
  }

  #line(line: Uint8Array): ControlEvent | null {
    if (this.#answer !== null) return this.#answerLine(this.#answer, line);
    if (startsWith(line, '%output ')) {
      const space = line.indexOf(SPACE, 8);
      return space === -1
        ? null
        : {
            kind: 'output',
            pane: ascii(line.subarray(8, space)),
            bytes: unescaped(line.subarray(space + 1)),
          };
    }
    if (startsWith(line, '%begin ')) {
      const [, at = '', number = '', flags = ''] = ascii(line).split(' ');
      this.#answer = { mark: `${at} ${number}`, isOurs: flags === '1', lines: [] };
      return null;
    }
    if (startsWith(line, '%exit')) return { kind: 'exit', reason: ascii(line.subarray(5)).trim() };
    return null;
  }

  #answerLine(
    answer: { readonly mark: string; readonly isOurs: boolean; readonly lines: Uint8Array[] },
    line: Uint8Array,
  ): ControlEvent | null {
    const ok = startsWith(line, `%end ${answer.mark} `);
    if (!ok && !startsWith(line, `%error ${answer.mark} `)) {
      answer.lines.push(line.slice());
      return null;
    }
    this.#answer = null;
    return { kind: 'answer', isOurs: answer.isOurs, ok, lines: answer.lines };
  }
}

/** "\033" and the like back to bytes. */
function unescaped(line: Uint8Array): Uint8Array {
  let from = line.indexOf(BACKSLASH);
  if (from === -1) return line.slice();
  const bytes = new Uint8Array(line.length);
  bytes.set(line.subarray(0, from));
  let filled = from;
  while (from < line.length) {
    const byte = line[from] ?? 0;
    if (byte === BACKSLASH && from + 3 < line.length) {
      bytes[filled] = (octal(line, from + 1) << 6) | (octal(line, from + 2) << 3) | octal(line, from + 3);
      from += 4;
    } else {
      bytes[filled] = byte;
      from += 1;
    }
    filled += 1;
  }
  return bytes.subarray(0, filled);
}

function octal(line: Uint8Array, at: number): number {
  return ((line[at] ?? ZERO) - ZERO) & 7;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 1_000));
}

function startsWith(line: Uint8Array, text: string): boolean {
  if (line.length < text.length) return false;
  for (let at = 0; at < text.length; at++) if (line[at] !== text.charCodeAt(at)) return false;
  return true;
}
