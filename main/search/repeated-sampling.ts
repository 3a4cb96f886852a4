import type { Reason } from './reason';
import { ROOT } from './tree';
import type { Choice, TreeSearch } from './tree-search';

/**
 * Repeated sampling (best-of-N): first attempts only, agents in turn. The next agent is the one with the fewest
 * trials that are under way or gave a node, so a failed trial is made up for by the same agent.
 */
export class RepeatedSampling implements TreeSearch {
  readonly #perAgent: number;
  readonly #counts: number[];
  readonly #retired = new Set<number>();
  readonly #closed = new Set<number>();
  #nodes = 0;

  /** `perAgent`: most nodes of one agent; without it only the caller's budget ends the sampling. */
  constructor(agentCount: number, perAgent = Number.POSITIVE_INFINITY) {
    if (agentCount < 1) throw new RangeError('A search needs an agent');
    this.#perAgent = perAgent;
    this.#counts = Array.from({ length: agentCount }, () => 0);
  }

  choose(): Choice | null {
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
    const reason: Reason = { node: ROOT, question: 'agent', measure: 'turn', options, values, chosen };
    return { parent: ROOT, agent, why: options.length === 1 ? [] : [reason] };
  }

  record(): number {
    return this.#nodes++;
  }

  failed({ agent }: Choice): void {
    this.#counts[agent] = (this.#counts[agent] as number) - 1;
  }

  close(choice: Choice): void {
    this.failed(choice);
    this.#closed.add(choice.agent);
  }

  retire(agent: number): void {
    this.#retired.add(agent);
  }

  revive(agent: number): void {
    this.#retired.delete(agent);
  }
}
