import type { DepthGuidance, Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { AgentScores } from './agent-scores';
import { GENERATE, type IndexedDecision, PROCEED } from './indexed-decision';
import { newPosterior, type Posterior, type PosteriorSummary } from './posteriors';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT } from './tree';
import { TreeSearch } from './tree-search';

export type AbMctsOptions = Pick<Extract<Strategy, { kind: 'ab-mcts-a' }>, 'beliefs' | 'selection'> & {
  readonly depthGuidance?: DepthGuidance | null;
};

/** At a node: generate a new program here (GEN), or descend into a child (CONT). */
export type Step =
  | { readonly kind: 'generate'; readonly agent: number }
  | { readonly kind: 'descend'; readonly child: number };

/** Posteriors at a node for one group of agents: all of them, or (selection `stack`) one. */
type Group = {
  /** Mean score of a program generated here (GEN). */
  readonly generate: Posterior;
  /** Mean score of a program generated somewhere below (CONT). */
  readonly proceed: Posterior;
};

type NodePosteriors = {
  readonly groups: readonly Group[];
  /** Per agent, the mean score of its nodes in this subtree; used by `stack` only, otherwise empty. */
  readonly agents: readonly Posterior[];
};

/**
 * Adaptive branching Monte Carlo tree search with node aggregation, AB-MCTS-A (arXiv 2503.04412), with several
 * agents, as SakanaAI/treequest implements it (src/treequest/algos/ab_mcts_a at commit e6865b7), and with MARS²-T+'s
 * depth guidance (arXiv 2602.07848) as an option; docs/search.md has the rules and the order of the draws. Departures:
 * posteriors keep sufficient statistics, agents can retire, and nodes can be closed to an agent.
 *
 * `select` walks down from the root (Thompson sampling at every node); `record` backs a score up along the path. A
 * decision draws once for every child, so it takes time linear in the number of children.
 */
export class AbMctsA extends TreeSearch implements SearchAlgorithm {
  readonly #options: AbMctsOptions;
  readonly #random: Random;
  readonly #root: NodePosteriors;
  readonly #nodePosteriors: (NodePosteriors | undefined)[] = [];
  /** The parent's posterior of each child's subtree. */
  readonly #childPosteriors: (Posterior | undefined)[] = [];
  /** All scores of an agent in the whole tree: as posteriors, and as sums for `ucb`. */
  readonly #agentPosteriors: readonly Posterior[];
  readonly #agentScores: AgentScores;

  constructor(options: AbMctsOptions, agentCount: number, random: Random) {
    super(agentCount);
    this.#options = options;
    this.#random = random;
    this.#agentPosteriors = this.expandable.activeAgents.map(() => newPosterior(options.beliefs));
    this.#agentScores = new AgentScores(agentCount);
    this.#root = this.#newNodePosteriors();
  }

  selectExpansion(): Expansion | null {
    return this.expandable.canExpand(ROOT) ? this.select() : null;
  }

  /** Walks down from the root to the node to expand. Some agent must be able to expand some node. */
  select(): Expansion {
    const why: IndexedDecision[] = [];
    for (let node = ROOT; ; ) {
      const step = this.decide(node, why);
      if (step.kind === 'generate') return { parent: node, agent: step.agent, why };
      node = step.child;
    }
  }

