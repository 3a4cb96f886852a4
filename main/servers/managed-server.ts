import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal, ServerSpec, ServerState, ServerView } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { hasEnded, type Job, type JobService } from '../jobs';
import { type ChatClient, createChatClient } from './chat-client';
import type { LaunchNotes } from './logic/launch-notes';
import { describeEnd, refuseWithTail, waitUntilReady } from './readiness';
import type { RunningServer } from './running-server';

/** A server ends within its own 3 s of grace; the rest is for a busy machine. */
const STOP_GRACE_MS = 5_000;

export type SupervisionOptions = {
  /** Milliseconds from launch to the first real answer, before the start counts as failed. */
  readonly startTimeoutMs: number;
  /** Milliseconds for one completion. */
  readonly requestTimeoutMs: number;
  /** Pauses before each restart in a row; as many restarts as there are pauses. */
  readonly restartWaitsMs: readonly number[];
  /** A server that was ready so long starts again with the first pause. */
  readonly steadyMs: number;
};

/** One model server of ours: a job, its state as told to people, and its restarts. */
export class ManagedServer {
  readonly id: string;
  readonly key: string;
  readonly owners = new Set<string>();
  /** A person asked for it: it stays when its studies are done. */
  kept: boolean;
  readonly #jobs: JobService;
  readonly #spec: Exclude<ServerSpec, { kind: 'url' }>;
  readonly #notes: LaunchNotes;
  readonly #options: SupervisionOptions;
  readonly #clock: { readonly now: () => number };
  readonly #onChange: () => void;
  readonly #client: ChatClient;
  readonly #running: RunningServer;
  readonly #ending = new AbortController();
  readonly #startedAt: string;
  #state: ServerState = { kind: 'starting', stage: 'process starting' };
  #ready: Promise<Result<RunningServer, Refusal>>;
  #baseUrl = '';
  #pid: number | null = null;
  #logBytes: number;
  #restarts = 0;
  #isStartingAgain = false;
  #readySinceMs = 0;

