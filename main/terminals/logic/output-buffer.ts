/** Stored output of a terminal: some thousand screens, enough to scroll back after a reload. */
export const STORED_UNITS = 1_048_576;
/** Trimmed in steps, so that a flood does not trim at every batch. */
const SLACK_UNITS = 262_144;

/** DEC private modes (ECMA-48 "CSI ? Pm h/l"): alternate screen, bracketed paste, mouse, cursor. */
const MODE_CHANGE = new RegExp(`${String.fromCharCode(27)}\\[\\?([\\d;]{1,40})([hl])`, 'g');

/**
 * The last output of a terminal with its offset in all output, in UTF-16 units. Old output is dropped up to the end of
 * a line, and the modes that it had set are put before the rest, so that drawing it on an empty screen looks the same.
 */
export class OutputBuffer {
  #pieces: string[] = [];
  #units = 0;
  #start = 0;
  readonly #modes = new Map<string, 'h' | 'l'>();

  /** Offset of the next output. */
  get end(): number {
    return this.#start + this.#units;
  }

  append(text: string): void {
    this.#pieces.push(text);
    this.#units += text.length;
    if (this.#units > STORED_UNITS + SLACK_UNITS) this.#trim();
  }

  /** Drops everything: the next output redraws the whole screen. */
  restart(): void {
    this.#start = this.end;
    this.#pieces = [];
    this.#units = 0;
    this.#modes.clear();
  }

  /** `text` stands at `offset`; `offset + text.length` is `end`. */
  snapshot(): { readonly offset: number; readonly text: string } {
    const text = this.#pieces.join('');
    this.#pieces = text === '' ? [] : [text];
    const modes = [...this.#modes].map(([mode, set]) => `\x1b[?${mode}${set}`).join('');
    return { offset: this.#start - modes.length, text: modes + text };
  }

  #trim(): void {
    const text = this.#pieces.join('');
    const cut = cutAfterLine(text, text.length - STORED_UNITS);
    for (const [, list = '', set] of text.slice(0, cut).matchAll(MODE_CHANGE)) {
      for (const mode of list.split(';')) if (mode !== '') this.#modes.set(mode, set === 'h' ? 'h' : 'l');
    }
    this.#pieces = [text.slice(cut)];
    this.#start += cut;
    this.#units -= cut;
  }
}

/**
 * The position after the first line end from `at` on; if none is near, `at`, or one more if `at` would split a
 * character.
 */
function cutAfterLine(text: string, at: number): number {
  const line = text.indexOf('\n', at);
  if (line !== -1 && line - at < SLACK_UNITS) return line + 1;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
