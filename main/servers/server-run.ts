import type { JobView, Refusal } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import { type ChatClient, createChatClient } from './chat-client';
import { explainFailure, type FailureFacts, type LogEnds, type ServerFailure } from './logic/failure';
import { NODE_FILE, readStages, STAGES_FILE, writeStages } from './logic/launch-notes';
import { hasOneModel, type Program } from './program';
import { waitUntilReady } from './readiness';
import type { ServerStatus } from './server-status';
import type { ServerTunnel } from './server-tunnel';
import { limitsOf, requestTimeoutOf, STOP_GRACE_MS, type SupervisionOptions } from './supervision';

/** Read from the end of the log to diagnose a failure. */
export const TAIL_BYTES = 65_536;
/** Ports tried in a row: another program may take one first, but hardly so many. */
const MAX_PORTS = 4;

/** Launches the same again as a new job: a launch as it is saved now, with its own port. */
export type LaunchAgain = (
  old: Program,
) => Promise<Result<{ readonly job: Job; readonly program: Program }, Refusal>>;

export type ServerRunParts = {
  readonly jobs: JobService;
  readonly job: Job;
  readonly program: Program;
  readonly tunnel: ServerTunnel;
  readonly launchAgain: LaunchAgain;
  readonly options: SupervisionOptions;
};

/** The job that currently runs a server, and the wait until it is ready. */
export class ServerRun implements Disposable {
  readonly #jobs: JobService;
  readonly #options: SupervisionOptions;
  readonly #status: ServerStatus;
  readonly #tunnel: ServerTunnel;
  readonly #launchAgain: LaunchAgain;
  /** For our own probes: they are not counted and do not wait in the queue. */
  readonly #probe: ChatClient;
  #program: Program;
  #job: JobView;
  #baseUrl = '';
  #pid: number | null = null;

