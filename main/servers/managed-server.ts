import {
  type JobView,
  jobHasEnded,
  type Refusal,
  type ServerView,
  stopRequested,
  wasStopped,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { abortable, sleepUnlessAborted } from './abortable';
import type { ChatClient, CompletionRequest } from './chat-client';
import type { Completion } from './logic/chat-answer';
import type { ChatFailure } from './logic/chat-failure';
import { firstLine, notReadyReason, type ServerFailure } from './logic/failure';
import { RestartBackoff } from './logic/restart-backoff';
import { MetricsPoller } from './metrics-poller';
import type { Program } from './program';
import { describeEnd, endOf } from './readiness';
import type { RunningServer, SpeedTarget } from './running-server';
import { ServerRun, type ServerRunParts, TAIL_BYTES } from './server-run';
import { ServerStatus } from './server-status';
import { serverViewOf, speedTargetOf } from './server-view';

/** A living server lists its models at once. */
const HEALTH_CHECK_MS = 5_000;

type Outcome = Result<RunningServer, Refusal>;

/** One model server that runs as a job of ours: who needs it, its status, and what to do when it dies or cannot be reached. */
export class ManagedServer {
  readonly id: string;
  readonly isAdopted: boolean;
  readonly owners = new Set<string>();
  /** A person started it: it keeps running when its studies are done. */
  isPinned: boolean;
  readonly #backoff: RestartBackoff;
  readonly #clock: { readonly now: () => number };
  readonly #status: ServerStatus;
  readonly #run: ServerRun;
  readonly #client: ChatClient;
  readonly #metrics: MetricsPoller;
  readonly #running: RunningServer;
  /** Ends when the server is stopped; a restart begins another one. */
  #lifetime = new AbortController();
  #ready: Promise<Outcome>;
  #healthCheck: Promise<void> | null = null;
  #isRestarting = false;

  constructor(
    parts: ServerRunParts & {
      readonly id: string;
      /** An earlier start of the app has launched it. */
      readonly isAdopted: boolean;
      readonly clock: { readonly now: () => number };
      readonly onChange: () => void;
    },
  ) {
    const { id, isAdopted, job, program, options, clock } = parts;
    [this.id, this.isAdopted] = [id, isAdopted];
    this.isPinned = program.notes.owner === null;
    if (program.notes.owner !== null) this.owners.add(program.notes.owner);
    this.#backoff = new RestartBackoff(options.restartWaitsMs, options.steadyMs);
    this.#clock = clock;
    this.#status = new ServerStatus(
      { kind: 'starting', stage: 'process starting' },
      { now: clock.now, onChange: parts.onChange },
    );
    const run = new ServerRun({ ...parts, status: this.#status });
    this.#run = run;
    this.#client = run.client(program.maxInFlight);
    this.#metrics = new MetricsPoller(program.serves.kind === 'launch' ? [program.serves.engine] : [], clock);
    this.#running = {
      id,
      get baseUrl() {
        return run.baseUrl;
      },
      client: { ...this.#client, complete: (request, signal) => this.#complete(request, signal) },
    };
    const logFrom = Math.max(0, job.view.logBytes - TAIL_BYTES);
    this.#ready = this.#guarded(isAdopted ? this.#adopt(logFrom) : this.#becomeReady(logFrom));
  }

  get program(): Program {
    return this.#run.program;
  }

  get jobId(): string {
    return this.#run.job.id;
  }

  get isReady(): boolean {
    return this.#status.isReady;
  }

  /** It answers or may soon: another run can share it. */
  get isUsable(): boolean {
    const { kind } = this.#status.state;
    return !this.#lifetime.signal.aborted && (kind === 'ready' || kind === 'starting' || this.#isRestarting);
  }

  /** It ended by itself, and is started again by itself. */
  get isRestarting(): boolean {
    return this.#isRestarting;
  }

  /** Resolves with the outcome of the start in progress, or of the last one. */
  ready(): Promise<Outcome> {
    return this.#ready;
  }

  /** What a speed test needs to know; null while it is not ready. */
  target(): SpeedTarget | null {
    return this.isReady ? speedTargetOf(this.#run) : null;
  }

  view(): ServerView {
    const [run, status, client] = [this.#run, this.#status, this.#client];
    return serverViewOf(this, { run, status, client, metrics: this.#metrics.metrics });
  }

  /** Restarts a ready server whose job has ended, and waits for one that cannot be reached. */
  onJobChanged(job: JobView): void {
    if (job.id !== this.jobId) return;
    this.#run.onJobChanged(job);
    if (this.#lifetime.signal.aborted) {
      if (jobHasEnded(job.state) && this.#status.state.kind === 'failed')
        this.#status.enter({ kind: 'stopped' });
    } else if (this.isReady) this.#applyJobState();
  }

  /** Polls the metrics while it is ready. */
  async pollMetrics(): Promise<void> {
    if (this.isReady) await this.#metrics.poll(this.#run.baseUrl, this.#lifetime.signal);
    else this.#metrics.clear();
  }

  /** Ends the process and everything it started; `why`: where no person asked for it. */
  async stop(why?: string): Promise<Result<null, Refusal>> {
    this.detach();
    this.#metrics.clear();
    const stopped = await this.#run.stop(why);
    if (stopped.ok) this.#status.enter({ kind: 'stopped' });
    // Where the machine does not answer, the job is stopped as soon as it does: then `onJobChanged` reports it.
    else this.#status.fail(stopped.error.message, stopped.error.hint, null);
    return stopped;
  }

  /** Stops it and starts it again; resolves when the new process is known. */
  async restart(): Promise<Result<null, Refusal>> {
    const stopped = await this.stop();
    if (!stopped.ok) return stopped;
    this.#lifetime = new AbortController();
    this.#backoff.reset();
    this.#status.restart('process starting');
    const started = await this.#run.start(this.#lifetime.signal);
    if (!started.ok) {
      this.#status.fail(started.error.message, started.error.hint, null);
      return started;
    }
    this.#ready = this.#guarded(this.#becomeReady(started.value));
    return ok(null);
  }

  /** Stops watching it; the process keeps running. */
  detach(): void {
    this.#lifetime.abort();
    this.#run.dispose();
    this.#client.dispose();
  }

  async #complete(request: CompletionRequest, signal: AbortSignal): Promise<Result<Completion, ChatFailure>> {
    // During a restart the request waits for the new process.
    if (!this.isReady) await abortable(this.#ready, signal);
    if (signal.aborted) return failed({ kind: 'cancelled' });
    if (!this.isReady) return failed({ kind: 'transport', message: notReadyReason(this.#status.state) });
    const answer = await this.#client.complete(request, signal);
    if (!answer.ok && answer.error.kind === 'transport' && !signal.aborted) await this.#checkHealth();
    return answer;
  }

  /** After a failed request: is the server dead, unreachable, or was it just a broken connection? */
  #checkHealth(): Promise<void> {
    this.#healthCheck ??= this.#probeHealth().finally(() => {
      this.#healthCheck = null;
    });
    return this.#healthCheck;
  }

  async #probeHealth(): Promise<void> {
    const { signal } = this.#lifetime;
    const hasJobState = await this.#run.refresh();
    if (!this.isReady || signal.aborted) return;
    if (hasJobState) this.#applyJobState();
    if (!this.isReady) return;
    const isAlive = await this.#run.answers(AbortSignal.any([signal, AbortSignal.timeout(HEALTH_CHECK_MS)]));
    if (!isAlive && this.isReady && !signal.aborted)
      this.#awaitReachable('the server does not answer; waiting for it');
  }

  /** A server that was ready: is it still, by the state of its job? */
  #applyJobState(): void {
    const { job } = this.#run;
    if (wasStopped(job)) {
      this.detach();
      this.#metrics.clear();
      this.#status.enter({ kind: 'stopped' });
    } else if (jobHasEnded(job.state)) this.#handleCrash();
    else if (job.state.kind === 'unknown')
      this.#awaitReachable('the machine does not answer; waiting for it');
  }

  #awaitReachable(why: string): void {
    const { signal } = this.#lifetime;
    this.#status.setStage(null, why);
    this.#metrics.clear();
    this.#ready = this.#guarded(
      this.#becomeReady(this.#run.job.logBytes).then((outcome) =>
        outcome.ok || signal.aborted ? outcome : this.#restartAfter(outcome.error),
      ),
    );
  }

  #handleCrash(): void {
    this.#backoff.crashed(this.#clock.now());
    this.#isRestarting = true;
    this.#metrics.clear();
    this.#status.fail(`The server of "${this.program.model}" ended.`, undefined, null);
    this.#ready = this.#guarded(this.#explainEnd().then((failure) => this.#restartAfter(failure.refusal)));
  }

  async #becomeReady(logFrom: number): Promise<Outcome> {
    const outcome = await this.#run.becomeReady(logFrom, this.#lifetime.signal);
    if (!outcome.ok) return outcome;
    this.#backoff.ready(this.#clock.now());
    return ok(this.#running);
  }

  async #restartAfter(cause: Refusal): Promise<Outcome> {
    const { signal } = this.#lifetime;
    this.#isRestarting = true;
    let last = cause;
    while (!signal.aborted && !this.#run.isCancelled && (this.owners.size > 0 || this.isPinned)) {
      const { waitMs, hint } = this.#backoff.next();
      if (waitMs === null) this.#isRestarting = false;
      this.#status.fail(firstLine(last.message), hint, this.#status.diagnosis);
      if (waitMs === null) return failed({ ...last, hint });
      await sleepUnlessAborted(waitMs, signal);
      if (signal.aborted) break;
      this.#status.restart('process starting');
      const started = await this.#run.relaunch();
      const outcome = started.ok ? await this.#becomeReady(started.value) : started;
      if (outcome.ok) {
        this.#isRestarting = false;
        return outcome;
      }
      last = outcome.error;
    }
    this.#isRestarting = false;
    if (signal.aborted) return failed(this.#run.stopped());
    this.#status.fail(firstLine(last.message), last.hint, this.#status.diagnosis);
    return failed(last);
  }

  async #explainEnd(): Promise<ServerFailure> {
    const { state } = this.#run.job;
    const problem = `The server of "${this.program.model}" ${describeEnd(state)}.`;
    const failure = await this.#run.explain({ problem, answer: '', end: endOf(state) });
    this.#status.fail(failure.message, failure.hint, failure.diagnosis);
    return failure;
  }

  /** One that is lost before it is ready was killed with an earlier start of the app, e.g. by a power cut: it starts again. */
  async #adopt(logFrom: number): Promise<Outcome> {
    if (jobHasEnded(this.#run.job.state)) return this.#adoptEnded();
    const outcome = await this.#becomeReady(logFrom);
    if (outcome.ok || this.#run.job.state.kind !== 'lost') return outcome;
    return this.#restartAfter(outcome.error);
  }

  /** A server of an earlier start of the app that has ended since. */
  async #adoptEnded(): Promise<Outcome> {
    if (stopRequested(this.#run.job)) {
      this.#status.enter({ kind: 'stopped' });
      return failed(this.#run.stopped());
    }
    this.#status.fail(`The server of "${this.program.model}" has ended.`, undefined, null);
    return failed((await this.#explainEnd()).refusal);
  }

  /** Shows a bug in the status, since nobody may be waiting for `ready`. */
  #guarded(outcome: Promise<Outcome>): Promise<Outcome> {
    return outcome.catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error);
      const message = `The server of "${this.program.model}" can no longer be supervised: ${cause}.`;
      this.#isRestarting = false;
      this.#status.fail(message, undefined, null);
      return failed({ code: 'internal' as const, message });
    });
  }
}
