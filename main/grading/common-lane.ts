import { type CommonWork, reportsOf } from './common-frames';
import type { RunnerReport } from './logic/runner-report';
import type { RunnerPool } from './runner-pool';
import type { RunnerProcess } from './runner-process';
import type { Slots } from './slots';

/** Candidates that go to a runner together, and their bytes. */
const MOST_TOGETHER = 32;
const MOST_BYTES = 256 * 1024;
/** A larger one is alone with its process soon enough. */
const LARGEST = 1024 * 1024;
const START_PATIENCE_MS = 30_000;
/** Far above what so many can take: the runner ends a test there that takes long. */
const REPORT_PATIENCE_MS = 60_000;
/** A candidate that was passed over so often, because others beside it took long, gets a process of its own. */
const MOST_TRIES = 3;
/** Runners that fell silent one after the other: then this way is not taken any more. */
const MOST_SILENCES = 3;

type Waiting = {
  readonly work: CommonWork;
  readonly bytes: number;
  readonly signal: AbortSignal;
  /** null: it needs a process of its own. */
  readonly resolve: (reports: readonly RunnerReport[] | null) => void;
  tries: number;
};

/**
 * Candidates that may share a process (docs/sandbox.md): what waits is sent to a runner together, as many runners at a
 * time as there are slots. Whether a program may, its sandbox decides.
 */
export class CommonLane {
  readonly #pool: RunnerPool;
  readonly #slots: Slots;
  readonly #most: number;
  readonly #under: AbortSignal;
  #waiting: Waiting[] = [];
  #isCollecting = false;
  #turns = 0;
  #turnsToCome = 0;
  #silences = 0;

  /** `most`: runners at a time. */
  constructor(pool: RunnerPool, slots: Slots, most: number, under: AbortSignal) {
    this.#pool = pool;
    this.#slots = slots;
    this.#most = most;
    this.#under = under;
  }

  /** Candidates that wait, beside those for which a slot is queued for. */
  get queued(): number {
    return Math.max(0, this.#waiting.length - this.#turnsToCome);
  }

  /**
   * The reports on the candidate's tests from the first one on, perhaps not on all; null when it needs a process of its
   * own, for whatever reason, and when `signal` was aborted before its turn came.
   */
  run(work: CommonWork, signal: AbortSignal): Promise<readonly RunnerReport[] | null> {
    const bytes = work.texts.reduce((sum, text) => sum + text.length, work.program.length);
    if (bytes > LARGEST || this.#silences >= MOST_SILENCES) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push({ work, bytes, signal, resolve, tries: 0 });
      if (this.#isCollecting) return;
      this.#isCollecting = true;
      // What is asked for in the same breath goes together.
      setImmediate(() => {
        this.#isCollecting = false;
        this.#takeTurns();
      });
    });
  }

  #takeTurns(): void {
    while (this.#turns < Math.min(this.#most, this.#waiting.length)) {
      this.#turns += 1;
      this.#turnsToCome += 1;
      void this.#slots
        .run(() => this.#turn(), this.#under)
        .then((done) => {
          this.#turns -= 1;
          if (done === null) this.#giveUp(this.#waiting.splice(0));
          else this.#takeTurns();
        });
    }
  }

  async #turn(): Promise<true> {
    this.#turnsToCome -= 1;
    const batch = this.#nextBatch();
    if (batch.length > 0) await this.#runBatch(batch);
    return true;
  }

  #nextBatch(): Waiting[] {
    const most = Math.min(MOST_TOGETHER, Math.ceil(this.#waiting.length / this.#most));
    const batch: Waiting[] = [];
    let bytes = 0;
    while (batch.length < most && bytes < MOST_BYTES) {
      const next = this.#waiting[0];
      if (next === undefined) break;
      const memory = batch[0]?.work.limits.memoryBytes ?? next.work.limits.memoryBytes;
      if (next.work.limits.memoryBytes !== memory) break;
      this.#waiting.shift();
      if (next.signal.aborted) next.resolve(null);
      else {
        batch.push(next);
        bytes += next.bytes;
      }
    }
    return batch;
  }

  async #runBatch(batch: readonly Waiting[]): Promise<void> {
    let runner: RunnerProcess;
    try {
      runner = await this.#pool.take();
    } catch {
      this.#giveUp(batch);
      return;
    }
    const isGood = await this.#speakWith(runner, batch);
    this.#silences = isGood ? 0 : this.#silences + 1;
    if (isGood) this.#pool.giveBack(runner);
    else this.#pool.end(runner);
  }

  /** False: the runner has fallen silent, or says what makes no sense. */
  async #speakWith(runner: RunnerProcess, batch: readonly Waiting[]): Promise<boolean> {
    const ready = await runner.ready(START_PATIENCE_MS);
    if (ready.kind === 'silence') {
      this.#giveUp(batch);
      return false;
    }
    runner.sendTogether(batch.map(({ work }) => work));
    const again: Waiting[] = [];
    for (const [place, one] of batch.entries()) {
      const heard = await runner.reportTogether(REPORT_PATIENCE_MS);
      const told = heard.kind === 'heard' ? heard.value : null;
      const reports = Buffer.isBuffer(told) ? reportsOf(told, one.work) : null;
      if (told === null || (Buffer.isBuffer(told) && reports === null)) {
        this.#giveUp(batch.slice(place));
        return false;
      }
      one.tries += 1;
      if (told === 'passed-over' && one.tries < MOST_TRIES) again.push(one);
      else one.resolve(reports?.every((report) => isInTime(report, one.work)) ? reports : null);
    }
    this.#waiting.unshift(...again);
    return true;
  }

  #giveUp(these: readonly Waiting[]): void {
    for (const one of these) one.resolve(null);
  }
}

/** What may be a matter of time is told by a process of its own. */
function isInTime({ cpuMs, wallMs }: RunnerReport, { limits }: CommonWork): boolean {
  return cpuMs <= 1_000 * limits.cpuSeconds && wallMs <= 1_000 * limits.wallSeconds;
}