  /**
   * GEN or CONT at one node. Both options are drawn even where only one is possible (at a leaf, say), so that the
   * sequence of draws is fixed; the comparison is appended to `why`.
   */
  decide(node: number, why: IndexedDecision[] = []): Step {
    if (!this.expandable.canExpand(node))
      throw new Error(`No agent can be asked at node ${node} or below it`);
    const agents = this.expandable.agentsAt(node);
    const allChildren = this.expandable.expandableChildren(node);
    const posteriors = this.#posteriorsAt(node);
    const stackAgent =
      this.#options.selection === 'stack'
        ? this.#sampleAgent(node, posteriors.agents, this.#stackCandidates(agents, allChildren), why)
        : null;
    const group = posteriors.groups[stackAgent ?? 0] as Group;
    const unweighted = group.generate.draw(this.#random);
    const generate = this.#options.depthGuidance
      ? unweighted * this.#depthWeight(node, unweighted)
      : unweighted;
    const proceed = group.proceed.draw(this.#random);
    const children =
      stackAgent === null
        ? allChildren
        : allChildren.filter((child) => this.tree.agentOf(child) === stackAgent);
    const canGenerate = stackAgent === null ? agents.length > 0 : agents.includes(stackAgent);
    // Ties go to GEN.
    const descends = children.length > 0 && (proceed > generate || !canGenerate);
    why.push(
      widenDecision(node, canGenerate ? generate : null, children.length > 0 ? proceed : null, descends),
    );
    if (descends) return { kind: 'descend', child: this.#sampleChild(node, children, why) };
    return { kind: 'generate', agent: stackAgent ?? this.#chooseAgent(node, agents, why) };
  }

  /** Adds an agent's node below `parent` with its score in [0, 1], and updates every posterior on the path. */
  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.expandable.nodeAdded(node);
    this.#childPosterior(node).observe(score);
    (this.#agentPosteriors[agent] as Posterior).observe(score);
    this.#agentScores.observe(agent, score);

    const at = this.#posteriorsAt(parent);
    const group = this.#groupOf(at, agent);
    group.generate.observe(score);
    at.agents[agent]?.observe(score);

    for (let current = parent; current !== ROOT; ) {
      const above = this.tree.parentOf(current);
      const writer = this.tree.agentOf(current);
      const atAbove = this.#posteriorsAt(above);
      this.#childPosterior(current).observe(score);
      this.#groupOf(atAbove, writer).proceed.observe(score);
      atAbove.agents[writer]?.observe(score);
      current = above;
    }
    return node;
  }

  /** With `stack` the preceding decision chose the agent, and this one drew from that agent's posteriors. */
  posteriorOf({ why }: Expansion, at: number, option: number): PosteriorSummary | null {
    const decision = why[at];
    if (decision === undefined) return null;
    const posteriors = this.#posteriorsAt(decision.node);
    if (decision.question === 'child') return this.#childPosterior(option).summary;
    if (decision.question === 'agent') {
      if (decision.measure === 'bound') return this.#agentScores.meanSummary(option);
      return (posteriors.agents[option] ?? this.#agentPosteriors[option])?.summary ?? null;
    }
    const before = why[at - 1];
    const stackAgent = before?.question === 'agent' ? (before.options[before.chosen] as number) : 0;
    const group = this.#groupOf(posteriors, stackAgent);
    return (option === GENERATE ? group.generate : group.proceed).summary;
  }

  /** Number of scores in each posterior at a node, summed over the groups; for checks of the bookkeeping. */
  observationsAt(node: number): { generate: number; proceed: number; children: ReadonlyMap<number, number> } {
    const { groups } = this.#posteriorsAt(node);
    const children = new Map<number, number>();
    let generate = 0;
    let proceed = 0;
    for (const group of groups) {
      generate += group.generate.count;
      proceed += group.proceed.count;
    }
    for (const child of this.tree.childrenOf(node)) children.set(child, this.#childPosterior(child).count);
    return { generate, proceed, children };
  }

  /**
   * gamma(d)^c, gamma(d) = max(floor, start - slope * d), at a node of depth d (the root: 0). Applies to positive draws
   * only: a Gaussian draw may be negative, and shrinking it would raise it. Running trials do not count.
   */
  #depthWeight(node: number, draw: number): number {
    const guidance = this.#options.depthGuidance;
    if (!guidance || !(draw > 0)) return 1;
    const depth = this.tree.depthOf(node);
    const counter =
      guidance.counter === 'depth' ? this.tree.nodesAtDepth(depth + 1) : this.tree.childrenOf(node).length;
    return Math.max(guidance.floor, guidance.start - guidance.slope * depth) ** counter;
  }

  /** `stack` chooses among the agents that can expand this node or one of its descendants. */
  #stackCandidates(agents: readonly number[], children: readonly number[]): readonly number[] {
    if (agents.length === this.expandable.activeAgents.length) return agents;
    const below = new Set(children.map((child) => this.tree.agentOf(child)));
    const active = this.expandable.activeAgents.filter((agent) => agents.includes(agent) || below.has(agent));
    return active.length > 0 ? active : [...below].sort((a, b) => a - b);
  }

  /** One draw for every child; ties go to the earliest. */
  #sampleChild(node: number, children: readonly number[], why: IndexedDecision[]): number {
    const draws: number[] = [];
    let best = 0;
    for (const [i, child] of children.entries()) {
      const draw = this.#childPosterior(child).draw(this.#random);
      if (draw > (draws[best] ?? Number.NEGATIVE_INFINITY)) best = i;
      draws.push(draw);
    }
    why.push({ node, question: 'child', measure: 'draw', options: children, values: draws, chosen: best });
    return children[best] as number;
  }

  /** By the agents' scores in the whole tree, not only at this node. A single agent costs no draw. */
  #chooseAgent(node: number, agents: readonly number[], why: IndexedDecision[]): number {
    if (agents.length === 1) return agents[0] as number;
    if (this.#options.selection !== 'ucb') return this.#sampleAgent(node, this.#agentPosteriors, agents, why);
    const { agent, decision } = this.#agentScores.highestBound(node, agents, Math.SQRT2);
    why.push(decision);
    return agent;
  }

  /** One draw for every agent; ties go to the first. */
  #sampleAgent(
    node: number,
    beliefs: readonly Posterior[],
    agents: readonly number[],
    why: IndexedDecision[],
  ): number {
    const draws: number[] = [];
    let best = 0;
    for (const [i, agent] of agents.entries()) {
      const draw = (beliefs[agent] as Posterior).draw(this.#random);
      if (draw > (draws[best] ?? Number.NEGATIVE_INFINITY)) best = i;
      draws.push(draw);
    }
    why.push({ node, question: 'agent', measure: 'draw', options: agents, values: draws, chosen: best });
    return agents[best] as number;
  }

  #groupOf(posteriors: NodePosteriors, agent: number): Group {
    return posteriors.groups[this.#options.selection === 'stack' ? agent : 0] as Group;
  }

  #posteriorsAt(node: number): NodePosteriors {
    if (node === ROOT) return this.#root;
    let beliefs = this.#nodePosteriors[node];
    if (beliefs === undefined) {
      beliefs = this.#newNodePosteriors();
      this.#nodePosteriors[node] = beliefs;
    }
    return beliefs;
  }

  #childPosterior(node: number): Posterior {
    let posterior = this.#childPosteriors[node];
    if (posterior === undefined) {
      posterior = newPosterior(this.#options.beliefs);
      this.#childPosteriors[node] = posterior;
    }
    return posterior;
  }

  #newNodePosteriors(): NodePosteriors {
    const { beliefs, selection } = this.#options;
    const newGroup = (): Group => ({ generate: newPosterior(beliefs), proceed: newPosterior(beliefs) });
    if (selection !== 'stack') return { groups: [newGroup()], agents: [] };
    return {
      groups: this.#agentPosteriors.map(newGroup),
      agents: this.#agentPosteriors.map(() => newPosterior(beliefs)),
    };
  }
}

/** The draws that were compared; null: the option is not possible here. */
function widenDecision(
  node: number,
  generate: number | null,
  proceed: number | null,
  descends: boolean,
): IndexedDecision {
  const options: number[] = [];
  const values: number[] = [];
  if (generate !== null) {
    options.push(GENERATE);
    values.push(generate);
  }
  if (proceed !== null) {
    options.push(PROCEED);
    values.push(proceed);
  }
  const chosen = descends ? options.length - 1 : 0;
  return { node, question: 'widen', measure: 'draw', options, values, chosen };
}
