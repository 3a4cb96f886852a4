import { type Marks, SHELL_SET_UP } from '../logic/shell-scripts';
import { MAX_STDERR_BYTES, MAX_STDOUT_BYTES } from '../machine';
import { FramedOutput, newMarks } from './framed-output';
import { endShell, type OpenShell } from './shell';

/** The outcome of a script in a shell on the machine. */
export type SessionEnd =
  | {
      readonly kind: 'done';
      readonly code: number;
      readonly stdout: Buffer;
      readonly stderr: Buffer;
    }
  /** The shell ended before the script did: the outcome is unknown. */
  | { readonly kind: 'cut' }
  /** It wrote more than the limit. */
  | { readonly kind: 'flood' };

/** One shell on the machine that runs scripts one after the other. */
export class ShellSession {
  readonly #shell: OpenShell;
  readonly #onEnd: () => void;
  #stdout: FramedOutput | null = null;
  #stderr: FramedOutput | null = null;
  #settle: ((end: SessionEnd) => void) | null = null;
  #onBegin: (() => void) | null = null;
  #isOver = false;

  /** `onEnd` is called when it cannot be used any more. */
  constructor(shell: OpenShell, onEnd: () => void) {
    this.#shell = shell;
    this.#onEnd = onEnd;
    shell.stdout.on('data', (chunk: Buffer) => this.#receive(this.#stdout, chunk)).resume();
    shell.stderr.on('data', (chunk: Buffer) => this.#receive(this.#stderr, chunk)).resume();
    shell.once('close', () => this.close());
    shell.stdin.write(SHELL_SET_UP);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The process group of the running script once it has begun; null when that does not happen in time. */
  async group(timeoutMs: number): Promise<number | null> {
    if (!this.#isOver && this.#stdout?.hasBegun === false)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#onBegin = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const word = this.#stdout?.beginFields[0];
    return word === undefined || word === '0' ? null : Number(word);
  }

  /** `block` makes the lines for the shell from the marks of this call. */
  run(block: (marks: Marks) => string): Promise<SessionEnd> {
    if (this.#isOver || this.#settle !== null) return Promise.resolve({ kind: 'cut' });
    const marks = newMarks();
    this.#stdout = new FramedOutput(marks, { bytes: MAX_STDOUT_BYTES, keep: 'all' });
    this.#stderr = new FramedOutput(marks, { bytes: MAX_STDERR_BYTES, keep: 'last' });
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#shell.stdin.write(block(marks));
    });
  }

  /** Ends the shell; a running script is answered as cut. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    endShell(this.#shell);
    this.#notifyBegin();
    this.#end({ kind: 'cut' });
    this.#onEnd();
  }

  #receive(stream: FramedOutput | null, chunk: Buffer): void {
    if (this.#isOver) return;
    // Unexpected output: a leftover of an earlier script would write into the next one's.
    if (stream === null) {
      this.close();
      return;
    }
    stream.push(chunk);
    if (this.#stdout?.hasBegun) this.#notifyBegin();
    if (stream.isFlooded) {
      this.#end({ kind: 'flood' });
      return;
    }
    const [stdout, stderr] = [this.#stdout, this.#stderr];
    if (!stdout?.isComplete || !stderr?.isComplete) return;
    const [code, hasLeftovers] = stdout.endFields;
    this.#end({ kind: 'done', code: Number(code), stdout: stdout.bytes(), stderr: stderr.bytes() });
    // A process that a script left running could write into the next script's output.
    if (hasLeftovers === '0') this.close();
  }

  #notifyBegin(): void {
    this.#onBegin?.();
    this.#onBegin = null;
  }

  #end(end: SessionEnd): void {
    const onSettled = this.#settle;
    this.#settle = null;
    if (end.kind !== 'flood') {
      this.#stdout = null;
      this.#stderr = null;
    }
    onSettled?.(end);
  }
}
