import type { IndexedDecision } from './indexed-decision';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT } from './tree';
import { TreeSearch } from './tree-search';

/** A program and its successive refinements. */
type Chain = {
  /** The newest program; the root before the first attempt. */
  tip: number;
  /** The agent whose turn it is, by position in the team. */
  agentIndex: number;
  /** The agent that is writing the next program; null: none. */
  writer: number | null;
};

/**
 * Sequential refinement (the chain of Self-Refine, Madaan et al., arXiv 2303.17651): a first attempt, then always a
 * refinement of the newest program, agents in turn; the same agent repeats a failed trial. An agent for which the
 * newest program is closed is skipped; when no agent is left the chain ends, and the next agent in turn starts a new
 * one with a first attempt. When no first attempt is possible either, the newest program that some agent can refine is
 * refined once more.
 *
 * In a batch the newest program is unknown while it is being written, so every further ask continues another chain: B
 * running trials are B chains.
 */
export class Refine extends TreeSearch implements SearchAlgorithm {
  readonly #agentCount: number;
  /** Oldest first, without the chains that have ended. */
  #chains: Chain[] = [];
  #chainsStarted = 0;

  constructor(agentCount: number) {
    super(agentCount);
    this.#agentCount = agentCount;
  }

  selectExpansion(): Expansion | null {
    if (!this.expandable.canExpand(ROOT)) return null;
    this.#chains = this.#chains.filter((chain) => chain.writer !== null || this.#canContinue(chain));
    const chain = this.#chains.find(({ writer }) => writer === null) ?? this.#startChain();
    const options = this.expandable.agentsAt(chain.tip);
    const values = options.map((agent) => (agent + this.#agentCount - chain.agentIndex) % this.#agentCount);
    let chosen = 0;
    for (const [i, value] of values.entries()) if (value < (values[chosen] as number)) chosen = i;
    const agent = options[chosen] as number;
    chain.writer = agent;
    const decision: IndexedDecision = {
      node: chain.tip,
      question: 'agent',
      measure: 'turn',
      options,
      values,
      chosen,
    };
    return { parent: chain.tip, agent, why: options.length === 1 ? [] : [decision] };
  }

  record(parent: number, agent: number, _score: number): number {
    const node = this.tree.add(parent, agent);
    this.expandable.nodeAdded(node);
    const chain = this.#releaseChain(parent, agent);
    if (chain !== undefined) {
      chain.tip = node;
      chain.agentIndex = (agent + 1) % this.#agentCount;
    }
    return node;
  }

  override failed({ parent, agent }: Expansion): void {
    this.#releaseChain(parent, agent);
  }

  override close(expansion: Expansion): void {
    super.close(expansion);
    const { parent, agent } = expansion;
    this.#releaseChain(parent, agent);
  }

  #canContinue(chain: Chain): boolean {
    return this.expandable.agentsAt(chain.tip).length > 0;
  }

  #startChain(): Chain {
    const agentIndex = this.#chainsStarted++ % this.#agentCount;
    const chain: Chain = { tip: this.#startNode(), agentIndex, writer: null };
    this.#chains.push(chain);
    return chain;
  }

  #startNode(): number {
    if (this.expandable.agentsAt(ROOT).length > 0) return ROOT;
    let node = this.tree.size - 1;
    while (node > ROOT && this.expandable.agentsAt(node).length === 0) node -= 1;
    return node;
  }

  /** Among chains with the same newest program and writer, the oldest. */
  #releaseChain(tip: number, writer: number): Chain | undefined {
    const chain = this.#chains.find((candidate) => candidate.tip === tip && candidate.writer === writer);
    if (chain !== undefined) chain.writer = null;
    return chain;
  }
}
