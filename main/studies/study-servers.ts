import type { Refusal, ServerSpec, ServerView } from '../../preload/contract/index';
import { canonicalJson, type Disposable, failed, ok, type Result } from '../base/index';
import type { ChatClient, RunningServer, ServerService } from '../servers/index';
import { PrioritySemaphore } from './priority-semaphore';

/** Identifies a server of a study; runs with the same specification share it. */
export function serverKey(spec: ServerSpec): string {
  return canonicalJson(spec);
}

/** The servers of one study: their clients, their request slots, and the recovery of one that does not answer. */
export class StudyServers {
  readonly #servers: Pick<ServerService, 'ensure' | 'onChange'>;
  readonly #modelFile: (spec: ServerSpec) => Promise<Result<string | null, Refusal>>;
  readonly #studyId: string;
  readonly #signal: AbortSignal;
  readonly #onRelease: () => void;
  #parallel: number | null;
  readonly #running = new Map<string, { readonly spec: ServerSpec; readonly server: RunningServer }>();
  readonly #slots = new Map<string, PrioritySemaphore>();
  readonly #recovering = new Map<string, { readonly spec: ServerSpec; readonly done: Promise<void> }>();

  constructor(parts: {
    readonly servers: Pick<ServerService, 'ensure' | 'onChange'>;
    /** The checkpoint or recording that a server answers from; null for an external address. */
    readonly modelFile: (spec: ServerSpec) => Promise<Result<string | null, Refusal>>;
    readonly studyId: string;
    readonly signal: AbortSignal;
    /** Requests at once to each server, at most; null: as many as the server takes. */
    readonly parallel: number | null;
    /** Called whenever a slot is released. */
    readonly onRelease: () => void;
  }) {
    this.#servers = parts.servers;
    this.#modelFile = parts.modelFile;
    this.#studyId = parts.studyId;
    this.#signal = parts.signal;
    this.#onRelease = parts.onRelease;
    this.#parallel = parts.parallel;
  }

  /** From now on: no request is broken off. */
  setParallel(parallel: number | null): void {
    this.#parallel = parallel;
    for (const { spec } of this.#running.values()) {
      const slots = this.slotsOf(spec);
      if (slots !== undefined) slots.limit = this.#limitOf(spec);
    }
  }

  #limitOf({ maxInFlight }: ServerSpec): number {
    return Math.min(maxInFlight, this.#parallel ?? maxInFlight);
  }

  /** Request slots by server key, in the order of starting. */
  get slots(): ReadonlyMap<string, PrioritySemaphore> {
    return this.#slots;
  }

  slotsOf(spec: ServerSpec): PrioritySemaphore | undefined {
    return this.#slots.get(serverKey(spec));
  }

