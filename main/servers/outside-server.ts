import type { Refusal, ServerSpec, ServerState, ServerView } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type ChatClient, createChatClient } from './chat-client';
import { askOnce } from './readiness';
import type { RunningServer } from './running-server';

/** A server that somebody else runs: an address, looked at once and then trusted. */
export class OutsideServer {
  readonly id: string;
  readonly key: string;
  readonly owners = new Set<string>();
  kept = false;
  readonly #spec: Extract<ServerSpec, { kind: 'url' }>;
  readonly #client: ChatClient;
  readonly #startedAt: string;
  readonly #onChange: () => void;
  readonly #ending = new AbortController();
  readonly #ready: Promise<Result<RunningServer, Refusal>>;
  #state: ServerState = { kind: 'starting', stage: 'waiting for one token' };

  constructor(parts: {
    readonly id: string;
    readonly key: string;
    readonly spec: Extract<ServerSpec, { kind: 'url' }>;
    readonly startedAt: string;
    readonly requestTimeoutMs: number;
    readonly onChange: () => void;
  }) {
    this.id = parts.id;
    this.key = parts.key;
    this.#spec = parts.spec;
    this.#startedAt = parts.startedAt;
    this.#onChange = parts.onChange;
    const { baseUrl, model, maxInFlight } = parts.spec;
    this.#client = createChatClient({ baseUrl, model, maxInFlight, timeoutMs: parts.requestTimeoutMs });
    this.#ready = this.#check();
  }

  get isUsable(): boolean {
    return this.#state.kind === 'ready' || this.#state.kind === 'starting';
  }

  ready(): Promise<Result<RunningServer, Refusal>> {
    return this.#ready;
  }

  view(): ServerView {
    return {
      id: this.id,
      kind: 'url',
      model: this.#spec.model,
      state: this.#state,
      startedAt: this.#startedAt,
      pid: null,
      studyId: [...this.owners][0] ?? null,
      inFlight: this.#client.inFlight(),
      answered: this.#client.answered(),
      logBytes: 0,
    };
  }

  /** Nothing of it is ours to look at between requests. */
  async look(): Promise<void> {}

  /** Lets go of the address; whoever runs the server keeps it running. */
  async stop(): Promise<Result<null, Refusal>> {
    this.detach();
    this.#setState({ kind: 'stopped' });
    return ok(null);
  }

  detach(): void {
    this.#ending.abort();
    this.#client.dispose();
  }

  async #check(): Promise<Result<RunningServer, Refusal>> {
    const { model, baseUrl } = this.#spec;
    const problem = await askOnce(this.#client, model, null, this.#ending.signal, () => undefined);
    if (problem !== null) {
      const message = `${problem} Asked at ${baseUrl}.`;
      this.#setState({ kind: 'failed', message });
      return failed({ code: 'unavailable', message });
    }
    this.#setState({ kind: 'ready', baseUrl });
    return ok({ id: this.id, baseUrl, client: this.#client });
  }

  #setState(state: ServerState): void {
    this.#state = state;
    this.#onChange();
  }
}
