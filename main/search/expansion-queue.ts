import type { IndexedDecision } from './indexed-decision';
import type { Expansion } from './search-algorithm';

/**
 * Planned expansions that were not handed out yet, for strategies that plan several at once. Agents are served in the
 * team's order, all expansions of the first before those of the second, as treequest's queue does when it is asked one
 * at a time (src/treequest/trial.py). Each expansion is handed out once; treequest hands the same one out again to a
 * larger batch and invalidates the surplus.
 */
export class ExpansionQueue {
  /** Per agent, the next expansion last. */
  readonly #pending: Expansion[][];
  #size = 0;

  constructor(agentCount: number) {
    this.#pending = Array.from({ length: agentCount }, () => []);
  }

  get size(): number {
    return this.#size;
  }

  /** Expansions of one agent are handed out in this order. */
  plan(expansions: readonly Expansion[]): void {
    for (const pending of this.#pending) pending.reverse();
    for (const expansion of expansions) this.#pending[expansion.agent]?.push(expansion);
    for (const pending of this.#pending) pending.reverse();
    this.#size += expansions.length;
  }

  take(): Expansion | null {
    const agents: number[] = [];
    const positions: number[] = [];
    let ahead = 0;
    for (const [agent, pending] of this.#pending.entries()) {
      if (pending.length === 0) continue;
      agents.push(agent);
      positions.push(ahead);
      ahead += pending.length;
    }
    const first = agents[0];
    const expansion = first === undefined ? undefined : this.#pending[first]?.pop();
    if (expansion === undefined) return null;
    this.#size -= 1;
    if (agents.length === 1) return expansion;
    const decision: IndexedDecision = {
      node: expansion.parent,
      question: 'agent',
      measure: 'turn',
      options: agents,
      values: positions,
      chosen: 0,
    };
    return { ...expansion, why: [...expansion.why, decision] };
  }

  /** After a failure: it becomes the agent's next expansion. */
  putBack(expansion: Expansion): void {
    const why = expansion.why.filter(({ measure }) => measure !== 'turn'); // `take` adds a new one
    this.#pending[expansion.agent]?.push({ ...expansion, why });
    this.#size += 1;
  }

  /** Removes an agent's expansions: all of them, or those below one node. */
  drop(agent: number, parent?: number): void {
    const pending = this.#pending[agent] as Expansion[];
    const remaining = parent === undefined ? [] : pending.filter((expansion) => expansion.parent !== parent);
    this.#size -= pending.length - remaining.length;
    this.#pending[agent] = remaining;
  }
}
