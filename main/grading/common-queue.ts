import { type CommonWork, reportsOf } from './common-process-frames';
import type { RunnerReport } from './logic/runner-work';
import type { RunnerPool } from './runner-pool';
import type { RunnerProcess } from './runner-process';
import type { Slots } from './slots';

/** Maximum number of candidates in a batch, and of their bytes. */
const MAX_BATCH = 32;
const MAX_BATCH_BYTES = 256 * 1024;
/** A larger candidate gets its own process: it would fill most of a batch anyway. */
const MAX_CANDIDATE_BYTES = 1024 * 1024;
const START_TIMEOUT_MS = 30_000;
/** Far longer than any batch takes: the runner itself ends slow tests. */
const REPORT_TIMEOUT_MS = 60_000;
/** A candidate that was skipped so often because other candidates of its batch were slow gets its own process. */
const MAX_TRIES = 3;
/** After this many failed runners in a row, the common process is no longer used. */
const MAX_FAILURES = 3;

type Waiting = {
  readonly work: CommonWork;
  readonly bytes: number;
  readonly signal: AbortSignal;
  /** null: it needs its own process. */
  readonly resolve: (reports: readonly RunnerReport[] | null) => void;
  tries: number;
};

/**
 * Queue of candidates that may share a process (docs/sandbox.md): waiting candidates are sent to runners in batches,
 * with as many runners at a time as there are slots. The sandbox decides which programs may share (static_check.py).
 */
export class CommonQueue {
  readonly #pool: RunnerPool;
  readonly #slots: Slots;
  readonly #maxRunners: number;
  readonly #closing: AbortSignal;
  #waiting: Waiting[] = [];
  #isCollecting = false;
  #slotsTaken = 0;
  #slotsQueued = 0;
  #failures = 0;

  constructor(pool: RunnerPool, slots: Slots, maxRunners: number, closing: AbortSignal) {
    this.#pool = pool;
    this.#slots = slots;
    this.#maxRunners = maxRunners;
    this.#closing = closing;
  }

  /** Waiting candidates, less the slots that wait for them: together with the slots' own queue, how many wait. */
  get queued(): number {
    return this.#waiting.length - this.#slotsQueued;
  }

  /**
   * Reports on the candidate's first tests, perhaps on all of them; null when it needs a process of its own, and as soon
   * as `signal` is aborted.
   */
  run(work: CommonWork, signal: AbortSignal): Promise<readonly RunnerReport[] | null> {
    const bytes = work.texts.reduce((sum, text) => sum + text.length, work.program.length);
    if (bytes > MAX_CANDIDATE_BYTES || this.#failures >= MAX_FAILURES) return Promise.resolve(null);
    return new Promise((resolve) => {
      const leave = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at !== -1) this.#waiting.splice(at, 1);
        resolve(null);
      };
      const waiting: Waiting = {
        ...{ work, bytes, signal, tries: 0 },
        resolve: (reports) => {
          signal.removeEventListener('abort', leave);
          resolve(reports);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      if (this.#isCollecting) return;
      this.#isCollecting = true;
      // Requests of the same tick go into one batch.
      setImmediate(() => {
        this.#isCollecting = false;
        this.#schedule();
      });
    });
  }

  #schedule(): void {
    while (this.#slotsTaken < Math.min(this.#maxRunners, this.#waiting.length)) {
      this.#slotsTaken += 1;
      this.#slotsQueued += 1;
      void this.#slots
        .run(() => this.#runSlot(), this.#closing)
        .then((done) => {
          this.#slotsTaken -= 1;
          if (done === null) this.#needOwnProcess(this.#waiting.splice(0));
          else this.#schedule();
        });
    }
  }

  async #runSlot(): Promise<true> {
    this.#slotsQueued -= 1;
    const batch = this.#nextBatch();
    if (batch.length > 0) await this.#runBatch(batch);
    return true;
  }

  #nextBatch(): Waiting[] {
    const size = Math.min(MAX_BATCH, Math.ceil(this.#waiting.length / this.#maxRunners));
    const batch: Waiting[] = [];
    let bytes = 0;
    while (batch.length < size && bytes < MAX_BATCH_BYTES) {
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
      this.#needOwnProcess(batch);
      return;
    }
    const isGood = await this.#exchange(runner, batch).catch(() => {
      // An error of ours: it comes again where each program is graded by itself, and is reported there.
      this.#needOwnProcess(batch);
      return false;
    });
    this.#failures = isGood ? 0 : this.#failures + 1;
    if (isGood) this.#pool.giveBack(runner);
    else this.#pool.end(runner);
  }

  /** False: the runner does not answer, or sends malformed data. */
  async #exchange(runner: RunnerProcess, batch: readonly Waiting[]): Promise<boolean> {
    const ready = await runner.ready(START_TIMEOUT_MS);
    if (ready.kind === 'silence') {
      this.#needOwnProcess(batch);
      return false;
    }
    runner.sendBatch(batch.map(({ work }) => work));
    const again: Waiting[] = [];
    for (const [position, waiting] of batch.entries()) {
      const answer = await runner.batchReport(REPORT_TIMEOUT_MS);
      const report = answer.kind === 'answered' ? answer.value : null;
      const reports = Buffer.isBuffer(report) ? reportsOf(report, waiting.work) : null;
      if (report === null || (Buffer.isBuffer(report) && reports === null)) {
        this.#needOwnProcess(batch.slice(position));
        return false;
      }
      waiting.tries += 1;
      if (report === 'passed-over' && waiting.tries < MAX_TRIES) again.push(waiting);
      else waiting.resolve(reports?.every((report) => isInTime(report, waiting.work)) ? reports : null);
    }
    this.#waiting.unshift(...again.filter(({ signal }) => !signal.aborted));
    return true;
  }

  #needOwnProcess(these: readonly Waiting[]): void {
    for (const waiting of these) waiting.resolve(null);
  }
}

/** A candidate near its time limits is decided by its own process. */
function isInTime({ cpuMs, wallMs }: RunnerReport, { limits }: CommonWork): boolean {
  return cpuMs <= 1_000 * limits.cpuSeconds && wallMs <= 1_000 * limits.wallSeconds;
}
