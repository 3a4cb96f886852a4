import type { BeliefShape } from './beliefs';
import type { Reason } from './reason';

/** Scores of every agent in a whole tree, and the choice of an agent by its upper confidence bound (UCB1). */
export class AgentScores {
  readonly #counts: number[];
  readonly #sums: number[];
  #total = 0;

  constructor(agentCount: number) {
    this.#counts = Array.from({ length: agentCount }, () => 0);
    this.#sums = Array.from({ length: agentCount }, () => 0);
  }

  observe(agent: number, score: number): void {
    this.#counts[agent] = (this.#counts[agent] as number) + 1;
    this.#sums[agent] = (this.#sums[agent] as number) + score;
    this.#total += 1;
  }

  /** null: it has no score yet. */
  meanOf(agent: number): BeliefShape | null {
    const seen = this.#counts[agent] as number;
    return seen === 0 ? null : { kind: 'mean', seen, mean: (this.#sums[agent] as number) / seen };
  }

  /**
   * mean + exploration * sqrt(ln(all scores) / own scores), the first of equals; an agent without a score (null)
   * goes first, in the team's order. Trials under way do not count.
   */
  best(
    node: number,
    agents: readonly number[],
    exploration: number,
  ): { readonly agent: number; readonly reason: Reason } {
    const values = agents.map((agent) => {
      const own = this.#counts[agent] as number;
      if (own === 0) return null;
      return (this.#sums[agent] as number) / own + exploration * Math.sqrt(Math.log(this.#total) / own);
    });
    let chosen = 0;
    for (const [i, value] of values.entries()) {
      const best = values[chosen] as number | null;
      if (best === null) break;
      if (value === null || value > best) chosen = i;
    }
    return {
      agent: agents[chosen] as number,
      reason: { node, question: 'agent', measure: 'bound', options: agents, values, chosen },
    };
  }
}
