import type { Launcher } from './launcher';
import { RunnerProcess } from './runner-process';

const IDLE_MS = 10_000;
/** A sandbox is replaced after this many candidates, in case something accumulates in it. */
const MAX_CANDIDATES = 2_000;

/**
 * Hands out runners and keeps started ones in reserve, so that a grade does not wait for a sandbox to start: used ones
 * if they are reusable, else new ones. Ends them after a while without work.
 */
export class RunnerPool {
  readonly #launcher: Launcher;
  readonly #maxSpares: number;
  /** Per runner. */
  readonly #maxCandidates: number;
  readonly #open = new Set<RunnerProcess>();
  readonly #ending = new Set<Promise<void>>();
  /** Starts in progress: their processes are in no other list yet. */
  readonly #launching = new Set<Promise<unknown>>();
  #spares: RunnerProcess[] = [];
  #starting = 0;
  #closed = false;
  #idle: NodeJS.Timeout | null = null;

  constructor(launcher: Launcher, maxSpares: number, maxCandidates = MAX_CANDIDATES) {
    this.#launcher = launcher;
    this.#maxSpares = maxSpares;
    this.#maxCandidates = maxCandidates;
  }

  /** A runner for exclusive use; pass it to `giveBack` or `end`. Rejects when the system starts no process. */
  async take(): Promise<RunnerProcess> {
    this.#restartIdleTimer();
    const runner = this.#spares.shift() ?? (await this.#launch());
    if (!this.#isReusable) this.#startSpare();
    return runner;
  }

  /** After all tests of a candidate were reported. */
  giveBack(runner: RunnerProcess): void {
    const isGood = this.#isReusable && !runner.isSpent && runner.candidates < this.#maxCandidates;
    if (isGood && !this.#closed && this.#open.has(runner)) {
      runner.endCandidate();
      this.#spares.push(runner);
    } else this.end(runner);
  }

  get #isReusable(): boolean {
    return this.#launcher.kind === 'shared' || this.#launcher.kind === 'nested';
  }

  /** Ends a runner in the background; `dispose` waits for it. */
  end(runner: RunnerProcess): void {
    if (!this.#open.delete(runner)) return;
    const ended: Promise<void> = runner.end().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async dispose(): Promise<void> {
    this.#closed = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#spares = [];
    for (const runner of this.#open) this.end(runner);
    while (this.#launching.size + this.#ending.size > 0) {
      await Promise.allSettled([...this.#launching, ...this.#ending]);
    }
  }

  #launch(): Promise<RunnerProcess> {
    const launch = async (): Promise<RunnerProcess> => {
      const runner = new RunnerProcess(await this.#launcher.launch());
      this.#open.add(runner);
      if (this.#closed) this.end(runner);
      return runner;
    };
    const launching = launch().finally(() => this.#launching.delete(launching));
    this.#launching.add(launching);
    return launching;
  }

  #startSpare(): void {
    if (this.#closed || this.#spares.length + this.#starting >= this.#maxSpares) return;
    this.#starting += 1;
    this.#launch()
      .then((runner) => this.#spares.push(runner))
      // The next candidate starts its own runner and then gets the reason.
      .catch(() => undefined)
      .finally(() => {
        this.#starting -= 1;
      });
  }

  #restartIdleTimer(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    if (this.#closed) return;
    this.#idle = setTimeout(() => {
      for (const runner of this.#spares) this.end(runner);
      this.#spares = [];
    }, IDLE_MS).unref();
  }
}
