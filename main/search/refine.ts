import { Openings } from './openings';
import type { Reason } from './reason';
import { ROOT, SearchTree } from './tree';
import type { Choice, TreeSearch } from './tree-search';

/** A program and its refinements, each of the one before. */
type Chain = {
  /** The newest program; the root before the first attempt. */
  tip: number;
  /** Whose turn it is, counted on; modulo the team. */
  turn: number;
  /** Who is writing the next program; null: nobody. */
  writer: number | null;
};

/**
 * Sequential refinement (the chain of Self-Refine, Madaan et al., arXiv 2303.17651): a first attempt, then always a
 * refinement of the newest program, agents in turn; a failed trial is made up for by the same agent. An agent that is
 * closed below the newest program is passed over; when no agent is left for it the chain ends, and a new one begins
 * with a first attempt, by the next agent in turn. When no first attempt is left either, the newest program that some
 * agent can refine is refined once more.
 *
 * Several at once: the newest program is not known while it is being written, so every further ask goes on with
 * another chain; B trials under way are B chains side by side.
 */
export class Refine implements TreeSearch {
  readonly tree = new SearchTree();
  readonly #openings: Openings;
  readonly #agentCount: number;
  /** Oldest first; a chain that has ended is taken out. */
  #chains: Chain[] = [];
  #begun = 0;

  constructor(agentCount: number) {
    this.#agentCount = agentCount;
    this.#openings = new Openings(agentCount, this.tree);
  }

  choose(): Choice | null {
    if (!this.#openings.canEnter(ROOT)) return null;
    this.#chains = this.#chains.filter((chain) => chain.writer !== null || this.#canGoOn(chain));
    const chain = this.#chains.find(({ writer }) => writer === null) ?? this.#begin();
    const options = this.#openings.at(chain.tip);
    const values = options.map((agent) => (agent + this.#agentCount - chain.turn) % this.#agentCount);
    let chosen = 0;
    for (const [i, value] of values.entries()) if (value < (values[chosen] as number)) chosen = i;
    const agent = options[chosen] as number;
    chain.writer = agent;
    const turn: Reason = { node: chain.tip, question: 'agent', measure: 'turn', options, values, chosen };
    return { parent: chain.tip, agent, why: options.length === 1 ? [] : [turn] };
  }

  record(parent: number, agent: number, _score: number): number {
    const node = this.tree.add(parent, agent);
    this.#openings.added(node);
    const chain = this.#free(parent, agent);
    if (chain !== undefined) {
      chain.tip = node;
      chain.turn = (agent + 1) % this.#agentCount;
    }
    return node;
  }

  failed({ parent, agent }: Choice): void {
    this.#free(parent, agent);
  }

  close({ parent, agent }: Choice): void {
    this.#openings.close(parent, agent);
    this.#free(parent, agent);
  }

  retire(agent: number): void {
    this.#openings.retire(agent);
  }

  revive(agent: number): void {
    this.#openings.revive(agent);
  }

  #canGoOn(chain: Chain): boolean {
    return this.#openings.at(chain.tip).length > 0;
  }

  #begin(): Chain {
    const turn = this.#begun++ % this.#agentCount;
    const chain: Chain = { tip: this.#beginning(), turn, writer: null };
    this.#chains.push(chain);
    return chain;
  }

  #beginning(): number {
    if (this.#openings.at(ROOT).length > 0) return ROOT;
    let node = this.tree.size - 1;
    while (node > ROOT && this.#openings.at(node).length === 0) node -= 1;
    return node;
  }

  /** Chains with the same newest program and the same writer are alike: the oldest one is meant. */
  #free(tip: number, writer: number): Chain | undefined {
    const chain = this.#chains.find((candidate) => candidate.tip === tip && candidate.writer === writer);
    if (chain !== undefined) chain.writer = null;
    return chain;
  }
}
