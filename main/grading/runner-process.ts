import { type CommonWork, frameOf } from './common-process-frames';
import { reportOf } from './frame-report';
import type { LaunchedRunner } from './launcher';
import type { RunnerReport, RunnerTest } from './logic/runner-work';
import {
  candidateFrame,
  endFrame,
  FrameReader,
  type RunnerCandidate,
  type RunnerFrame,
  type TestOptions,
  testFrame,
} from './runner-frames';

/** The runner ended, timed out or sent malformed data; `reason` is for people. */
export type RunnerFailure = { readonly kind: 'silence'; readonly reason: string };
export type RunnerAnswer<T> = { readonly kind: 'answered'; readonly value: T } | RunnerFailure;

/** The answer to a test. `wasTooSlow`: it was started in a shared process; it needs one of its own. */
export type TestAnswer =
  | { readonly kind: 'report'; readonly report: RunnerReport; readonly wasShared: boolean }
  | { readonly kind: 'not-run'; readonly wasTooSlow: boolean };

const STDERR_CHARACTERS = 2_000;
/** Long enough for a start on a busy computer. */
const START_MS = 10_000;

/** One sandbox with the runner in it. Opened at once, ended by `end`. */
export class RunnerProcess {
  readonly #launched: LaunchedRunner;
  readonly #reader = new FrameReader();
  readonly #frames: RunnerFrame[] = [];
  readonly #ended: Promise<void>;
  #outbox: Buffer[] = [];
  #stderr = '';
  #failure: string | null = null;
  #hasAnswered = false;
  #wasReady = false;
  #isEnding = false;
  #isSpent = false;
  #hasStayed = false;
  #isInCandidate = false;
  #candidates = 0;
  #wake: (() => void) | null = null;

  constructor(launched: LaunchedRunner) {
    this.#launched = launched;
    const child = launched.process;
    child.stdout.on('data', (data: Buffer) => this.#receive(data));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS);
    });
    // Writing to a runner that has just ended fails here too; `close` reports its end.
    child.stdin.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      child.onError((error) => this.#fail(`The sandbox could not be started: ${error.message}.`));
      child.onClose((code, signal) => {
        const stderr = this.#stderr.trim();
        this.#fail(
          `The sandbox ended (${signal ?? `exit code ${code}`})${stderr === '' ? '' : `: ${stderr}`}.`,
        );
        launched.cleanUp().then(resolve, () => resolve());
      });
    });
  }

  /** It runs no further tests: something that a program left could not be removed, or its tests are not wanted. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Nobody waits for the tests that it was sent and has not reported. */
  leave(): void {
    this.#isSpent = true;
  }

  /** Number of candidates sent so far. */
  get candidates(): number {
    return this.#candidates;
  }

  /** Sends candidates for the common process; each is answered by `reportTogether`. */
  sendBatch(works: readonly CommonWork[]): void {
    this.#candidates += works.length;
    for (const [i, work] of works.entries()) {
      this.#outbox.push(frameOf(work, this.#launched.processBase, i + 1 === works.length));
    }
    this.flush();
  }

  /**
   * The answer for the next candidate of a batch. `own-process`: it needs its own process. `passed-over`: it was not
   * run, because the common process ended before it.
   */
  async batchReport(timeoutMs: number): Promise<RunnerAnswer<Buffer | 'own-process' | 'passed-over'>> {
    const answer = await this.#next(timeoutMs);
    if (answer.kind === 'silence') return answer;
    if (answer.value.kind !== 'tested') return runnerFailure('The runner sent something else than a report.');
    const { isSpent, reason, childReport } = answer.value;
    this.#isSpent ||= isSpent;
    if (reason === 'passed-over') return { kind: 'answered', value: reason };
    return { kind: 'answered', value: reason === null ? childReport : 'own-process' };
  }

  /** Queues the candidate itself: after `ready` and before `send`. `flush` sends it. */
  sendCandidate(candidate: RunnerCandidate): void {
    this.#candidates += 1;
    this.#isInCandidate = true;
    this.#outbox.push(candidateFrame(candidate, this.#launched.processBase));
  }

  /** Queues one test, which has no expected output; `flush` sends it. */
  sendTest(test: RunnerTest, how: TestOptions): void {
    this.#outbox.push(testFrame(test, how));
  }

  flush(): void {
    const [first, ...more] = this.#outbox;
    this.#outbox = [];
    if (first === undefined || this.#failure !== null) return;
    this.#launched.process.stdin.write(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }

  /** After all of the candidate's tests are reported. Sent at once only if the runner waits for it. */
  endCandidate(): void {
    if (!this.#isInCandidate) return;
    this.#isInCandidate = false;
    this.#outbox.push(endFrame());
    if (this.#launched.isReadyEachTime || this.#hasStayed) this.flush();
    this.#hasStayed = false;
  }

  async ready(timeoutMs: number): Promise<RunnerAnswer<null>> {
    if (this.#wasReady && !this.#launched.isReadyEachTime) {
      return this.#failure === null ? { kind: 'answered', value: null } : runnerFailure(this.#failure);
    }
    const answer = await this.#next(timeoutMs);
    if (answer.kind === 'silence') return answer;
    this.#wasReady = true;
    return answer.value.kind === 'ready'
      ? { kind: 'answered', value: null }
      : runnerFailure('The runner sent something else than "ready".');
  }

  /** The report on the next test. `timeoutMs` is far above the test's own limits, for a runner that hangs. */
  async report(test: RunnerTest, timeoutMs: number): Promise<RunnerAnswer<TestAnswer>> {
    const answer = await this.#next(timeoutMs);
    if (answer.kind === 'silence') return answer;
    if (answer.value.kind !== 'tested') return runnerFailure('The runner sent something else than a report.');
    const { isSpent, hasStayed, wasShared, reason } = answer.value;
    this.#isSpent ||= isSpent;
    this.#hasStayed = hasStayed;
    if (reason === 'again' || reason === 'passed-over') {
      return { kind: 'answered', value: { kind: 'not-run', wasTooSlow: reason === 'again' } };
    }
    const report = reportOf({ ...answer.value, reason }, test);
    return { kind: 'answered', value: { kind: 'report', report, wasShared } };
  }

  /** Ends the sandbox with all that is in it; resolves when it is gone. */
  end(): Promise<void> {
    if (this.#isEnding) return this.#ended;
    this.#isEnding = true;
    this.#fail('The sandbox was closed.');
    if (this.#hasAnswered) {
      this.#launched.stop();
    } else {
      // It is still starting: a runner whose input is closed ends by itself, and one that hangs is killed.
      this.#launched.process.stdin.destroy();
      const timer = setTimeout(() => this.#launched.stop(), START_MS);
      void this.#ended.finally(() => clearTimeout(timer));
    }
    return this.#ended;
  }

  #receive(data: Buffer): void {
    this.#hasAnswered = true;
    if (this.#isEnding) this.#launched.stop();
    this.#reader.push(data);
    for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) {
      this.#frames.push(frame);
    }
    if (this.#frames.length > 0) this.#wake?.();
  }

  #fail(reason: string): void {
    this.#failure ??= reason;
    this.#wake?.();
  }

  async #next(timeoutMs: number): Promise<RunnerAnswer<RunnerFrame>> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return { kind: 'answered', value: frame };
      if (this.#failure !== null) return runnerFailure(this.#failure);
      if (performance.now() >= until) return runnerFailure('The runner did not answer in time.');
      await this.#waitForChange(timeoutMs);
    }
  }

  #waitForChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}

function runnerFailure(reason: string): RunnerFailure {
  return { kind: 'silence', reason };
}
