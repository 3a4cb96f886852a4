import type { Disposable } from '../../base';
import { killScript } from '../logic/shell-scripts';
import { endShell, type OpenShell } from './shell';

/** This many beats in a row without an answer mean that the connection is dead. */
const MISSES = 3;
const LINE_FEED = 10;

/**
 * A shell for commands that take no time: it answers heartbeats and kills scripts without waiting for others. ssh has
 * its own heartbeats, but would also give up on a server that is silent while the user approves the login on a phone.
 */
export class Heartbeat implements Disposable {
  readonly #shell: OpenShell;
  readonly #onLost: () => void;
  readonly #timer: NodeJS.Timeout;
  /** One for each unanswered line. */
  #waiting: ((isAlive: boolean) => void)[] = [];
  #missed = 0;
  #isOver = false;

  /** Counts beats, not time: a computer that slept has not waited. */
  constructor(shell: OpenShell, options: { readonly everyMs: number; readonly onLost: () => void }) {
    this.#shell = shell;
    this.#onLost = options.onLost;
    shell.stderr.resume();
    shell.stdout.on('data', (chunk: Buffer) => this.#receive(chunk)).resume();
    shell.once('close', () => this.#lost());
    this.#timer = setInterval(() => this.#beat(), options.everyMs).unref();
  }

  /** Whether an answer comes within that time. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    return this.#answers('', timeoutMs);
  }

  /** Kills a process group there; false when the outcome is unknown. */
  async killGroup(group: number, timeoutMs: number): Promise<boolean> {
    return this.#answers(`${killScript(group)}; `, timeoutMs);
  }

  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    endShell(this.#shell);
    for (const answer of this.#waiting.splice(0)) answer(false);
  }

  #answers(command: string, timeoutMs: number): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#send(command, (isAlive) => {
        clearTimeout(timer);
        resolve(isAlive);
      });
    });
  }

  /** Every line is answered by an empty line, in order. */
  #send(command: string, onAnswer: (isAlive: boolean) => void): void {
    this.#waiting.push(onAnswer);
    this.#shell.stdin.write(`${command}echo\n`);
  }

  #beat(): void {
    if (this.#missed >= MISSES) {
      this.#lost();
      return;
    }
    this.#missed += 1;
    // Any output resets the count of missed beats.
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
