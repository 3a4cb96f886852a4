import type { IndexedDecision } from './indexed-decision';
import type { PosteriorSummary } from './posteriors';

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

  /** null: the agent has no score yet. */
  meanSummary(agent: number): PosteriorSummary | null {
    const observations = this.#counts[agent] as number;
    return observations === 0
      ? null
      : { kind: 'mean', observations, mean: (this.#sums[agent] as number) / observations };
  }

  /**
   * mean + exploration * sqrt(ln(all scores) / own scores); ties go to the first. Agents without a score (null) go
   * first, in the team's order. Running trials do not count.
   */
  highestBound(
    node: number,
    agents: readonly number[],
    exploration: number,
  ): { readonly agent: number; readonly decision: IndexedDecision } {
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
      decision: { node, question: 'agent', measure: 'bound', options: agents, values, chosen },
    };
  }
}
