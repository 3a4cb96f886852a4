import type { IndexedDecision } from './indexed-decision';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT } from './tree';

/**
 * Repeated sampling (best-of-N): first attempts only, agents in turn. The next agent is the one with the fewest
 * trials that are running or gave a node, so the same agent repeats a failed trial.
 */
export class RepeatedSampling implements SearchAlgorithm {
  readonly #perAgent: number;
  readonly #counts: number[];
  readonly #retired = new Set<number>();
  readonly #closed = new Set<number>();
  #nodes = 0;

  /** `perAgent`: maximum number of nodes per agent; without it only the caller's budget ends the sampling. */
  constructor(agentCount: number, perAgent = Number.POSITIVE_INFINITY) {
    if (agentCount < 1) throw new RangeError('A search needs an agent');
    this.#perAgent = perAgent;
    this.#counts = Array.from({ length: agentCount }, () => 0);
  }

  selectExpansion(): Expansion | null {
    const options: number[] = [];
    const values: number[] = [];
    let chosen = 0;
    for (const [agent, count] of this.#counts.entries()) {
      if (this.#retired.has(agent) || this.#closed.has(agent) || count >= this.#perAgent) continue;
      options.push(agent);
      values.push(count);
      if (count < (values[chosen] as number)) chosen = values.length - 1;
    }
    const agent = options[chosen];
    if (agent === undefined) return null;
    this.#counts[agent] = (this.#counts[agent] as number) + 1;
    const decision: IndexedDecision = {
      node: ROOT,
      question: 'agent',
      measure: 'turn',
      options,
      values,
      chosen,
    };
    return { parent: ROOT, agent, why: options.length === 1 ? [] : [decision] };
  }

  record(): number {
    return this.#nodes++;
  }

  failed({ agent }: Expansion): void {
    this.#counts[agent] = (this.#counts[agent] as number) - 1;
  }

  close(expansion: Expansion): void {
    this.failed(expansion);
    this.#closed.add(expansion.agent);
  }

  retire(agent: number): void {
    this.#retired.add(agent);
  }

  revive(agent: number): void {
    this.#retired.delete(agent);
  }
}
