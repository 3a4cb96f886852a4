import type { Refusal, ServerSpec, ServerView } from '../../preload/contract';
import { localTime } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import { sleepUnlessAborted } from './abortable';
import { type ChatClient, type CompletionRequest, createChatClient } from './chat-client';
import type { ExternalAccess } from './external-access';
import type { Completion } from './logic/chat-answer';
import { type ChatFailure, describeChatFailure, keyProblem } from './logic/chat-failure';
import { ENGINES } from './logic/engines';
import { MetricsPoller } from './metrics-poller';
import { oneToken, wrongModel } from './readiness';
import type { RunningServer, SpeedTarget } from './running-server';
import { ServerStatus } from './server-status';
import type { SupervisionOptions } from './supervision';

/** For one request for the list of models. */
const PROBE_MS = 10_000;

/** With these, servers refuse a model that they do not have. */
const MODEL_REFUSALS: readonly number[] = [400, 404];

/** A server that somebody else runs: an address, checked once, then trusted until it does not answer or refuses its model. */
export class ExternalServer {
  readonly id: string;
  readonly key: string;
  readonly owners = new Set<string>();
  isPinned = false;
  readonly #spec: Extract<ServerSpec, { kind: 'url' }>;
  readonly #access: ExternalAccess;
  readonly #secretOf: (name: string) => Promise<string | null>;
  readonly #client: ChatClient;
  /** For our own probes: they are not counted and do not wait in the queue. */
  readonly #probe: ChatClient;
  readonly #metrics: MetricsPoller;
  readonly #options: SupervisionOptions;
  readonly #clock: { readonly now: () => number };
  readonly #startedAt: string;
  readonly #status: ServerStatus;
  readonly #running: RunningServer;
  #lifetime = new AbortController();
  #ready: Promise<Result<RunningServer, Refusal>>;
  #healthCheck: Promise<void> | null = null;
  /** Why every further request would be refused; null: it serves the model, as far as is known. */
  #otherModel: string | null = null;

