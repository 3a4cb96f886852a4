import type { TerminalSnapshot, TerminalView } from '../../preload/contract';
import type { Disposable } from '../base';
import { OutputRecord } from './logic/output-record';
import { createReader } from './reader';
import type { TerminalSource } from './source';
import type { TerminalOutput, TerminalSize } from './terminals';

/** One terminal in the list: its view, its last output, who reads it, and where its output comes from now. */
export class KeptTerminal {
  readonly #record = new OutputRecord();
  readonly #reader;
  readonly #tell: (output: TerminalOutput) => void;
  readonly #changed: () => void;
  #view: TerminalView;
  #source: TerminalSource | null = null;
  #subscriptions: Disposable[] = [];
  #size: TerminalSize;

  constructor(
    view: TerminalView,
    size: TerminalSize,
    told: { readonly output: (output: TerminalOutput) => void; readonly changed: () => void },
    silenceMs?: number,
  ) {
    this.#view = view;
    this.#size = size;
    this.#tell = told.output;
    this.#changed = told.changed;
    this.#reader = createReader((units) => this.#source?.acknowledge(units), silenceMs);
  }

  get view(): TerminalView {
    return this.#view;
  }

  /** As the window last said. */
  get size(): TerminalSize {
    return this.#size;
  }

  get hasSource(): boolean {
    return this.#source !== null;
  }

  /** Output comes from here from now on; `ended` is told once, when it has no more. */
  connect(source: TerminalSource, ended: (code: number | null) => void): void {
    this.#source = source;
    this.#subscriptions = [
      source.onData((text) => this.show(text)),
      source.onRedraw(() => this.#record.restart()),
      source.onEnd((code) => {
        if (this.#source === source) this.#source = null;
        ended(code);
      }),
    ];
    this.become({ kind: 'open' });
  }

  /** Takes it as written by the terminal. */
  show(text: string): void {
    const offset = this.#record.end;
    this.#record.append(text);
    const isRead = this.#reader.isThere();
    // Before it is told: a reader may acknowledge at once.
    this.#reader.sent(text.length);
    if (isRead) this.#tell({ terminalId: this.#view.id, offset, text });
  }

  become(state: TerminalView['state']): void {
    if (JSON.stringify(state) === JSON.stringify(this.#view.state)) return;
    this.#view = { ...this.#view, state };
    this.#changed();
  }

  attach(): TerminalSnapshot {
    this.#reader.arrived();
    return { view: this.#view, ...this.#record.snapshot() };
  }

  acknowledge(units: number): void {
    if (this.#reader.acknowledged(units)) return;
    // It was given up and is there after all: an output that does not follow what it has makes it attach again.
    this.#tell({ terminalId: this.#view.id, offset: this.#record.end, text: '' });
  }

  /** False: there is nothing to type into. */
  write(text: string): boolean {
    this.#source?.write(text);
    return this.#source !== null;
  }

  resize(size: TerminalSize): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#source?.resize(size);
  }

  /** Reads no more and leaves the source to its owner. */
  release(): void {
    this.#reader.dispose();
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
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
