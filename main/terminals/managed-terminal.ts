import type { TerminalSnapshot, TerminalView } from '../../preload/contract';
import type { Disposable } from '../base';
import type { Terminal } from '../machines';
import { OutputBuffer } from './logic/output-buffer';
import { createReader } from './reader';
import type { TerminalOutput, TerminalSize } from './terminals';

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

/** One terminal in the list: its view, its last output, its reader, and the current source of its output. */
export class ManagedTerminal {
  readonly #buffer = new OutputBuffer();
  readonly #reader;
  readonly #emitOutput: (output: TerminalOutput) => void;
  readonly #emitChange: () => void;
  #view: TerminalView;
  #source: TerminalSource | null = null;
  #subscriptions: Disposable[] = [];
  #size: TerminalSize;

  constructor(
    view: TerminalView,
    size: TerminalSize,
    listeners: { readonly output: (output: TerminalOutput) => void; readonly changed: () => void },
    silenceMs?: number,
  ) {
    this.#view = view;
    this.#size = size;
    this.#emitOutput = listeners.output;
    this.#emitChange = listeners.changed;
    this.#reader = createReader((units) => this.#source?.acknowledge(units), silenceMs);
  }

  get view(): TerminalView {
    return this.#view;
  }

  /** As the window last set it. */
  get size(): TerminalSize {
    return this.#size;
  }

  get hasSource(): boolean {
    return this.#source !== null;
  }

  /** Takes the output from this source from now on; `ended` is called once, when it has no more. */
  connect(source: TerminalSource, ended: (code: number | null) => void): void {
    this.#source = source;
    this.#subscriptions = [
      source.onData((text) => this.append(text)),
      source.onRedraw(() => this.#buffer.restart()),
      source.onEnd((code) => {
        if (this.#source === source) this.#source = null;
        ended(code);
      }),
    ];
    this.setState({ kind: 'open' });
  }

  /** Appends output of the terminal. */
  append(text: string): void {
    const offset = this.#buffer.end;
    this.#buffer.append(text);
    const isRead = this.#reader.isPresent();
    // Before it is emitted: a reader may acknowledge at once.
    this.#reader.sent(text.length);
    if (isRead) this.#emitOutput({ terminalId: this.#view.id, offset, text });
  }

  setState(state: TerminalView['state']): void {
    if (JSON.stringify(state) === JSON.stringify(this.#view.state)) return;
    this.#view = { ...this.#view, state };
    this.#emitChange();
  }

  attach(): TerminalSnapshot {
    this.#reader.attach();
    return { view: this.#view, ...this.#buffer.snapshot() };
  }

  acknowledge(units: number): void {
    if (this.#reader.acknowledged(units)) return;
    // The reader had been dropped as too slow and reads again: an offset that it does not expect makes it attach again.
    this.#emitOutput({ terminalId: this.#view.id, offset: this.#buffer.end, text: '' });
  }

  /** False: there is no shell to type into. */
  write(text: string): boolean {
    this.#source?.write(text);
    return this.#source !== null;
  }

  resize(size: TerminalSize): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#source?.resize(size);
  }

  /** Stops reading and leaves the source to its owner. */
  release(): void {
    this.#reader.dispose();
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
    // Everything counts as read, so that a paused terminal continues.
    this.#source?.acknowledge(Number.MAX_SAFE_INTEGER);
    this.#source = null;
  }

  /** Ends the source too. */
  dispose(): void {
    this.#reader.dispose();
    this.#source?.dispose();
    this.#source = null;
  }
}
