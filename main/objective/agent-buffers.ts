/** `age`: rounds since the agent's weights changed after the sample was written; null: they have not changed. */
export type BufferedSample<S> = { readonly sample: S; readonly age: number | null };

/** Plain data by agent, for saving; `AgentBuffers.restored` reads it. */
export type BufferState<S> = Readonly<Record<string, readonly BufferedSample<S>[]>>;

export type BufferSizes = {
  /** Samples that an agent needs before it learns. */
  readonly rolloutBatch: number;
  /** Samples of one optimiser step. */
  readonly trainBatch: number;
};

/** A remainder is dropped after this many rounds: older samples are too far from the current weights. */
const MAX_AGE_ROUNDS = 2;

/**
 * Each agent's samples for its next update. Agents do not wait for each other: an agent learns as soon as it has enough
 * samples. Samples left over from an update were written with older weights, so their age counts; that of samples
 * collected after the update does not. First in, first out.
 */
export class AgentBuffers<S> {
  readonly #threshold: number;
  readonly #waiting = new Map<string, BufferedSample<S>[]>();

  constructor({ rolloutBatch, trainBatch }: BufferSizes) {
    this.#threshold = Math.max(rolloutBatch, trainBatch);
    if (!Number.isInteger(this.#threshold) || this.#threshold < 1) {
      throw new RangeError(`A batch cannot have ${this.#threshold} samples`);
    }
  }

  /** Buffers with a saved state. */
  static restored<S>(sizes: BufferSizes, state: BufferState<S>): AgentBuffers<S> {
    const buffers = new AgentBuffers<S>(sizes);
    for (const [agent, samples] of Object.entries(state)) buffers.#waiting.set(agent, [...samples]);
    return buffers;
  }

  /**
   * Call before each round: remainders age, and those older than 2 rounds are dropped. Gives the number of dropped
   * samples by agent.
   */
  startRound(): ReadonlyMap<string, number> {
    const dropped = new Map<string, number>();
    for (const [agent, waiting] of this.#waiting) {
      const older = waiting.map(({ sample, age }) => ({ sample, age: age === null ? null : age + 1 }));
      const fresh = older.filter(({ age }) => age === null || age <= MAX_AGE_ROUNDS);
      dropped.set(agent, older.length - fresh.length);
      this.#waiting.set(agent, fresh);
    }
    return dropped;
  }

  add(agent: string, samples: readonly S[]): void {
    const waiting = this.#waiting.get(agent) ?? [];
    for (const sample of samples) waiting.push({ sample, age: null });
    this.#waiting.set(agent, waiting);
  }

  /** Samples that wait for the agent's next update. */
  count(agent: string): number {
    return this.#waiting.get(agent)?.length ?? 0;
  }

  /**
   * The samples that the agent learns from now: the largest available multiple of the threshold (the larger of the two
   * batch sizes), at most `most` times the threshold, oldest first; empty while there are too few.
   */
  take(agent: string, most = Number.POSITIVE_INFINITY): S[] {
    const waiting = this.#waiting.get(agent) ?? [];
    const size = this.#threshold * Math.min(most, Math.floor(waiting.length / this.#threshold));
    if (size === 0) return [];
    const left = waiting.slice(size).map(({ sample, age }) => ({ sample, age: age ?? 0 }));
    this.#waiting.set(agent, left);
    return waiting.slice(0, size).map(({ sample }) => sample);
  }

  state(): BufferState<S> {
    return Object.fromEntries([...this.#waiting].map(([agent, waiting]) => [agent, [...waiting]]));
  }
}
