import type { JobView, Refusal } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import { type ChatClient, createChatClient } from './chat-client';
import { NODE_FILE } from './logic/launch-notes';
import { explainFall, type Fall, type LogEnds, type ServerFailure } from './logic/server-failure';
import type { Program } from './program';
import type { Reach } from './reach';
import { waitUntilReady } from './readiness';
import type { ServerStory } from './server-story';
import { limitsOf, requestTimeoutOf, STOP_GRACE_MS, type SupervisionOptions } from './supervision';

/** Of the log's end, to find out what happened. */
export const TAIL_BYTES = 65_536;
/** Another program may be faster than us at the next port, too; more often than this is no accident. */
const MOST_PORTS = 4;

/** Launches the same again as a new job: a launch as it is saved now, with a port of its own. */
export type StartAnew = (
  old: Program,
) => Promise<Result<{ readonly job: Job; readonly program: Program }, Refusal>>;

/** The job that a server is now, and its way to readiness. */
export class ServerRun implements Disposable {
  readonly #jobs: JobService;
  readonly #options: SupervisionOptions;
  readonly #story: ServerStory;
  readonly #reach: Reach;
  readonly #startAnew: StartAnew;
  /** For our own questions: they neither count nor wait for a turn. */
  readonly #probe: ChatClient;
  #program: Program;
  #job: JobView;
  #baseUrl = '';
  #pid: number | null = null;

  constructor(parts: {
    readonly jobs: JobService;
    readonly job: Job;
    readonly program: Program;
    readonly reach: Reach;
    readonly startAnew: StartAnew;
    readonly options: SupervisionOptions;
    readonly story: ServerStory;
  }) {
    this.#jobs = parts.jobs;
    this.#options = parts.options;
    this.#story = parts.story;
    this.#reach = parts.reach;
    this.#startAnew = parts.startAnew;
    this.#program = parts.program;
    this.#job = parts.job.view;
    this.#probe = createChatClient({
      baseUrl: () => this.#baseUrl,
      model: parts.program.model,
      maxInFlight: 1,
      timeoutMs: requestTimeoutOf(parts.program, parts.options),
    });
  }

  get program(): Program {
    return this.#program;
  }

  /** As last seen. */
  get job(): JobView {
    return this.#job;
  }

  /** With its "/v1"; empty before its port was found. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Of the process that listens, or that leads the job; null while nothing runs. */
  get pid(): number | null {
    const { state } = this.#job;
    return state.kind === 'running' ? (this.#pid ?? state.pid) : null;
  }

  /** The job service has looked. */
  seen(job: JobView): void {
    this.#job = job;
  }

  /** Looks now. False: its machine does not answer. */
  async look(): Promise<boolean> {
    const job = await this.#jobs.inspect(this.#job.id);
    if (job.ok) this.#job = job.value.view;
    return job.ok;
  }

  /** Does it list its models? */
  async answers(signal: AbortSignal): Promise<boolean> {
    return (await this.#probe.models(signal)).ok;
  }

  /**
   * Waits for one real token, and tells the story of it. `logFrom` is where the log of this start begins. A port that
   * another program has taken is changed; a failure leaves no process behind.
   */
  async becomeReady(logFrom: number, signal: AbortSignal): Promise<Result<null, Refusal>> {
    let from = logFrom;
    for (let ports = 1; ; ports++) {
      const start = await waitUntilReady({
        jobs: this.#jobs,
        jobId: this.#job.id,
        program: this.#program,
        logFrom: from,
        limits: limitsOf(this.#program, this.#options),
        signal,
        forward: (port) => this.#reach.to(port, () => this.#node()),
        client: this.#probe,
        onAddress: (baseUrl) => {
          this.#baseUrl = baseUrl;
        },
        onStage: (stage, words) => {
          const at = stage === 'process up' ? this.#job.startedAt : null;
          this.#story.reach(stage, words, at ?? undefined);
        },
        onJob: (job) => this.seen(job),
      });
      if (signal.aborted) return failed(this.stopped());
      if (start.ok) {
        this.#pid = start.value.pid;
        this.#story.ready(this.#baseUrl);
        return ok(null);
      }
      const failure = await this.explain(start.error);
      if (start.error.end === null) await this.#jobs.stop(this.#job.id, STOP_GRACE_MS);
      if (signal.aborted) return failed(this.stopped());
      const { serves } = this.#program;
      const mayMove = serves.kind === 'launch' && serves.launch.port === null && ports < MOST_PORTS;
      if (failure.id === 'port' && mayMove) {
        this.#story.note(`port ${serves.port} was taken: another is tried`);
        const again = await this.begin(signal);
        if (again.ok) {
          from = again.value;
          continue;
        }
      }
      this.#story.fail(failure.message, failure.hint, failure.trouble);
      return failed(failure.refusal);
    }
  }

  /** A launch as a new job in place of the old one; a server of ours in the same. The value is where its log begins. */
  async begin(signal: AbortSignal): Promise<Result<number, Refusal>> {
    if (this.#program.serves.kind === 'own') return this.beginAgain();
    const started = await this.#startAnew(this.#program);
    if (!started.ok) return started;
    if (signal.aborted) {
      await this.#jobs.stop(started.value.job.id, STOP_GRACE_MS);
      return failed(this.stopped());
    }
    this.#program = started.value.program;
    this.#job = started.value.job.view;
    this.#pid = null;
    return ok(0);
  }

  /** The same job once more, its log going on; the value is where. */
  async beginAgain(): Promise<Result<number, Refusal>> {
    const { logBytes } = this.#job;
    const job = await this.#jobs.launchAgain(this.#job.id);
    if (!job.ok) return job;
    this.#job = job.value.view;
    this.#pid = null;
    return ok(logBytes);
  }

  /** What the end of its logs says about it. */
  async explain(fall: Fall): Promise<ServerFailure> {
    const { serves } = this.#program;
    const logs: LogEnds = { setUp: await this.#tail('set-up'), output: await this.#tail('output') };
    return explainFall(fall, serves.kind === 'launch' ? serves : null, logs);
  }

  /** Ends the process and everything it started. A job that is not there any more is no error. */
  async stop(): Promise<Result<null, Refusal>> {
    const stopped = await this.#jobs.stop(this.#job.id, STOP_GRACE_MS);
    if (stopped.ok) this.#job = stopped.value.view;
    return stopped.ok || stopped.error.code === 'not-found' ? ok(null) : stopped;
  }

  stopped(): Refusal {
    return { code: 'unavailable', message: `The server of "${this.#program.model}" was stopped.` };
  }

  /** Gives up the way to it; the process goes on. It is made again when it is asked for. */
  dispose(): void {
    this.#reach.drop();
    this.#probe.dispose();
  }

  async #node(): Promise<Result<string | null, Refusal>> {
    const told = await this.#jobs.readFile(this.#job.id, NODE_FILE);
    return told.ok ? ok(told.value?.trim() || null) : told;
  }

  async #tail(log: 'set-up' | 'output'): Promise<string> {
    const piece = await this.#jobs.readLog(this.#job.id, log, -TAIL_BYTES, TAIL_BYTES);
    return piece.ok ? piece.value.text : '';
  }
}
