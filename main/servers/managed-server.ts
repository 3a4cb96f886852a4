import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobView,
  jobHasEnded,
  type Refusal,
  type ServerView,
  stopWasAsked,
  wasStopped,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import { type ChatClient, type CompletionRequest, createChatClient } from './chat-client';
import type { Completion } from './logic/chat-answer';
import type { ChatFailure } from './logic/chat-failure';
import { isStudy } from './logic/owners';
import { RestartWaits } from './logic/restart-waits';
import type { ServerFailure } from './logic/server-failure';
import { firstLine, whyNotReady } from './logic/server-words';
import { MetricsWatch } from './metrics-watch';
import { orAborted } from './or-aborted';
import type { Program } from './program';
import type { Reach } from './reach';
import { describeEnd, endOf } from './readiness';
import type { RunningServer, SpeedTarget } from './running-server';
import { ServerRun, type StartAnew, TAIL_BYTES } from './server-run';
import { ServerStory } from './server-story';
import { requestTimeoutOf, type SupervisionOptions } from './supervision';

/** A server that lives answers the question for its models at once. */
const SUSPICION_MS = 5_000;

type Outcome = Result<RunningServer, Refusal>;

/** One model server of ours: who needs it, what is told of it, and what is done when it dies or is out of reach. */
export class ManagedServer {
  readonly id: string;
  readonly owners = new Set<string>();
  /** A person asked for it: it stays when its studies are done. */
  kept: boolean;
  readonly #waits: RestartWaits;
  readonly #clock: { readonly now: () => number };
  readonly #story: ServerStory;
  readonly #run: ServerRun;
  readonly #client: ChatClient;
  readonly #metrics: MetricsWatch;
  readonly #running: RunningServer;
  /** Until it is stopped; a restart begins another one. */
  #life = new AbortController();
  #ready: Promise<Outcome>;
  #suspicion: Promise<void> | null = null;
  #isStartingAgain = false;

