/**
 * Repeated sampling (best-of-N): first attempts only, agents in turn. The next agent is the one with the fewest
 * trials that are under way or gave a node, so a failed trial is made up for by the same agent.
 */
export class RepeatedSampling {
  readonly #perAgent: number;
  readonly #counts: number[];
  readonly #retired: Set<number> = new Set();

  /** `perAgent`: most nodes of one agent; without it only the caller's budget ends the sampling. */
  constructor(agentCount: number, perAgent = Number.POSITIVE_INFINITY) {
    if (agentCount < 1) throw new RangeError('A search needs an agent');
    this.#perAgent = perAgent;
    this.#counts = Array.from({ length: agentCount }, () => 0);
  }

  /** null: no agent has a sample to give now. */
  next(): number | null {
    let best: number | null = null;
    for (const [agent, count] of this.#counts.entries()) {
      if (this.#retired.has(agent) || count >= this.#perAgent) continue;
      if (best === null || count < (this.#counts[best] as number)) best = agent;
    }
    if (best !== null) this.#counts[best] = (this.#counts[best] as number) + 1;
    return best;
  }

  /** The trial gave no node. */
  giveBack(agent: number): void {
    this.#counts[agent] = (this.#counts[agent] as number) - 1;
  }

  retire(agent: number): void {
    this.#retired.add(agent);
  }
}
