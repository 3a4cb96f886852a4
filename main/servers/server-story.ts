import type { ServerState, ServerTrouble } from '../../preload/contract';

export type Stage = { readonly name: string; readonly at: string };

/** What is told of one server: its state, the stages of its start, and why it failed. */
export class ServerStory {
  readonly #now: () => number;
  readonly #onChange: () => void;
  #state: ServerState;
  #stages: readonly Stage[] = [];
  #trouble: ServerTrouble | null = null;

  constructor(state: ServerState, parts: { readonly now: () => number; readonly onChange: () => void }) {
    this.#state = state;
    this.#now = parts.now;
    this.#onChange = parts.onChange;
  }

  get state(): ServerState {
    return this.#state;
  }

  get stages(): readonly Stage[] {
    return this.#stages;
  }

  get trouble(): ServerTrouble | null {
    return this.#trouble;
  }

  get isReady(): boolean {
    return this.#state.kind === 'ready';
  }

  /** A new start: the stages of the last one are over; its trouble is told until this one is through. */
  begin(stage: string): void {
    this.#stages = [];
    this.enter({ kind: 'starting', stage });
  }

  /** `name` null: no stage is reached, the words alone are told. A stage that was reached keeps its time. */
  reach(name: string | null, words: string, at?: string): void {
    if (name !== null) this.note(name, at);
    this.enter({ kind: 'starting', stage: words });
  }

  /** A line among the stages. */
  note(name: string, at = new Date(this.#now()).toISOString()): void {
    if (!this.#stages.some((stage) => stage.name === name)) this.#stages = [...this.#stages, { name, at }];
  }

  ready(baseUrl: string): void {
    this.#trouble = null;
    this.enter({ kind: 'ready', baseUrl });
  }

  fail(message: string, hint: string | undefined, trouble: ServerTrouble | null): void {
    this.#trouble = trouble;
    this.enter({ kind: 'failed', message, ...(hint === undefined ? {} : { hint }) });
  }

  enter(state: ServerState): void {
    this.#state = state;
    this.#onChange();
  }
}