  constructor(parts: {
    readonly id: string;
    readonly key: string;
    readonly spec: Extract<ServerSpec, { kind: 'url' }>;
    readonly access: ExternalAccess;
    readonly secretOf: (name: string) => Promise<string | null>;
    readonly options: SupervisionOptions;
    readonly clock: { readonly now: () => number };
    readonly onChange: () => void;
  }) {
    const { id, key, spec, clock, options } = parts;
    this.id = id;
    this.key = key;
    this.#spec = spec;
    this.#access = parts.access;
    this.#secretOf = parts.secretOf;
    this.#options = options;
    this.#clock = clock;
    this.#startedAt = new Date(clock.now()).toISOString();
    this.#status = new ServerStatus(
      { kind: 'starting', stage: 'waiting for one token' },
      { now: clock.now, onChange: parts.onChange },
    );
    const { baseUrl } = parts.access;
    const { model, maxInFlight, secret } = spec;
    const address = {
      baseUrl,
      model,
      timeoutMs: options.longRequestTimeoutMs,
      ...(secret === undefined ? {} : { key: () => this.#secretOf(secret) }),
    };
    this.#client = createChatClient({ ...address, maxInFlight });
    this.#probe = createChatClient({ ...address, maxInFlight: 1 });
    this.#metrics = new MetricsPoller(secret === undefined ? Object.values(ENGINES) : [], clock);
    this.#running = {
      id,
      baseUrl,
      client: { ...this.#client, complete: (request, signal) => this.#complete(request, signal) },
    };
    this.#ready = this.#check();
  }

  get isReady(): boolean {
    return this.#status.isReady;
  }

  get isUsable(): boolean {
    const { kind } = this.#status.state;
    return kind === 'ready' || kind === 'starting';
  }

  ready(): Promise<Result<RunningServer, Refusal>> {
    return this.#ready;
  }

  target(): SpeedTarget | null {
    if (!this.isReady) return null;
    const { model, secret } = this.#spec;
    const { baseUrl } = this.#access;
    const key = secret === undefined ? null : () => this.#secretOf(secret);
    return { baseUrl, model, hasOneModel: false, key, ignoresEnd: false, problemId: '' };
  }

  view(): ServerView {
    return {
      id: this.id,
      kind: 'url',
      model: this.#spec.model,
      spec: this.#spec,
      state: this.#status.state,
      startedAt: this.#startedAt,
      pid: null,
      studyId: [...this.owners][0] ?? null,
      inFlight: this.#client.inFlight(),
      answered: this.#client.answered(),
      logBytes: 0,
      machineId: this.#spec.machineId ?? null,
      jobId: null,
      launchId: null,
      gpuIds: [],
      stages: [...this.#status.stages],
      metrics: this.#metrics.metrics,
      diagnosis: null,
    };
  }

  /** The workbench cannot see its process, only its own metrics. */
  async pollMetrics(): Promise<void> {
    if (this.#status.isReady) await this.#metrics.poll(this.#access.baseUrl, this.#lifetime.signal);
    else this.#metrics.clear();
  }

  /** Stops using the address; the server keeps running. */
  async stop(): Promise<Result<null, Refusal>> {
    this.detach();
    this.#access.dispose();
    this.#metrics.clear();
    this.#status.enter({ kind: 'stopped' });
    return ok(null);
  }

  /** Checks the address again. */
  async restart(): Promise<Result<null, Refusal>> {
    this.detach();
    this.#lifetime = new AbortController();
    this.#otherModel = null;
    this.#status.restart('waiting for one token');
    this.#ready = this.#check();
    const checked = await this.#ready;
    return checked.ok ? ok(null) : checked;
  }

  detach(): void {
    this.#lifetime.abort();
    this.#client.dispose();
    this.#probe.dispose();
  }

  /** For messages. */
  get #where(): string {
    const { through } = this.#access;
    return through === null ? this.#spec.baseUrl : `${this.#spec.baseUrl} (seen from ${through})`;
  }

  async #complete(request: CompletionRequest, signal: AbortSignal): Promise<Result<Completion, ChatFailure>> {
    // Asked before the request too: some servers answer whatever model they are asked for.
    if (this.#otherModel !== null) return failed({ kind: 'other-model', message: this.#otherModel });
    const answer = await this.#client.complete(request, signal);
    if (answer.ok || signal.aborted || !needsHealthCheck(answer.error)) return answer;
    this.#healthCheck ??= this.#probeHealth().finally(() => {
      this.#healthCheck = null;
    });
    await this.#healthCheck;
    return this.#otherModel === null ? answer : failed({ kind: 'other-model', message: this.#otherModel });
  }

