import type { ServerDiagnosis, ServerState } from '../../preload/contract';
import type { StageName } from './readiness';

/** Of every start. */
const LAST_STAGE: StageName = 'one real token';

export type Stage = { readonly name: string; readonly at: string };

/** The status of one server: its state, the stages of its start, and why it failed. */
export class ServerStatus {
  readonly #now: () => number;
  readonly #onChange: () => void;
  #state: ServerState;
  #stages: readonly Stage[] = [];
  #diagnosis: ServerDiagnosis | null = null;

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

  get diagnosis(): ServerDiagnosis | null {
    return this.#diagnosis;
  }

  get isReady(): boolean {
    return this.#state.kind === 'ready';
  }

  /** A new start: drops the stages of the last one, but shows its problem until this one is through. */
  restart(stage: string): void {
    this.#stages = [];
    this.enter({ kind: 'starting', stage });
  }

  /**
   * `name` null: only the text changes. A stage that was reached before keeps its time; after the last one of a start that another
   * start of the app has seen, none is added: its log may show one that nobody saw in time.
   */
  setStage(name: string | null, text: string, at?: string): void {
    if (name !== null && !this.#stages.some((stage) => stage.name === LAST_STAGE)) this.note(name, at);
    this.enter({ kind: 'starting', stage: text });
  }

  /** Adds a line to the stages. */
  note(name: string, at = new Date(this.#now()).toISOString()): void {
    if (!this.#stages.some((stage) => stage.name === name)) this.#stages = [...this.#stages, { name, at }];
  }

  ready(baseUrl: string): void {
    this.#diagnosis = null;
    this.enter({ kind: 'ready', baseUrl });
  }

  fail(message: string, hint: string | undefined, diagnosis: ServerDiagnosis | null): void {
    this.#diagnosis = diagnosis;
    this.enter({ kind: 'failed', message, ...(hint === undefined ? {} : { hint }) });
  }

  enter(state: ServerState): void {
    this.#state = state;
    this.#onChange();
  }
}
