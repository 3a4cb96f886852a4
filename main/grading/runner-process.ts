import { type CommonWork, frameOf } from './common-frames';
import { reportOf } from './frame-report';
import type { Launched } from './launcher';
import type { RunnerReport } from './logic/runner-report';
import type { RunnerTest } from './logic/runner-work';
import {
  candidateFrame,
  endFrame,
  FrameReader,
  type HowToRun,
  type RunnerCandidate,
  type RunnerFrame,
  testFrame,
} from './runner-frames';

/** The runner is gone or talks nonsense; `reason` is for a person. */
export type Silence = { readonly kind: 'silence'; readonly reason: string };
export type Heard<T> = { readonly kind: 'heard'; readonly value: T } | Silence;

/** What became of a test. `wasTooSlow`: it was begun in the process of another one; it needs one of its own. */
export type Answer =
  | { readonly kind: 'report'; readonly report: RunnerReport; readonly wasShared: boolean }
  | { readonly kind: 'not-run'; readonly wasTooSlow: boolean };

const STDERR_KEPT = 2_000;
/** Long enough for a start on a busy computer. */
const START_MS = 10_000;

/** One sandbox with the runner in it. Opened at once, ended by `end`. */
export class RunnerProcess {
  readonly #launched: Launched;
  readonly #reader = new FrameReader();
  readonly #frames: RunnerFrame[] = [];
  readonly #ended: Promise<void>;
  #unsent: Buffer[] = [];
  #stderr = '';
  #silence: string | null = null;
  #hasSpoken = false;
  #wasReady = false;
  #isEnding = false;
  #isSpent = false;
  #hasStayed = false;
  #isInCandidate = false;
  #candidates = 0;
  #wake: (() => void) | null = null;

  constructor(launched: Launched) {
    this.#launched = launched;
    const child = launched.process;
    child.stdout.on('data', (data: Buffer) => this.#take(data));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    // Writing to a runner that has just ended fails here too; its end is told by `close`.
    child.stdin.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      child.onError((error) => this.#fallSilent(`The sandbox could not be started: ${error.message}.`));
      child.onClose((code, signal) => {
        const said = this.#stderr.trim();
        this.#fallSilent(
          `The sandbox ended (${signal ?? `exit code ${code}`})${said === '' ? '' : `: ${said}`}.`,
        );
        launched.tidy().then(resolve, () => resolve());
      });
    });
  }

  /** It runs no further test: something that a program left could not be removed. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Candidates that it was told so far. */
  get candidates(): number {
    return this.#candidates;
  }

  /** Sends candidates for the common process; each is answered by `reportTogether`. */
  sendTogether(works: readonly CommonWork[]): void {
    this.#candidates += works.length;
    for (const [i, work] of works.entries()) {
      this.#unsent.push(frameOf(work, this.#launched.processBase, i + 1 === works.length));
    }
    this.flush();
  }

  /**
   * What was told of the next of them. `own-process`: it needs one. `passed-over`: it was not run, for want of a
   * process to run it in.
   */
  async reportTogether(patienceMs: number): Promise<Heard<Buffer | 'own-process' | 'passed-over'>> {
    const heard = await this.#next(patienceMs);
    if (heard.kind === 'silence') return heard;
    if (heard.value.kind !== 'tested') return silence('The runner sent what is no report.');
    const { isSpent, reason, told } = heard.value;
    this.#isSpent ||= isSpent;
    if (reason === 'passed-over') return { kind: 'heard', value: reason };
    return { kind: 'heard', value: reason === null ? told : 'own-process' };
  }

  /** Tells the candidate, after `ready` and before `send`. What is told goes out with `flush`. */
  begin(candidate: RunnerCandidate): void {
    this.#candidates += 1;
    this.#isInCandidate = true;
    this.#unsent.push(candidateFrame(candidate, this.#launched.processBase));
  }

  /** Asks for one test; what it expects is not among its fields. */
  send(test: RunnerTest, how: HowToRun): void {
    this.#unsent.push(testFrame(test, how));
  }

  flush(): void {
    const [first, ...more] = this.#unsent;
    this.#unsent = [];
    if (first === undefined || this.#silence !== null) return;
    this.#launched.process.stdin.write(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }

  /** All of the candidate's tests are reported; told with what comes next where nothing waits for it. */
  finish(): void {
    if (!this.#isInCandidate) return;
    this.#isInCandidate = false;
    this.#unsent.push(endFrame());
    if (this.#launched.isReadyEachTime || this.#hasStayed) this.flush();
    this.#hasStayed = false;
  }

  async ready(patienceMs: number): Promise<Heard<null>> {
    if (this.#wasReady && !this.#launched.isReadyEachTime) {
      return this.#silence === null ? { kind: 'heard', value: null } : silence(this.#silence);
    }
    const heard = await this.#next(patienceMs);
    if (heard.kind === 'silence') return heard;
    this.#wasReady = true;
    return heard.value.kind === 'ready'
      ? { kind: 'heard', value: null }
      : silence('The runner did not start as it should.');
  }

  /** The report on the next test. `patienceMs` is far above the test's own limits: it is for a runner that hangs. */
  async report(test: RunnerTest, patienceMs: number): Promise<Heard<Answer>> {
    const heard = await this.#next(patienceMs);
    if (heard.kind === 'silence') return heard;
    if (heard.value.kind !== 'tested') return silence('The runner sent what is no report.');
    const { isSpent, hasStayed, wasShared, reason } = heard.value;
    this.#isSpent ||= isSpent;
    this.#hasStayed = hasStayed;
    if (reason === 'again' || reason === 'passed-over') {
      return { kind: 'heard', value: { kind: 'not-run', wasTooSlow: reason === 'again' } };
    }
    const report = reportOf({ ...heard.value, reason }, test);
    return { kind: 'heard', value: { kind: 'report', report, wasShared } };
  }

  /** Ends the sandbox with all that is in it; resolves when it is gone. */
  end(): Promise<void> {
    if (this.#isEnding) return this.#ended;
    this.#isEnding = true;
    this.#fallSilent('The sandbox was closed.');
    if (this.#hasSpoken) {
      this.#launched.stop();
    } else {
      // It still starts: a runner that finds its input closed ends by itself, and one that hangs is killed.
      this.#launched.process.stdin.destroy();
      const timer = setTimeout(() => this.#launched.stop(), START_MS);
      void this.#ended.finally(() => clearTimeout(timer));
    }
    return this.#ended;
  }

  #take(data: Buffer): void {
    this.#hasSpoken = true;
    if (this.#isEnding) this.#launched.stop();
    this.#reader.push(data);
    for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) {
      this.#frames.push(frame);
    }
    if (this.#frames.length > 0) this.#wake?.();
  }

  #fallSilent(reason: string): void {
    this.#silence ??= reason;
    this.#wake?.();
  }

  async #next(patienceMs: number): Promise<Heard<RunnerFrame>> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return { kind: 'heard', value: frame };
      if (this.#silence !== null) return silence(this.#silence);
      if (performance.now() >= until) return silence('The runner did not answer in time.');
      await this.#change(patienceMs);
    }
  }

  #change(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}

function silence(reason: string): Silence {
  return { kind: 'silence', reason };
}
