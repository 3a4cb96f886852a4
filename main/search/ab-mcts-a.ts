import type { Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { type Belief, newBelief } from './beliefs';
import { ROOT, SearchTree } from './tree';

export type AbMctsOptions = Omit<Extract<Strategy, { kind: 'ab-mcts-a' }>, 'kind'>;

/** At a node: write a new program from here, or go on below a child. */
export type Decision =
  | { readonly kind: 'generate'; readonly agent: number }
  | { readonly kind: 'descend'; readonly child: number };

/** Beliefs at a node about one group of agents: all of them, or (selection `stack`) one. */
type Group = {
  /** What a fresh attempt from here is worth. */
  readonly generate: Belief;
  /** What further work below is worth. */
  readonly proceed: Belief;
};

type NodeBeliefs = {
  readonly groups: readonly Group[];
  /** Per agent, what its part of this subtree is worth; used by `stack` alone and empty otherwise. */
  readonly agents: readonly Belief[];
};

/**
 * Adaptive branching Monte Carlo tree search with node aggregation, AB-MCTS-A (arXiv 2503.04412), with several
 * agents, as SakanaAI/treequest implements it (src/treequest/algos/ab_mcts_a at commit e6865b7); docs/search.md tells
 * the rules and the order of the draws. Departures: beliefs keep sufficient statistics, and agents can retire.
 *
 * Agents are positions in the team; nodes are indices, the root -1.
 */
export class AbMctsA {
  readonly tree = new SearchTree();
  readonly #options: AbMctsOptions;
  readonly #random: Random;
  readonly #root: NodeBeliefs;
  readonly #beliefs: (NodeBeliefs | undefined)[] = [];
  /** What a node's parent believes about going on below it. */
  readonly #asChild: (Belief | undefined)[] = [];
  /** All scores of an agent in the whole tree, wherever it wrote. */
  readonly #agentBeliefs: readonly Belief[];
  readonly #agentSums: number[];
  #active: readonly number[];

  constructor(options: AbMctsOptions, agentCount: number, random: Random) {
    if (agentCount < 1) throw new RangeError('A search needs an agent');
    this.#options = options;
    this.#random = random;
    this.#active = Array.from({ length: agentCount }, (_, agent) => agent);
    this.#agentBeliefs = this.#active.map(() => newBelief(options.beliefs));
    this.#agentSums = this.#active.map(() => 0);
    this.#root = this.#newNodeBeliefs();
  }

  /** Agents that may still be asked. */
  get active(): readonly number[] {
    return this.#active;
  }

  /** This agent is not chosen any more; what it wrote stays and counts. */
  retire(agent: number): void {
    this.#active = this.#active.filter((other) => other !== agent);
  }

  /** Walks down from the root until a node is to be expanded. Needs an active agent. */
  select(): { readonly parent: number; readonly agent: number } {
    let node = ROOT;
    for (;;) {
      const decision = this.decide(node);
      if (decision.kind === 'generate') return { parent: node, agent: decision.agent };
      node = decision.child;
    }
  }

  /** One decision at one node. The draws for both options are made at a leaf, too. */
  decide(node: number): Decision {
    if (this.#active.length === 0) throw new Error('Every agent is retired');
    const beliefs = this.#beliefsAt(node);
    const stackAgent = this.#options.selection === 'stack' ? this.#bestDrawn(beliefs.agents) : null;
    const group = beliefs.groups[stackAgent ?? 0] as Group;
    const generate = group.generate.draw(this.#random);
    const proceed = group.proceed.draw(this.#random);
    // A tie means a fresh attempt.
    const child = proceed > generate ? this.#bestDrawnChild(node, stackAgent) : null;
    if (child !== null) return { kind: 'descend', child };
    return { kind: 'generate', agent: stackAgent ?? this.#chooseAgent() };
  }

  /** Adds what an agent wrote below `parent`, with its score in [0, 1], and tells every belief on the path. */
  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.#childBelief(node).observe(score);
    (this.#agentBeliefs[agent] as Belief).observe(score);
    this.#agentSums[agent] = (this.#agentSums[agent] ?? 0) + score;

    const at = this.#beliefsAt(parent);
    const group = this.#groupOf(at, agent);
    group.generate.observe(score);
    at.agents[agent]?.observe(score);

    for (let current = parent; current !== ROOT; ) {
      const above = this.tree.parentOf(current);
      const writer = this.tree.agentOf(current);
      const beliefs = this.#beliefsAt(above);
      this.#childBelief(current).observe(score);
      this.#groupOf(beliefs, writer).proceed.observe(score);
      beliefs.agents[writer]?.observe(score);
      current = above;
    }
    return node;
  }

  /** How many scores each belief at a node has seen, summed over the groups; for checks of the bookkeeping. */
  observationsAt(node: number): { generate: number; proceed: number; children: ReadonlyMap<number, number> } {
    const { groups } = this.#beliefsAt(node);
    const children = new Map<number, number>();
    let generate = 0;
    let proceed = 0;
    for (const group of groups) {
      generate += group.generate.count;
      proceed += group.proceed.count;
    }
    for (const child of this.tree.childrenOf(node)) children.set(child, this.#childBelief(child).count);
    return { generate, proceed, children };
  }

  /** One draw for every child (with `writer`: that this agent wrote); ties go to the earliest. null: no child. */
  #bestDrawnChild(node: number, writer: number | null): number | null {
    let best: number | null = null;
    let bestDraw = Number.NEGATIVE_INFINITY;
    for (const child of this.tree.childrenOf(node)) {
      if (writer !== null && this.tree.agentOf(child) !== writer) continue;
      const draw = this.#childBelief(child).draw(this.#random);
      if (best === null || draw > bestDraw) {
        best = child;
        bestDraw = draw;
      }
    }
    return best;
  }

  /** Chosen by the agent's scores in the whole tree, not only at this node. */
  #chooseAgent(): number {
    const only = this.#active.length === 1 ? this.#active[0] : undefined;
    if (only !== undefined) return only;
    return this.#options.selection === 'ucb' ? this.#bestBound() : this.#bestDrawn(this.#agentBeliefs);
  }

  #bestDrawn(beliefs: readonly Belief[]): number {
    let best = -1;
    let bestDraw = Number.NEGATIVE_INFINITY;
    for (const agent of this.#active) {
      const draw = (beliefs[agent] as Belief).draw(this.#random);
      if (best === -1 || draw > bestDraw) {
        best = agent;
        bestDraw = draw;
      }
    }
    return best;
  }

  #bestBound(): number {
    let best = -1;
    let bestBound = Number.NEGATIVE_INFINITY;
    for (const agent of this.#active) {
      const own = (this.#agentBeliefs[agent] as Belief).count;
      if (own === 0) return agent; // untried agents go first, in their order
      const mean = (this.#agentSums[agent] as number) / own;
      const bound = mean + Math.SQRT2 * Math.sqrt(Math.log(this.tree.size) / own);
      if (bound > bestBound) {
        best = agent;
        bestBound = bound;
      }
    }
    return best;
  }

  #groupOf(beliefs: NodeBeliefs, agent: number): Group {
    return beliefs.groups[this.#options.selection === 'stack' ? agent : 0] as Group;
  }

  #beliefsAt(node: number): NodeBeliefs {
    if (node === ROOT) return this.#root;
    let beliefs = this.#beliefs[node];
    if (beliefs === undefined) {
      beliefs = this.#newNodeBeliefs();
      this.#beliefs[node] = beliefs;
    }
    return beliefs;
  }

  #childBelief(node: number): Belief {
    let belief = this.#asChild[node];
    if (belief === undefined) {
      belief = newBelief(this.#options.beliefs);
      this.#asChild[node] = belief;
    }
    return belief;
  }

  #newNodeBeliefs(): NodeBeliefs {
    const { beliefs, selection } = this.#options;
    const newGroup = (): Group => ({ generate: newBelief(beliefs), proceed: newBelief(beliefs) });
    if (selection !== 'stack') return { groups: [newGroup()], agents: [] };
    return {
      groups: this.#agentBeliefs.map(newGroup),
      agents: this.#agentBeliefs.map(() => newBelief(beliefs)),
    };
  }
}
