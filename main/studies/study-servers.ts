import type { Refusal, ServerSpec } from '../../preload/contract/index';
import { canonicalJson, type Disposable, ok, type Result } from '../base/index';
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

  /** Those that were started, with the id by which each is listed. */
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

  /** Starts the servers that do not run yet; refused with the first that cannot be started. */
  async start(specs: readonly ServerSpec[], onStep: (step: string) => void): Promise<Result<null, Refusal>> {
    for (const spec of specs) {
      const key = serverKey(spec);
      if (this.#running.has(key) || this.#signal.aborted) continue;
      const file = await this.#modelFile(spec);
      if (!file.ok) return file;
      onStep(`starting ${spec.model}`);
      const following = spec.kind === 'launch' ? this.#follow(spec, onStep) : null;
      const server = await this.#servers
        .ensure(spec, file.value, this.#studyId, this.#signal)
        .finally(() => following?.dispose());
      if (!server.ok && this.#signal.aborted) break;
      if (!server.ok) return server;
      this.#running.set(key, { spec, server: server.value });
      this.#slots.set(key, new PrioritySemaphore(this.#limitOf(spec), this.#onRelease));
    }
    return ok(null);
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

  /** Weights take minutes to load: their progress is the study's progress. */
  #follow({ model }: ServerSpec, onStep: (step: string) => void): Disposable {
    return this.#servers.onChange((views) => {
      for (const { model: served, state } of views) {
        if (served === model && state.kind === 'starting') onStep(`starting ${model}: ${state.stage}`);
      }
    });
  }

  async #ensureAgain(spec: ServerSpec, key: string): Promise<void> {
    const file = await this.#modelFile(spec);
    if (!file.ok || this.#signal.aborted) return;
    const server = await this.#servers.ensure(spec, file.value, this.#studyId, this.#signal);
    if (server.ok) this.#running.set(key, { spec, server: server.value });
  }
}
