import type { EngineKind, LogProgress } from './engines';

/** End of the log that is stored to diagnose failures. */
const TAIL_CHARACTERS = 65_536;

/** The log of one start, read piece by piece: its stage and its last characters. */
export class StartLog {
  readonly #engine: EngineKind | null;
  #rest = '';
  #tail = '';
  #stage: LogProgress['stage'] | null = null;

  constructor(engine: EngineKind | null) {
    this.#engine = engine;
  }

  /** At most 64 Ki characters. */
  get tail(): string {
    return this.#tail;
  }

  /** The latest progress in a piece of the log; never goes back to an earlier stage. null: none. */
  read(text: string): LogProgress | null {
    this.#tail = (this.#tail + text).slice(-TAIL_CHARACTERS);
    const lines = (this.#rest + text).split(/[\r\n]/);
    this.#rest = (lines.pop() ?? '').slice(-TAIL_CHARACTERS);
    if (this.#engine === null) return null;
    let last: LogProgress | null = null;
    // A bar of progress has no line end before its last step, so the unfinished line counts too.
    for (const line of [...lines, this.#rest]) {
      const note = this.#engine.progressOf(line);
      if (note === null || (this.#stage === 'warming up' && note.stage === 'weights loading')) continue;
      this.#stage = note.stage;
      last = note;
    }
    return last;
  }
}