  constructor(parts: {
    readonly id: string;
    readonly jobs: JobService;
    readonly job: Job;
    readonly program: Program;
    /** It is of an earlier start of the app. */
    readonly isFound: boolean;
    readonly reach: Reach;
    readonly startAnew: StartAnew;
    readonly options: SupervisionOptions;
    readonly clock: { readonly now: () => number };
    readonly onChange: () => void;
  }) {
    const { id, job, program, options, clock } = parts;
    this.id = id;
    this.kept = program.notes.owner === null;
    if (program.notes.owner !== null) this.owners.add(program.notes.owner);
    this.#waits = new RestartWaits(options.restartWaitsMs, options.steadyMs);
    this.#clock = clock;
    this.#story = new ServerStory(
      { kind: 'starting', stage: 'process starting' },
      { now: clock.now, onChange: parts.onChange },
    );
    const run = new ServerRun({ ...parts, story: this.#story });
    this.#run = run;
    this.#client = createChatClient({
      baseUrl: () => run.baseUrl,
      model: program.model,
      maxInFlight: program.maxInFlight,
      timeoutMs: requestTimeoutOf(program, options),
    });
    this.#metrics = new MetricsWatch(program.serves.kind === 'launch' ? [program.serves.engine] : [], clock);
    this.#running = {
      id,
      get baseUrl() {
        return run.baseUrl;
      },
      client: { ...this.#client, complete: (request, signal) => this.#complete(request, signal) },
    };
    this.#ready = this.#guarded(
      parts.isFound && jobHasEnded(job.view.state)
        ? this.#foundEnded()
        : this.#becomeReady(Math.max(0, job.view.logBytes - TAIL_BYTES)),
    );
  }

  get program(): Program {
    return this.#run.program;
  }

  get jobId(): string {
    return this.#run.job.id;
  }

  get isReady(): boolean {
    return this.#story.isReady;
  }

  /** True while it answers or may soon: another run can share it. */
  get isUsable(): boolean {
    const { kind } = this.#story.state;
    return !this.#life.signal.aborted && (kind === 'ready' || kind === 'starting' || this.#isStartingAgain);
  }

  /** Settles with the start that is under way, or the last one. */
  ready(): Promise<Outcome> {
    return this.#ready;
  }

  /** What a speed test has to know; null while it is not ready. */
  target(): SpeedTarget | null {
    if (!this.isReady) return null;
    const { serves, model } = this.program;
    return {
      baseUrl: this.#run.baseUrl,
      model,
      key: null,
      ignoresEnd: serves.kind === 'launch' && serves.engine.ignoresEnd,
      problemId: serves.kind === 'own' ? (serves.knownProblemId ?? '') : '',
    };
  }

  view(): ServerView {
    const { kind, model, machineId, serves } = this.program;
    const { job } = this.#run;
    return {
      id: this.id,
      kind,
      model,
      state: this.#story.state,
      startedAt: job.startedAt ?? job.createdAt,
      pid: this.#run.pid,
      studyId: [...this.owners].find(isStudy) ?? null,
      inFlight: this.#client.inFlight(),
      answered: this.#client.answered(),
      logBytes: job.logBytes,
      machineId,
      jobId: job.id,
      launchId: serves.kind === 'launch' ? serves.launch.id : null,
      gpuIds: [...job.gpuIds],
      stages: [...this.#story.stages],
      metrics: this.#metrics.metrics,
      trouble: this.#story.trouble,
    };
  }

  /** The job service has looked: a ready server whose job has ended starts again, one out of reach is waited for. */
  heard(job: JobView): void {
    if (job.id !== this.jobId) return;
    this.#run.seen(job);
    if (this.#life.signal.aborted) {
      if (jobHasEnded(job.state) && this.#story.state.kind === 'failed')
        this.#story.enter({ kind: 'stopped' });
    } else if (this.isReady) this.#settle();
  }

  /** Looks at its metrics while it is ready. */
  async look(): Promise<void> {
    if (this.isReady) await this.#metrics.look(this.#run.baseUrl, this.#life.signal);
    else this.#metrics.forget();
  }

  /** Ends the process and everything it started. */
  async stop(): Promise<Result<null, Refusal>> {
    this.detach();
    this.#metrics.forget();
    const stopped = await this.#run.stop();
    if (stopped.ok) this.#story.enter({ kind: 'stopped' });
    // Out of reach it is stopped as soon as the machine answers: then `heard` says so.
    else this.#story.fail(stopped.error.message, stopped.error.hint, null);
    return stopped;
  }

  /** Stops it and starts it again; answers when the new process is known. */
  async restart(): Promise<Result<null, Refusal>> {
    const stopped = await this.stop();
    if (!stopped.ok) return stopped;
    this.#life = new AbortController();
    this.#waits.forget();
    this.#story.begin('process starting');
    const started = await this.#run.begin(this.#life.signal);
    if (!started.ok) {
      this.#story.fail(started.error.message, started.error.hint, null);
      return started;
    }
    this.#ready = this.#guarded(this.#becomeReady(started.value));
    return ok(null);
  }

  /** Lets go of it: the process goes on. */
  detach(): void {
    this.#life.abort();
    this.#run.dispose();
    this.#client.dispose();
  }

  async #complete(request: CompletionRequest, signal: AbortSignal): Promise<Result<Completion, ChatFailure>> {
    // While it starts again there is nobody to ask; whoever waits sees the new process.
    if (!this.isReady) await orAborted(this.#ready, signal);
    if (signal.aborted) return failed({ kind: 'cancelled' });
    if (!this.isReady) return failed({ kind: 'transport', message: whyNotReady(this.#story.state) });
    const answer = await this.#client.complete(request, signal);
    if (!answer.ok && answer.error.kind === 'transport' && !signal.aborted) await this.#suspect();
    return answer;
  }

  /** It could not be asked: is it dead, out of reach, or was it a connection that broke? */
  #suspect(): Promise<void> {
    this.#suspicion ??= this.#lookCloser().finally(() => {
      this.#suspicion = null;
    });
    return this.#suspicion;
  }

  async #lookCloser(): Promise<void> {
    const { signal } = this.#life;
    const hasLooked = await this.#run.look();
    if (!this.isReady || signal.aborted) return;
    if (hasLooked) this.#settle();
    if (!this.isReady) return;
    const isThere = await this.#run.answers(AbortSignal.any([signal, AbortSignal.timeout(SUSPICION_MS)]));
    if (!isThere && this.isReady && !signal.aborted) {
      this.#outOfReach('it does not answer; it is waited for');
    }
  }

  /** It was ready: is it still, by what was seen of its job? */
  #settle(): void {
    const { job } = this.#run;
    if (wasStopped(job)) {
      this.detach();
      this.#metrics.forget();
      this.#story.enter({ kind: 'stopped' });
    } else if (jobHasEnded(job.state)) {
      this.#fallen();
    } else if (job.state.kind === 'unknown') {
      this.#outOfReach('the machine does not answer; it goes on when it does');
    }
  }

  #outOfReach(words: string): void {
    const { signal } = this.#life;
    this.#story.reach(null, words);
    this.#metrics.forget();
    this.#ready = this.#guarded(
      this.#becomeReady(this.#run.job.logBytes).then((outcome) =>
        outcome.ok || signal.aborted ? outcome : this.#startAgain(outcome.error),
      ),
    );
  }

  #fallen(): void {
    this.#waits.fell(this.#clock.now());
    this.#isStartingAgain = true;
    this.#metrics.forget();
    this.#story.fail(`The server of "${this.program.model}" ended.`, undefined, null);
    this.#ready = this.#guarded(this.#explainEnd().then((failure) => this.#startAgain(failure.refusal)));
  }

  async #becomeReady(logFrom: number): Promise<Outcome> {
    const outcome = await this.#run.becomeReady(logFrom, this.#life.signal);
    if (!outcome.ok) return outcome;
    this.#waits.ready(this.#clock.now());
    return ok(this.#running);
  }

  async #startAgain(cause: Refusal): Promise<Outcome> {
    const { signal } = this.#life;
    this.#isStartingAgain = true;
    let last = cause;
    while (!signal.aborted && (this.owners.size > 0 || this.kept)) {
      const { waitMs, hint } = this.#waits.next();
      if (waitMs === null) this.#isStartingAgain = false;
      this.#story.fail(firstLine(last.message), hint, this.#story.trouble);
      if (waitMs === null) return failed({ ...last, hint });
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      this.#story.begin('process starting');
      const begun = await this.#run.beginAgain();
      const outcome = begun.ok ? await this.#becomeReady(begun.value) : begun;
      if (outcome.ok) {
        this.#isStartingAgain = false;
        return outcome;
      }
      last = outcome.error;
    }
    this.#isStartingAgain = false;
    if (signal.aborted) return failed(this.#run.stopped());
    this.#story.fail(firstLine(last.message), last.hint, this.#story.trouble);
    return failed(last);
  }

  async #explainEnd(): Promise<ServerFailure> {
    const { state } = this.#run.job;
    const what = `The server of "${this.program.model}" ${describeEnd(state)}.`;
    const failure = await this.#run.explain({ what, answer: '', end: endOf(state) });
    this.#story.fail(failure.message, failure.hint, failure.trouble);
    return failure;
  }

  /** Of an earlier start of the app, and ended meanwhile. */
  async #foundEnded(): Promise<Outcome> {
    if (stopWasAsked(this.#run.job)) {
      this.#story.enter({ kind: 'stopped' });
      return failed(this.#run.stopped());
    }
    this.#story.fail(`The server of "${this.program.model}" has ended.`, undefined, null);
    return failed((await this.#explainEnd()).refusal);
  }

  /** A bug is said aloud, as nobody may be waiting for `ready`. */
  #guarded(outcome: Promise<Outcome>): Promise<Outcome> {
    return outcome.catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error);
      const message = `The server of "${this.program.model}" cannot be looked after: ${cause}.`;
      this.#isStartingAgain = false;
      this.#story.fail(message, undefined, null);
      return failed({ code: 'internal' as const, message });
    });
  }
}
