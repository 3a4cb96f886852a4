import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import type { TerminalSink, TerminalSize } from '../state/index';
import { cssColor, onThemeChange } from '../widgets/css-color';
import { suppressReports } from './suppress-reports';
import { actionOfKey, isForWindow, type TerminalAction } from './terminal-keys';
import { terminalTheme } from './terminal-theme';

/** Same as in the tmux sessions; more would cost tens of megabytes per terminal. */
const SCROLLBACK_LINES = 20_000;
const FONT_SIZE = 13;
/** Minimum contrast, whatever colours a program chose for another background. */
const CONTRAST = 4.5;
/** Maximum highlighted matches; all in a long scrollback would block the window. */
const MAX_MARKS = 1_000;

export type FindResult = { readonly at: number; readonly count: number };

export type StageListeners = {
  readonly onInput: (text: string) => void;
  readonly onResize: (size: TerminalSize) => void;
  readonly action: (action: TerminalAction) => void;
  /** A link was clicked. */
  readonly onLink: (url: string) => void;
  /** `at` counts from 0; -1: none selected. */
  readonly onFind: (matches: FindResult) => void;
  readonly onSelection: (hasSelection: boolean) => void;
};

/** An xterm that fills its element and follows its size and the theme until disposed. */
export type TerminalStage = {
  readonly size: TerminalSize;
  readonly sink: Pick<TerminalSink, 'reset' | 'write'>;
  readonly focus: () => void;
  readonly selection: () => string;
  readonly find: (text: string, where: 'as-typed' | 'next' | 'previous') => void;
  readonly endFind: () => void;
  readonly setScreenReader: (isOn: boolean) => void;
  /** Ignores input. */
  readonly setReadOnly: (isStill: boolean) => void;
  readonly dispose: () => void;
};

export function createTerminalStage(
  host: HTMLElement,
  options: {
    readonly label: string;
    readonly screenReader: boolean;
    /** False: tmux answers terminal queries; a second answer would be typed into the shell. */
    readonly answersReports: boolean;
  },
  listeners: StageListeners,
): TerminalStage {
  const style = getComputedStyle(host);
  const terminal = new Terminal({
    allowProposedApi: true, // marks of the search
    cursorBlink: false,
    fontFamily: style.getPropertyValue('--font-mono').trim() || 'monospace',
    fontSize: FONT_SIZE,
    lineHeight: 1.15,
    minimumContrastRatio: CONTRAST,
    screenReaderMode: options.screenReader,
    scrollback: SCROLLBACK_LINES,
    theme: terminalTheme(host),
  });
  const fit = new FitAddon();
  const search = new SearchAddon({ highlightLimit: MAX_MARKS });
  let isReplaying = false;
  let replays = 0;
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, url) => listeners.onLink(url)));
  suppressReports(terminal.parser, () => isReplaying || !options.answersReports);
  terminal.open(host);
  if (terminal.textarea !== undefined) {
    terminal.textarea.setAttribute('aria-label', `${options.label}. Shift and Escape leave it.`);
  }

  const refit = (): void => {
    // Hidden, or before the first layout: no size to fit.
    if (host.clientWidth > 0 && host.clientHeight > 0) fit.fit();
  };
  refit();
  const observer = new ResizeObserver(refit);
  observer.observe(host);
  const endTheme = onThemeChange(() => {
    terminal.options.theme = terminalTheme(host);
  });

  terminal.onData((text) => {
    if (!isReplaying) listeners.onInput(text);
  });
  terminal.onBinary((text) => listeners.onInput(text));
  terminal.onResize(({ cols, rows }) => listeners.onResize({ columns: cols, rows }));
  terminal.onSelectionChange(() => listeners.onSelection(terminal.hasSelection()));
  search.onDidChangeResults(({ resultIndex, resultCount }) =>
    listeners.onFind({ at: resultIndex, count: resultCount }),
  );
  terminal.attachCustomKeyEventHandler((event) => {
    const action = actionOfKey(event);
    if (action === null) return !isForWindow(event, terminal.options.disableStdin === true);
    if (event.type !== 'keydown') return false;
    // Left to the browser, which pastes into xterm; the page may not read the clipboard itself.
    if (action === 'paste') return false;
    event.preventDefault();
    event.stopPropagation();
    listeners.action(action);
    return false;
  });

  const decorations = () => ({
    matchBackground: cssColor(host, '--fair-soft'),
    matchOverviewRuler: cssColor(host, '--fair-mark'),
    activeMatchBackground: cssColor(host, '--term-found'),
    activeMatchColorOverviewRuler: cssColor(host, '--accent'),
  });

  return {
    get size() {
      return { columns: terminal.cols, rows: terminal.rows };
    },
    sink: {
      reset: (text, drawn) => {
        isReplaying = true;
        replays += 1;
        const replay = replays;
        terminal.reset();
        terminal.write(text, () => {
          if (replay === replays) isReplaying = false;
          drawn();
        });
      },
      write: (text, drawn) => terminal.write(text, drawn),
    },
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    find: (text, where) => {
      const how = { decorations: decorations(), incremental: where === 'as-typed' };
      if (text === '') search.clearDecorations();
      else if (where === 'next') search.findNext(text, how);
      // Upwards: what one searches in a terminal is mostly recent.
      else search.findPrevious(text, how);
    },
    endFind: () => {
      search.clearDecorations();
      terminal.clearSelection();
    },
    setScreenReader: (isOn) => {
      terminal.options.screenReaderMode = isOn;
    },
    setReadOnly: (isStill) => {
      terminal.options.disableStdin = isStill;
    },
    dispose: () => {
      endTheme();
      observer.disconnect();
      terminal.dispose();
    },
  };
}
