import type { Disposable } from '../base';
import type { Terminal } from '../machines';
import type { TerminalSize } from './terminals';

/** Where the output of a terminal comes from: a pty of this computer, or a client of tmux on a machine. */
export type TerminalSource = Disposable & {
  readonly onData: (listener: (text: string) => void) => Disposable;
  /** What comes next draws the screen and what is above it anew. */
  readonly onRedraw: (listener: () => void) => Disposable;
  /** Told once, after the last output. `code` null where nobody knows it. */
  readonly onEnd: (listener: (code: number | null) => void) => Disposable;
  /** So many units of what `onData` gave are dealt with; without it output stops coming. */
  readonly acknowledge: (units: number) => void;
  readonly write: (text: string) => void;
  readonly resize: (size: TerminalSize) => void;
};

const NOTHING: Disposable = { dispose: () => {} };

/** Disposing of it hangs up. */
export function ptySource(terminal: Terminal): TerminalSource {
  return {
    onData: (listener) => terminal.onData(listener),
    onRedraw: () => NOTHING,
    // A signal is told as a shell would: 128 and its number.
    onEnd: (listener) => terminal.onEnd(({ code, signal }) => listener(signal > 0 ? 128 + signal : code)),
    acknowledge: (units) => terminal.acknowledge(units),
    write: (text) => terminal.write(text),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    dispose: () => terminal.dispose(),
  };
}
