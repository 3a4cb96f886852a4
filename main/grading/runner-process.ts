import { z } from 'zod';
import type { GradingLimits, TestCase } from '../../preload/contract';
import type { Launched } from './launcher';
import type { RunnerReport } from './logic/runner-report';

const reportSchema: z.ZodType<RunnerReport> = z.object({
  end: z.enum(['finished', 'no-json', 'error', 'time', 'memory', 'output', 'fault']),
  output: z.string().nullable(),
  error: z.string().nullable(),
  cpuMs: z.number().nonnegative(),
  wallMs: z.number().nonnegative(),
});
const readySchema = z.object({ ready: z.literal(true) });

/** The runner is gone or talks nonsense; `reason` is for a person. */
export type Silence = { readonly kind: 'silence'; readonly reason: string };
export type Heard<T> = { readonly kind: 'heard'; readonly value: T } | Silence;

const STDERR_KEPT = 2_000;
/** Long enough for a start on a busy computer. */
const START_MS = 10_000;

/** One sandbox with the runner in it. Opened at once, ended by `end`. */
export class RunnerProcess {
  readonly #launched: Launched;
  readonly #lines: string[] = [];
  readonly #ended: Promise<void>;
  #pieces: Buffer[] = [];
  #stderr = '';
  #silence: string | null = null;
  #hasSpoken = false;
  #isEnding = false;
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
      child.once('error', (error) => this.#fallSilent(`The sandbox could not be started: ${error.message}.`));
      child.once('close', (code, signal) => {
        const said = this.#stderr.trim();
        this.#fallSilent(
          `The sandbox ended (${signal ?? `exit code ${code}`})${said === '' ? '' : `: ${said}`}.`,
        );
        launched.tidy().then(resolve, () => resolve());
      });
    });
  }

  /** Tells the candidate, after `ready` and before `send`. */
  begin(candidate: { program: string; entryPoint: string | null; limits: GradingLimits }): void {
    this.#write({ ...candidate, processBase: this.#launched.processBase });
  }

  /** Asks for one test, without its expected value. */
  send(test: TestCase): void {
    if (test.kind === 'check') this.#write({ kind: test.kind, source: test.source });
    else this.#write({ kind: test.kind, input: test.input });
  }

  /** All of the candidate's tests are reported: a runner that serves several gets `ready` for the next. */
  finish(): void {
    this.#write({ kind: 'end' });
  }

  async ready(patienceMs: number): Promise<Heard<null>> {
    const line = await this.#next(patienceMs);
    if (line.kind === 'silence') return line;
    const said = readySchema.safeParse(parseJson(line.value));
    return said.success ? { kind: 'heard', value: null } : silence('The runner did not start as it should.');
  }

  /** The report of the next test. `patienceMs` is far above the test's own limits: it is for a runner that hangs. */
  async report(patienceMs: number): Promise<Heard<RunnerReport>> {
    const line = await this.#next(patienceMs);
    if (line.kind === 'silence') return line;
    const said = reportSchema.safeParse(parseJson(line.value));
    return said.success ? { kind: 'heard', value: said.data } : silence('The runner sent what is no report.');
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

  #write(message: unknown): void {
    if (this.#silence === null) this.#launched.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #take(data: Buffer): void {
    this.#hasSpoken = true;
    if (this.#isEnding) this.#launched.stop();
    let from = 0;
    for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, from)) {
      this.#lines.push(Buffer.concat([...this.#pieces, data.subarray(from, at)]).toString('utf8'));
      this.#pieces = [];
      from = at + 1;
    }
    if (from < data.length) this.#pieces.push(data.subarray(from));
    this.#wake?.();
  }

  #fallSilent(reason: string): void {
    this.#silence ??= reason;
    this.#wake?.();
  }

  async #next(patienceMs: number): Promise<Heard<string>> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return { kind: 'heard', value: line };
      if (this.#silence !== null) return silence(this.#silence);
      const left = until - performance.now();
      if (left <= 0) return silence('The runner did not answer in time.');
      await this.#change(left);
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
