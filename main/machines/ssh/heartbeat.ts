import type { Disposable } from '../../base';
import { killScript } from '../logic/shell-scripts';
import { endShell, type OpenShell } from './shell';

/** So many beats in a row without an answer: nobody is there any more. */
const MISSES = 3;
const LINE_FEED = 10;

/**
 * A shell that only does what takes no time: it gives signs of life, again and again, and ends scripts, without waiting
 * for others. ssh could ask for signs of life as well, but would then also give up on a server that is silent while the
 * user looks for a telephone to approve the login.
 */
export class Heartbeat implements Disposable {
  readonly #shell: OpenShell;
  readonly #onLost: () => void;
  readonly #timer: NodeJS.Timeout;
  /** One for each line that was said and not answered. */
  #waiting: ((isAlive: boolean) => void)[] = [];
  #missed = 0;
  #isOver = false;

  /** Beats are counted, not the time: a computer that slept has not waited. */
  constructor(shell: OpenShell, options: { readonly everyMs: number; readonly onLost: () => void }) {
    this.#shell = shell;
    this.#onLost = options.onLost;
    shell.stderr.resume();
    shell.stdout.on('data', (chunk: Buffer) => this.#receive(chunk)).resume();
    shell.once('close', () => this.#lost());
    this.#timer = setInterval(() => this.#beat(), options.everyMs).unref();
  }

  /** Whether an answer comes within that time. */
  async isAlive(patienceMs: number): Promise<boolean> {
    return this.#answers('', patienceMs);
  }

  /** Ends a group there; false when nobody knows whether it ended. */
  async killGroup(group: number, patienceMs: number): Promise<boolean> {
    return this.#answers(`${killScript(group)}; `, patienceMs);
  }

  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    endShell(this.#shell);
    for (const tell of this.#waiting.splice(0)) tell(false);
  }

  #answers(command: string, patienceMs: number): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patienceMs);
      this.#send(command, (isAlive) => {
        clearTimeout(timer);
        resolve(isAlive);
      });
    });
  }

  /** Every line is answered by an empty one, in their order. */
  #send(command: string, tell: (isAlive: boolean) => void): void {
    this.#waiting.push(tell);
    this.#shell.stdin.write(`${command}echo\n`);
  }

  #beat(): void {
    if (this.#missed >= MISSES) {
      this.#lost();
      return;
    }
    this.#missed += 1;
    this.#send('', () => undefined);
  }

  #receive(chunk: Buffer): void {
    this.#missed = 0;
    for (const byte of chunk) if (byte === LINE_FEED) this.#waiting.shift()?.(true);
  }

  #lost(): void {
    if (this.#isOver) return;
    this.dispose();
    this.#onLost();
  }
}
