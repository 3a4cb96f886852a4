import type { Disposable } from '../base';
import type { Terminal } from '../machines';
import type { TerminalSize } from './terminals';

/** The source of a terminal's output: a pty of this computer, or a client of tmux on a machine. */
export type TerminalSource = Disposable & {
  readonly onData: (listener: (text: string) => void) => Disposable;
  /** The next output redraws the screen and the scrollback. */
  readonly onRedraw: (listener: () => void) => Disposable;
  /** Called once, after the last output. `code` null where it is unknown. */
  readonly onEnd: (listener: (code: number | null) => void) => Disposable;
  /** So many units of `onData` were processed; without it output stops. */
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
    // A signal is reported as a shell does: 128 plus its number.
    onEnd: (listener) => terminal.onEnd(({ code, signal }) => listener(signal > 0 ? 128 + signal : code)),
    acknowledge: (units) => terminal.acknowledge(units),
    write: (text) => terminal.write(text),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    dispose: () => terminal.dispose(),
  };
}