  /**
   * Checks whether one connection broke or the server does not answer, or whether one request was refused or the server
   * has another model now. What concerns the server is shown at once; later requests wait, or fail.
   */
  async #probeHealth(): Promise<void> {
    const { signal } = this.#lifetime;
    if (!this.#status.isReady) return;
    const models = await this.#models(signal);
    if (signal.aborted || !this.#status.isReady) return;
    if (models.ok) return void this.#refuseOtherModel(models.value);
    if (models.error.kind !== 'transport' && models.error.kind !== 'cancelled') return;
    const why = models.error.kind === 'transport' ? ` (${models.error.message})` : '';
    const since = localTime(new Date(this.#clock.now()).toISOString());
    this.#status.setStage(null, `has not answered since ${since}${why}; waiting for it`);
    this.#ready = this.#awaitAnswer(signal);
  }

  async #awaitAnswer(signal: AbortSignal): Promise<Result<RunningServer, Refusal>> {
    const { outsideTimeoutMs, outsideCheckMs } = this.#options;
    const endMs = performance.now() + outsideTimeoutMs;
    while (performance.now() < endMs && !signal.aborted) {
      await sleepUnlessAborted(outsideCheckMs, signal);
      const models = await this.#models(signal);
      if (signal.aborted) break;
      if (models.ok) {
        const other = this.#refuseOtherModel(models.value);
        if (other !== null) return failed(other);
        this.#status.ready(this.#access.baseUrl);
        return ok(this.#running);
      }
    }
    const { model } = this.#spec;
    if (signal.aborted) return failed(refusal(`The server of "${model}" is no longer used.`));
    const minutes = Math.round(outsideTimeoutMs / 60_000);
    const message = `The server of "${model}" at ${this.#where} has not answered for ${minutes} minutes.`;
    const hint = 'Start it again where it runs. Then resume the study: nothing is lost.';
    this.#status.fail(message, hint, null);
    return failed({ ...refusal(message), hint });
  }

  /** Null: it has our model still, or does not list any. */
  #refuseOtherModel(listed: readonly string[]): Refusal | null {
    const { model } = this.#spec;
    if (listed.length === 0 || isListed(model, listed)) return null;
    this.#otherModel = this.#asked(wrongModel(model, listed));
    this.#status.fail(this.#otherModel, undefined, null);
    return refusal(this.#otherModel);
  }

  #asked(problem: string): string {
    const { secret } = this.#spec;
    return `${problem} Asked at ${this.#where}${secret === undefined ? '' : ` with the key "${secret}"`}.`;
  }

  async #check(): Promise<Result<RunningServer, Refusal>> {
    const { model } = this.#spec;
    const { signal } = this.#lifetime;
    const problem = (await this.#problem(signal)) ?? null;
    if (signal.aborted) return failed(refusal(`The server of "${model}" is no longer used.`));
    if (problem !== null) {
      const message = this.#asked(problem);
      this.#status.fail(message, undefined, null);
      return failed(refusal(message));
    }
    this.#status.note('one real token');
    this.#status.ready(this.#access.baseUrl);
    return ok(this.#running);
  }

  /** Why it cannot be used; null when it can. */
  async #problem(signal: AbortSignal): Promise<string | null> {
    const { model, baseUrl, secret } = this.#spec;
    if (secret !== undefined) {
      const unsafe = keyProblem(new URL(baseUrl));
      if (unsafe !== null) return unsafe;
      if ((await this.#secretOf(secret)) === null) {
        return `The key "${secret}" is not in the key store: save it in Settings, or set it in the environment of the terminal.`;
      }
    }
    const models = await this.#models(signal);
    if (models.ok) {
      this.#status.setStage('port open', 'port open');
      // Some list nothing, or another name of the same model: then a real answer decides.
      if (models.value.length > 0 && !isListed(model, models.value)) return wrongModel(model, models.value);
      if (models.value.length > 0) this.#status.setStage('model listed', 'waiting for one token');
    } else if (models.error.kind === 'transport' || models.error.kind === 'cancelled') {
      return models.error.kind === 'transport'
        ? describeChatFailure(models.error)
        : `The model server did not answer within ${PROBE_MS / 1_000} s.`;
    }
    const answer = await oneToken(this.#probe, { serves: { kind: 'own', knownProblemId: null } }, signal);
    if (answer === null || answer.kind === 'exhausted' || answer.kind === 'no-refinement') return null;
    return describeChatFailure(answer);
  }

  #models(signal: AbortSignal): Promise<Result<readonly string[], ChatFailure>> {
    return this.#probe.models(AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
  }
}

function needsHealthCheck(failure: ChatFailure): boolean {
  if (failure.kind === 'refused') return MODEL_REFUSALS.includes(failure.status);
  return failure.kind === 'transport';
}

/** Ollama adds a tag to names that have none; Google's address puts "models/" before them. */
function isListed(model: string, listed: readonly string[]): boolean {
  return listed.some((name) => name === model || name === `${model}:latest` || name === `models/${model}`);
}

function refusal(message: string): Refusal {
  return { code: 'unavailable', message };
}
