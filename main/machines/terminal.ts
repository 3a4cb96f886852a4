import type { IPty } from '@lydell/node-pty';
import type { Refusal } from '../../preload/contract';
import { type Disposable, Emitter, failed, ok, type Result } from '../base';
import { asUser } from './local-run';
import { FlowControl } from './logic/flow-control';

/** Output within this is passed on together: one message instead of hundreds, too short to notice. */
const BATCH_MS = 5;
/**
 * A pty's last output and its exit arrive in any order; the end is reported after so long without output. Even so the
 * kernel may drop the last bytes of a program that ends right after writing, so nothing important goes through a pty.
 */
const QUIET_MS = 50;

export type TerminalOptions = {
  readonly shell: string;
  readonly args: readonly string[];
  /** An existing folder. */
  readonly cwd: string;
  /** Added to this process' own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
};

/** `signal` is the number of the one that ended it; 0 when it ended by itself. */
export type TerminalEnd = { readonly code: number; readonly signal: number };

/** A program in a pty, read by a window. The reader acknowledges what it has drawn, or output stops coming. */
export class Terminal implements Disposable {
  readonly #pty: IPty;
  readonly #flow = new FlowControl();
  readonly #data = new Emitter<string>();
  readonly #end = new Emitter<TerminalEnd>();
  #batch: string[] = [];
  #batchTimer: NodeJS.Timeout | null = null;
  #quietTimer: NodeJS.Timeout | null = null;
  #ended: TerminalEnd | null = null;
  #isOver = false;
  /** Resolves when the program has ended for any reason; its last output may arrive later. */
  readonly gone: Promise<void>;

  constructor(pty: IPty) {
    this.#pty = pty;
    pty.onData((text) => this.#receive(text));
    this.gone = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => {
        this.#ended = { code: exitCode, signal: signal ?? 0 };
        this.#waitForQuiet();
        resolve();
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Batches of output, in order. */
  onData(listener: (text: string) => void): Disposable {
    return this.#data.on(listener);
  }

  /** Emitted once, after the last output. */
  onEnd(listener: (end: TerminalEnd) => void): Disposable {
    return this.#end.on(listener);
  }

  /** The reader has drawn so many UTF-16 units: the sum of `text.length` over any number of `onData` batches. */
  acknowledge(units: number): void {
    if (this.#flow.acknowledged(units) && !this.#isOver && this.#ended === null) this.#pty.resume();
  }

  /** Keystrokes and pasted text; nothing once the program has ended. */
  write(text: string): void {
    if (this.#ended === null && !this.#isOver) this.#pty.write(text);
  }

  /** Whole numbers from 1. */
  resize(columns: number, rows: number): void {
    if (this.#ended === null && !this.#isOver) this.#pty.resize(columns, rows);
  }

  /** Hangs up (as a closed window does) and emits nothing any more. */
  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
    if (this.#quietTimer !== null) clearTimeout(this.#quietTimer);
    // A paused pty keeps its descriptor; resumed, it reads to its end and closes.
    this.#pty.resume();
    if (this.#ended === null) this.#pty.kill('SIGHUP');
  }

  #receive(text: string): void {
    if (this.#isOver) return;
    this.#batch.push(text);
    this.#batchTimer ??= setTimeout(() => this.#flush(), BATCH_MS);
    if (this.#flow.sent(text.length)) this.#pty.pause();
    if (this.#ended !== null) this.#waitForQuiet();
  }

  #flush(): void {
    this.#batchTimer = null;
    const text = this.#batch.join('');
    this.#batch = [];
    if (text !== '') this.#data.emit(text);
  }

  #waitForQuiet(): void {
    if (this.#isOver) return;
    if (this.#quietTimer !== null) clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => {
      if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
      this.#flush();
      this.#isOver = true;
      if (this.#ended !== null) this.#end.emit(this.#ended);
    }, QUIET_MS);
  }
}

/** Opens a terminal on this computer. */
export async function openTerminal(options: TerminalOptions): Promise<Result<Terminal, Refusal>> {
  try {
    // Loaded on demand: where the native part does not load, everything but terminals still works.
    const { spawn } = await import('@lydell/node-pty');
    const [program, words] = asUser(options.shell, options.args);
    const pty = spawn(program, [...words], {
      name: 'xterm-256color',
      cols: options.columns,
      rows: options.rows,
      cwd: options.cwd,
      env: { ...process.env, COLORTERM: 'truecolor', ...options.env },
    });
    return ok(new Terminal(pty));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return failed({
      code: 'unavailable',
      message: `Cannot open a terminal for ${options.shell}: ${cause}.`,
    });
  }
}