  constructor(parts: {
    readonly jobs: JobService;
    readonly job: Job;
    readonly spec: Exclude<ServerSpec, { kind: 'url' }>;
    readonly notes: LaunchNotes;
    readonly options: SupervisionOptions;
    readonly clock: { readonly now: () => number };
    readonly onChange: () => void;
  }) {
    this.id = parts.job.id;
    this.key = parts.notes.key;
    this.kept = parts.notes.owner === null;
    if (parts.notes.owner !== null) this.owners.add(parts.notes.owner);
    this.#jobs = parts.jobs;
    this.#spec = parts.spec;
    this.#notes = parts.notes;
    this.#options = parts.options;
    this.#clock = parts.clock;
    this.#onChange = parts.onChange;
    this.#startedAt = parts.job.file.createdAt;
    this.#logBytes = parts.job.logBytes;
    this.#client = createChatClient({
      baseUrl: () => this.#baseUrl,
      model: this.#spec.model,
      maxInFlight: this.#spec.maxInFlight,
      timeoutMs: this.#options.requestTimeoutMs,
    });
    this.#running = this.#runningServer();
    this.#ready = this.#becomeReady().catch((error: unknown) => this.#refuseBroken(error));
  }

  /** True while it answers or may soon: another run can share it. */
  get isUsable(): boolean {
    const { kind } = this.#state;
    return !this.#ending.signal.aborted && (kind === 'ready' || kind === 'starting' || this.#isStartingAgain);
  }

  /** Settles with the start that is under way, or the last one. */
  ready(): Promise<Result<RunningServer, Refusal>> {
    return this.#ready;
  }

  view(): ServerView {
    return {
      id: this.id,
      kind: this.#spec.kind,
      model: this.#spec.model,
      state: this.#state,
      startedAt: this.#startedAt,
      pid: this.#pid,
      studyId: [...this.owners][0] ?? null,
      inFlight: this.#client.inFlight(),
      answered: this.#client.answered(),
      logBytes: this.#logBytes,
    };
  }

  /** Looks at the job once; a ready server whose job has ended is failed and, if a run needs it, starts again. */
  async look(): Promise<void> {
    const job = await this.#jobs.inspect(this.id);
    if (!job.ok) return;
    this.#logBytes = job.value.logBytes;
    if (this.#ending.signal.aborted || this.#state.kind !== 'ready' || !hasEnded(job.value.state)) return;
    if (this.#clock.now() - this.#readySinceMs >= this.#options.steadyMs) this.#restarts = 0;
    this.#pid = null;
    const what = `The server of "${this.#spec.model}" ${describeEnd(job.value.state)}.`;
    this.#isStartingAgain = true;
    this.#setState({ kind: 'failed', message: what });
    this.#ready = refuseWithTail(this.#jobs, this.id, what)
      .then((refusal) => this.#startAgain(refusal.error))
      .catch((error: unknown) => this.#refuseBroken(error))
      .finally(() => {
        this.#isStartingAgain = false;
      });
  }

  /** Ends the process and everything it started. */
  async stop(): Promise<Result<null, Refusal>> {
    this.detach();
    const stopped = await this.#jobs.stop(this.id, STOP_GRACE_MS);
    await this.look();
    if (!stopped.ok) {
      this.#setState({ kind: 'failed', message: stopped.error.message });
      return stopped;
    }
    this.#pid = null;
    this.#setState({ kind: 'stopped' });
    return ok(null);
  }

  /** Lets go of it: the process goes on. */
  detach(): void {
    this.#ending.abort();
    this.#client.dispose();
  }

  async #becomeReady(): Promise<Result<RunningServer, Refusal>> {
    const listening = await waitUntilReady({
      jobs: this.#jobs,
      jobId: this.id,
      spec: this.#spec,
      knownProblemId: this.#notes.knownProblemId,
      timeoutMs: this.#options.startTimeoutMs + this.#spec.latencyMs,
      signal: this.#ending.signal,
      onStage: (stage) => this.#setState({ kind: 'starting', stage }),
    });
    if (this.#ending.signal.aborted) return this.#refuseStopped();
    if (!listening.ok) {
      await this.#jobs.stop(this.id, STOP_GRACE_MS);
      this.#setState({ kind: 'failed', message: listening.error.message });
      return listening;
    }
    this.#baseUrl = listening.value.baseUrl;
    this.#pid = listening.value.pid;
    this.#readySinceMs = this.#clock.now();
    this.#setState({ kind: 'ready', baseUrl: this.#baseUrl });
    return ok(this.#running);
  }

  async #startAgain(cause: Refusal): Promise<Result<RunningServer, Refusal>> {
    let last = cause;
    while (!this.#ending.signal.aborted && this.owners.size > 0) {
      const waitMs = this.#options.restartWaitsMs[this.#restarts];
      if (waitMs === undefined) {
        const hint = `It was started again ${this.#restarts} times in vain. Look at its log, then start the study again.`;
        this.#setState({ kind: 'failed', message: last.message, hint });
        return failed({ ...last, hint });
      }
      this.#restarts += 1;
      const count = `${this.#restarts} of ${this.#options.restartWaitsMs.length}`;
      this.#setState({
        kind: 'failed',
        message: last.message,
        hint: `Starts again in ${waitMs / 1000} s (${count}).`,
      });
      await sleep(waitMs, undefined, { signal: this.#ending.signal }).catch(() => undefined);
      if (this.#ending.signal.aborted) break;
      const job = await this.#jobs.launchAgain(this.id);
      const outcome = job.ok ? await this.#becomeReady() : job;
      if (outcome.ok) return outcome;
      last = outcome.error;
    }
    if (this.#ending.signal.aborted) return this.#refuseStopped();
    this.#setState({ kind: 'failed', message: last.message });
    return failed(last);
  }

  /** The machine's files or processes could not be looked at: said aloud, as nobody may be waiting for `ready`. */
  #refuseBroken(error: unknown): Result<RunningServer, Refusal> {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `The server of "${this.#spec.model}" cannot be looked after: ${cause}.`;
    this.#setState({ kind: 'failed', message });
    return failed({ code: 'internal', message });
  }

  #refuseStopped(): Result<RunningServer, Refusal> {
    return failed({ code: 'unavailable', message: `The server of "${this.#spec.model}" was stopped.` });
  }

  #runningServer(): RunningServer {
    const client: ChatClient = {
      ...this.#client,
      complete: async (request, signal) => {
        // While it starts again there is nobody to ask; whoever waits sees the new process.
        if (this.#state.kind !== 'ready') await settledOrAborted(this.#ready, signal);
        return this.#client.complete(request, signal);
      },
    };
    const baseUrl = () => this.#baseUrl;
    return {
      id: this.id,
      client,
      get baseUrl() {
        return baseUrl();
      },
    };
  }

  #setState(state: ServerState): void {
    this.#state = state;
    this.#onChange();
  }
}

async function settledOrAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    void promise.then(done);
  });
}
