import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { cssColor, onThemeChange } from '../widgets/css-color';

/** Lines kept to scroll back to; a line costs about a kilobyte. */
export const SCROLLBACK_LINES = 20_000;
const MAX_MATCHES = 1_000;

export type LogTerminalListener = {
  /** The user has scrolled: whether the end is in view. */
  readonly scrolled: (atEnd: boolean) => void;
  /** Position of the present match, from 0 (-1: none or too many), and number of matches. */
  readonly matched: (index: number, count: number) => void;
  readonly findAsked: () => void;
};

/** A terminal that shows text and takes none. Plain DOM rendering: there may be many, and graphics contexts are few. */
export class LogTerminal {
  readonly #host: HTMLElement;
  readonly #terminal: Terminal;
  readonly #search = new SearchAddon({ highlightLimit: MAX_MATCHES });
  readonly #ends: Array<() => void> = [];

  constructor(host: HTMLElement, label: string, listener: LogTerminalListener) {
    this.#host = host;
    this.#terminal = new Terminal({
      allowProposedApi: true, // the search add-on's decorations need it
      convertEol: true,
      disableStdin: true,
      cursorInactiveStyle: 'none',
      cursorBlink: false,
      cursorStyle: 'bar',
      cursorWidth: 1,
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: 12,
      lineHeight: 1.25,
      scrollback: SCROLLBACK_LINES,
      theme: readTheme(host),
    });
    const fit = new FitAddon();
    this.#terminal.loadAddon(fit);
    this.#terminal.loadAddon(this.#search);
    this.#terminal.open(host);
    this.#terminal.textarea?.setAttribute('aria-label', label);
    this.#terminal.attachCustomKeyEventHandler((event) => this.#onKey(event, listener));

    const size = new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientHeight > 0) fit.fit();
    });
    size.observe(host);
    const told = (): void => {
      requestAnimationFrame(() => listener.scrolled(this.atEnd));
    };
    const ended = new AbortController();
    const options = { signal: ended.signal, capture: true, passive: true };
    for (const kind of ['wheel', 'pointerup', 'touchmove'] as const)
      host.addEventListener(kind, told, options);
    const matches = this.#search.onDidChangeResults((event) =>
      listener.matched(event.resultIndex, event.resultCount),
    );
    this.#ends.push(
      () => ended.abort(),
      () => size.disconnect(),
      () => matches.dispose(),
      onThemeChange(() => {
        this.#terminal.options.theme = readTheme(host);
      }),
    );
  }

  get atEnd(): boolean {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    return viewportY >= baseY;
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  write(text: string, taken: () => void): void {
    this.#terminal.write(text, taken);
  }

  clear(): void {
    this.#terminal.reset();
  }

  focus(): void {
    this.#terminal.focus();
  }

  scrollToEnd(): void {
    this.#terminal.scrollToBottom();
  }

  /** Leaves the end, so that what comes no longer moves what is read. */
  leaveEnd(): void {
    if (this.atEnd) this.#terminal.scrollLines(-1);
  }

  /** Marks every match and goes to the next or previous one; `incremental` stays at the present one if it still fits. */
  find(term: string, direction: 'next' | 'previous', incremental: boolean): void {
    if (term === '') {
      this.#search.clearDecorations();
      return;
    }
    const color = (name: string): string => cssColor(this.#host, name);
    const decorations = {
      matchBackground: color('--fair-soft'),
      matchOverviewRuler: color('--fair-mark'),
      activeMatchBackground: color('--accent-soft'),
      activeMatchBorder: color('--accent'),
      activeMatchColorOverviewRuler: color('--accent'),
    };
    if (direction === 'next') this.#search.findNext(term, { incremental, decorations });
    else this.#search.findPrevious(term, { decorations });
  }

  dispose(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#terminal.dispose();
  }

  /** Keys that scroll are ours; all others, Tab and the clipboard's among them, stay the page's. */
  #onKey(event: KeyboardEvent, listener: LogTerminalListener): boolean {
    if (event.type !== 'keydown') return false;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      listener.findAsked();
      return false;
    }
    const scroll = SCROLL_KEYS[event.key];
    if (scroll === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
    event.preventDefault();
    scroll(this.#terminal);
    listener.scrolled(this.atEnd);
    return false;
  }
}

const SCROLL_KEYS: Readonly<Record<string, (terminal: Terminal) => void>> = {
  ArrowUp: (terminal) => terminal.scrollLines(-1),
  ArrowDown: (terminal) => terminal.scrollLines(1),
  PageUp: (terminal) => terminal.scrollPages(-1),
  PageDown: (terminal) => terminal.scrollPages(1),
  Home: (terminal) => terminal.scrollToTop(),
  End: (terminal) => terminal.scrollToBottom(),
};

/** The terminal's sixteen colours from the app's tokens: logs use them to say good, bad, soft. */
function readTheme(host: HTMLElement): ITheme {
  const color = (name: string): string => cssColor(host, name);
  return {
    background: color('--surface'),
    foreground: color('--text'),
    cursor: color('--surface'),
    selectionBackground: color('--chosen'),
    black: color('--text'),
    red: color('--bad'),
    green: color('--good'),
    yellow: color('--fair'),
    blue: color('--accent'),
    magenta: color('--fault'),
    cyan: color('--series-6'),
    white: color('--text-soft'),
    brightBlack: color('--text-faint'),
    brightRed: color('--bad'),
    brightGreen: color('--good'),
    brightYellow: color('--fair'),
    brightBlue: color('--accent-strong'),
    brightMagenta: color('--fault'),
    brightCyan: color('--series-6'),
    brightWhite: color('--text'),
    scrollbarSliderBackground: color('--line-strong'),
    scrollbarSliderHoverBackground: color('--mark-faint'),
    scrollbarSliderActiveBackground: color('--mark-faint'),
    overviewRulerBorder: color('--line'),
  };
}