  /** The started servers, each with the id in its list. */
  used(): readonly { readonly spec: ServerSpec; readonly id: string }[] {
    return [...this.#running.values()].map(({ spec, server }) => ({ spec, id: server.id }));
  }

  /** Unreachable servers that requests wait for now. */
  waiting(): readonly ServerSpec[] {
    return [...this.#recovering.values()].map(({ spec }) => spec);
  }

  /** Of a server that was started. */
  client(spec: ServerSpec): ChatClient {
    const running = this.#running.get(serverKey(spec));
    if (running === undefined) throw new Error(`The server of ${spec.model} was not started`);
    return running.server.client;
  }

  /**
   * Starts the servers that do not run yet; refused with the first that cannot be started. Launches start together: their
   * weights load side by side, and on a Slurm cluster they are one job array. The others take a moment each, of this computer.
   */
  async start(specs: readonly ServerSpec[], onStep: (step: string) => void): Promise<Result<null, Refusal>> {
    const unique = [...new Map(specs.map((spec) => [serverKey(spec), spec])).values()];
    const missing = unique.filter((spec) => !this.#running.has(serverKey(spec)));
    const giveUp = new AbortController();
    const signal = AbortSignal.any([this.#signal, giveUp.signal]);
    const started = new Map<ServerSpec, RunningServer>();
    const progress = new StartProgress(this.#servers, onStep);
    const refusals: Refusal[] = [];
    const startOne = async (spec: ServerSpec): Promise<void> => {
      const file = signal.aborted ? null : await this.#modelFile(spec);
      if (file === null || signal.aborted) return;
      progress.begin(spec);
      const server = file.ok ? await this.#servers.ensure(spec, file.value, this.#studyId, signal) : file;
      progress.end(spec);
      if (server.ok) started.set(spec, server.value);
      else if (!signal.aborted) {
        refusals.push(server.error);
        giveUp.abort();
      }
    };
    const startOneByOne = async (others: readonly ServerSpec[]): Promise<void> => {
      for (const spec of others) await startOne(spec);
    };
    const launches = missing.filter(({ kind }) => kind === 'launch');
    const others = missing.filter(({ kind }) => kind !== 'launch');
    await Promise.all([...launches.map(startOne), startOneByOne(others)]).finally(() => progress.dispose());
    for (const spec of missing) {
      const server = started.get(spec);
      if (server === undefined) continue;
      this.#running.set(serverKey(spec), { spec, server });
      this.#slots.set(serverKey(spec), new PrioritySemaphore(this.#limitOf(spec), this.#onRelease));
    }
    const [refusal] = refusals;
    return refusal === undefined ? ok(null) : failed(refusal);
  }

  /**
   * Call it when a server could not be reached. Resolves when it answers again, or when waiting is pointless. One of our
   * own servers may take as long as it restarts or its machine is unreachable, and is started anew after it was given
   * up; an external address is retried for some minutes. `waiting` lists the server meanwhile.
   */
  recover(spec: ServerSpec): Promise<void> {
    const key = serverKey(spec);
    const current = this.#recovering.get(key);
    if (current !== undefined) return current.done;
    const done = this.#ensureAgain(spec, key).finally(() => this.#recovering.delete(key));
    this.#recovering.set(key, { spec, done });
    return done;
  }

  async #ensureAgain(spec: ServerSpec, key: string): Promise<void> {
    const file = await this.#modelFile(spec);
    if (!file.ok || this.#signal.aborted) return;
    const server = await this.#servers.ensure(spec, file.value, this.#studyId, this.#signal);
    if (server.ok) this.#running.set(key, { spec, server: server.value });
  }
}

/** What a study says while its servers start: weights take minutes to load, and their progress is the study's. */
class StartProgress implements Disposable {
  readonly #onStep: (step: string) => void;
  readonly #following: Disposable;
  readonly #starting = new Set<ServerSpec>();
  #views: readonly ServerView[] = [];
  #said = '';

  constructor(servers: Pick<ServerService, 'onChange'>, onStep: (step: string) => void) {
    this.#onStep = onStep;
    this.#following = servers.onChange((views) => {
      this.#views = views;
      this.#say();
    });
  }

  begin(spec: ServerSpec): void {
    this.#starting.add(spec);
    this.#say();
  }

  end(spec: ServerSpec): void {
    this.#starting.delete(spec);
    this.#say();
  }

  dispose(): void {
    this.#following.dispose();
  }

  #say(): void {
    const [first, ...others] = this.#starting;
    if (first === undefined) return;
    const text = `starting ${others.length === 0 ? '' : `${others.length + 1} servers, `}${first.model}${this.#stageOf(first)}`;
    if (text !== this.#said) this.#onStep(text);
    this.#said = text;
  }

  #stageOf(spec: ServerSpec): string {
    if (spec.kind !== 'launch') return '';
    const states = this.#views.flatMap(({ launchId, state }) => (launchId === spec.launchId ? state : []));
    const starting = states.find((state) => state.kind === 'starting');
    return starting?.kind === 'starting' ? `: ${starting.stage}` : '';
  }
}