  constructor(parts: ServerRunParts & { readonly status: ServerStatus }) {
    this.#jobs = parts.jobs;
    this.#options = parts.options;
    this.#status = parts.status;
    this.#tunnel = parts.tunnel;
    this.#launchAgain = parts.launchAgain;
    this.#program = parts.program;
    this.#job = parts.job.view;
    this.#probe = this.client(1);
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

  /** Somebody has cancelled its job in Slurm. */
  get isCancelled(): boolean {
    const { state } = this.#job;
    return state.kind === 'exited' && state.isCancelled === true;
  }

  /** For requests to the server, wherever it listens by then. */
  client(maxInFlight: number): ChatClient {
    return createChatClient({
      baseUrl: () => this.#baseUrl,
      model: this.#program.model,
      hasOneModel: hasOneModel(this.#program),
      maxInFlight,
      timeoutMs: requestTimeoutOf(this.#program, this.#options),
    });
  }

  onJobChanged(job: JobView): void {
    this.#job = job;
  }

  /** Reads the job's state now. False: its machine does not answer. */
  async refresh(): Promise<boolean> {
    const job = await this.#jobs.inspect(this.#job.id);
    if (job.ok) this.#job = job.value.view;
    return job.ok;
  }

  /** Whether it lists its models. */
  async answers(signal: AbortSignal): Promise<boolean> {
    return (await this.#probe.models(signal)).ok;
  }

  /**
   * Waits for one real token and updates the status. `logFrom` is where the log of this start begins. Changes a port that
   * another program has taken; a failure leaves no process behind.
   */
  async becomeReady(logFrom: number, signal: AbortSignal): Promise<Result<null, Refusal>> {
    let from = logFrom;
    await this.#restoreStages();
    for (let ports = 1; ; ports++) {
      const start = await waitUntilReady({
        jobs: this.#jobs,
        jobId: this.#job.id,
        program: this.#program,
        logFrom: from,
        limits: limitsOf(this.#program, this.#options),
        signal,
        forward: (port) => this.#tunnel.open(port, () => this.#node()),
        client: this.#probe,
        onAddress: (baseUrl) => {
          this.#baseUrl = baseUrl;
        },
        onStage: (stage, text) => {
          const at = stage === 'process up' ? this.#job.startedAt : null;
          this.#status.setStage(stage, text, at ?? undefined);
        },
        onJob: (job) => this.onJobChanged(job),
      });
      if (signal.aborted) return failed(this.stopped());
      if (start.ok) {
        this.#pid = start.value.pid;
        // Where it cannot be written, a later start of the app shows when it saw the stages itself.
        await this.#jobs.writeFile(this.#job.id, STAGES_FILE, writeStages(this.#status.stages));
        // Last: who sees it ready may ask at once for what this promise gives.
        this.#status.ready(this.#baseUrl);
        return ok(null);
      }
      const failure = await this.explain(start.error);
      if (start.error.end === null) await this.#jobs.stop(this.#job.id, STOP_GRACE_MS);
      if (signal.aborted) return failed(this.stopped());
      const { serves } = this.#program;
      const canChangePort = serves.kind === 'launch' && serves.launch.port === null && ports < MAX_PORTS;
      if (failure.id === 'port' && canChangePort) {
        this.#status.note(`port ${serves.port} was taken: trying another`);
        const again = await this.start(signal);
        if (again.ok) {
          from = again.value;
          continue;
        }
      }
      this.#status.fail(failure.message, failure.hint, failure.diagnosis);
      return failed(failure.refusal);
    }
  }

  /** Starts a launch as a new job in place of the old one; one of our own servers in the same job. The value is where its log begins. */
  async start(signal: AbortSignal): Promise<Result<number, Refusal>> {
    if (this.#program.serves.kind === 'own') return this.relaunch();
    const started = await this.#launchAgain(this.#program);
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

  /** Runs the same job again and appends to its log; the value is where. */
  async relaunch(): Promise<Result<number, Refusal>> {
    const { logBytes } = this.#job;
    const job = await this.#jobs.relaunch(this.#job.id);
    if (!job.ok) return job;
    this.#job = job.value.view;
    this.#pid = null;
    return ok(logBytes);
  }

  /** Explains a failure from the ends of the logs. */
  async explain(facts: FailureFacts): Promise<ServerFailure> {
    const { serves } = this.#program;
    const logs: LogEnds = { setUp: await this.#tail('set-up'), output: await this.#tail('output') };
    return explainFailure(facts, serves.kind === 'launch' ? serves : null, logs);
  }

  /** Ends the process and everything it started; `why` as for a job. A job that no longer exists is no error. */
  async stop(why?: string): Promise<Result<null, Refusal>> {
    const stopped = await this.#jobs.stop(this.#job.id, STOP_GRACE_MS, why);
    if (stopped.ok) this.#job = stopped.value.view;
    return stopped.ok || stopped.error.code === 'not-found' ? ok(null) : stopped;
  }

  stopped(): Refusal {
    return { code: 'unavailable', message: `The server of "${this.#program.model}" was stopped.` };
  }

  /** Closes the tunnel; the process keeps running. The tunnel is opened again on demand. */
  dispose(): void {
    this.#tunnel.close();
    this.#probe.dispose();
  }

  /** The stages of a start that another start of the app has seen, with their times; a new start has none yet. */
  async #restoreStages(): Promise<void> {
    const file = await this.#jobs.readFile(this.#job.id, STAGES_FILE);
    for (const { name, at } of readStages(file.ok ? (file.value ?? '') : '')) this.#status.note(name, at);
  }

  async #node(): Promise<Result<string | null, Refusal>> {
    const file = await this.#jobs.readFile(this.#job.id, NODE_FILE);
    return file.ok ? ok(file.value?.trim() || null) : file;
  }

  async #tail(log: 'set-up' | 'output'): Promise<string> {
    const piece = await this.#jobs.readLog(this.#job.id, log, -TAIL_BYTES, TAIL_BYTES);
    return piece.ok ? piece.value.text : '';
  }
}
