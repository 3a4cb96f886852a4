import type { Refusal, ServerSpec } from '../../preload/contract/index';
import { type Disposable, ok, type Result } from '../base/index';
import type { ChatClient, RunningServer, ServerService } from '../servers/index';
import { SlotGate } from './slot-gate';

/** Names a server of a study; two runs with the same specification share it. */
export function serverName(spec: ServerSpec): string {
  return JSON.stringify(spec);
}

/** The servers of one study: their clients, their slots, and what is done when one falls silent. */
export class ServerDesk {
  readonly #servers: Pick<ServerService, 'ensure' | 'onChange'>;
  readonly #modelFile: (spec: ServerSpec) => Promise<Result<string | null, Refusal>>;
  readonly #studyId: string;
  readonly #signal: AbortSignal;
  readonly #onRoom: () => void;
  readonly #running = new Map<string, RunningServer>();
  readonly #gates = new Map<string, SlotGate>();
  readonly #recovering = new Map<string, { readonly spec: ServerSpec; readonly over: Promise<void> }>();

  constructor(parts: {
    readonly servers: Pick<ServerService, 'ensure' | 'onChange'>;
    /** The checkpoint or recording that a server answers from; null for an outside address. */
    readonly modelFile: (spec: ServerSpec) => Promise<Result<string | null, Refusal>>;
    readonly studyId: string;
    readonly signal: AbortSignal;
    /** Hears of every slot that was given back. */
    readonly onRoom: () => void;
  }) {
    this.#servers = parts.servers;
    this.#modelFile = parts.modelFile;
    this.#studyId = parts.studyId;
    this.#signal = parts.signal;
    this.#onRoom = parts.onRoom;
  }

  /** By name, in the order of starting. */
  get gates(): ReadonlyMap<string, SlotGate> {
    return this.#gates;
  }

  gate(spec: ServerSpec): SlotGate | undefined {
    return this.#gates.get(serverName(spec));
  }

  /** Servers that could not be reached and are waited for now. */
  waiting(): readonly ServerSpec[] {
    return [...this.#recovering.values()].map(({ spec }) => spec);
  }

  /** Of a server that has a gate. */
  client(spec: ServerSpec): ChatClient {
    const running = this.#running.get(serverName(spec));
    if (running === undefined) throw new Error(`The server of ${spec.model} was not started`);
    return running.client;
  }

  /** Starts what does not run yet; the first that can not be started is the refusal. */
  async start(specs: readonly ServerSpec[], onStep: (step: string) => void): Promise<Result<null, Refusal>> {
    for (const spec of specs) {
      const name = serverName(spec);
      if (this.#running.has(name) || this.#signal.aborted) continue;
      const file = await this.#modelFile(spec);
      if (!file.ok) return file;
      onStep(`starting ${spec.model}`);
      const following = spec.kind === 'launch' ? this.#follow(spec, onStep) : null;
      const server = await this.#servers
        .ensure(spec, file.value, this.#studyId, this.#signal)
        .finally(() => following?.dispose());
      if (!server.ok && this.#signal.aborted) break;
      if (!server.ok) return server;
      this.#running.set(name, server.value);
      this.#gates.set(name, new SlotGate(spec.maxInFlight, this.#onRoom));
    }
    return ok(null);
  }

  /**
   * Called when a server could not be reached. Resolves when it answers again, or when waiting is no use: one of
   * ours is waited for while it starts again or its machine is away, and started anew where that was given up; an
   * outside address is looked at for some minutes. The server's own state says meanwhile that it is waited for.
   */
  recover(spec: ServerSpec): Promise<void> {
    const name = serverName(spec);
    const under = this.#recovering.get(name);
    if (under !== undefined) return under.over;
    const over = this.#ensureAgain(spec, name).finally(() => this.#recovering.delete(name));
    this.#recovering.set(name, { spec, over });
    return over;
  }

  /** Weights take minutes to load: what is told of them is told of the study. */
  #follow({ model }: ServerSpec, onStep: (step: string) => void): Disposable {
    return this.#servers.onChange((views) => {
      for (const { model: served, state } of views) {
        if (served === model && state.kind === 'starting') onStep(`starting ${model}: ${state.stage}`);
      }
    });
  }

  async #ensureAgain(spec: ServerSpec, name: string): Promise<void> {
    const file = await this.#modelFile(spec);
    if (!file.ok || this.#signal.aborted) return;
    const server = await this.#servers.ensure(spec, file.value, this.#studyId, this.#signal);
    if (server.ok) this.#running.set(name, server.value);
  }
}
