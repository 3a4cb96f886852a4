import type { DepthGuidance, Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { AgentScores } from './agent-scores';
import { type Belief, type BeliefShape, newBelief } from './beliefs';
import { Openings } from './openings';
import { GENERATE, PROCEED, type Reason } from './reason';
import { ROOT, SearchTree } from './tree';
import type { Choice, TreeSearch } from './tree-search';

export type AbMctsOptions = Pick<Extract<Strategy, { kind: 'ab-mcts-a' }>, 'beliefs' | 'selection'> & {
  readonly depthGuidance?: DepthGuidance | null;
};

/** At a node: write a new program from here, or go on below a child. */
export type Step =
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
 * agents, as SakanaAI/treequest implements it (src/treequest/algos/ab_mcts_a at commit e6865b7), and with MARS²-T+'s
 * depth guidance (arXiv 2602.07848) where it is asked for; docs/search.md tells the rules and the order of the draws.
 * Departures: beliefs keep sufficient statistics, agents can retire, and places can be closed.
 *
 * Every child of a node on the way is drawn, by definition: a decision costs as much as the node has children.
 */
export class AbMctsA implements TreeSearch {
  readonly tree = new SearchTree();
  readonly #options: AbMctsOptions;
  readonly #random: Random;
  readonly #openings: Openings;
  readonly #root: NodeBeliefs;
  readonly #beliefs: (NodeBeliefs | undefined)[] = [];
  /** What a node's parent believes about going on below it. */
  readonly #asChild: (Belief | undefined)[] = [];
  /** All scores of an agent in the whole tree, wherever it wrote: as beliefs, and as sums for `ucb`. */
  readonly #agentBeliefs: readonly Belief[];
  readonly #agentScores: AgentScores;

  constructor(options: AbMctsOptions, agentCount: number, random: Random) {
    this.#options = options;
    this.#random = random;
    this.#openings = new Openings(agentCount, this.tree);
    this.#agentBeliefs = this.#openings.active.map(() => newBelief(options.beliefs));
    this.#agentScores = new AgentScores(agentCount);
    this.#root = this.#newNodeBeliefs();
  }

  choose(): Choice | null {
    return this.#openings.canEnter(ROOT) ? this.select() : null;
  }

  failed(): void {}

  close({ parent, agent }: Choice): void {
    this.#openings.close(parent, agent);
  }

  /** This agent is not chosen any more; what it wrote stays and counts. */
  retire(agent: number): void {
    this.#openings.retire(agent);
  }

  revive(agent: number): void {
    this.#openings.revive(agent);
  }

  /** Walks down from the root until a node is to be expanded. Needs a place where an agent can be asked. */
  select(): Choice {
    const why: Reason[] = [];
    for (let node = ROOT; ; ) {
      const step = this.decide(node, why);
      if (step.kind === 'generate') return { parent: node, agent: step.agent, why };
      node = step.child;
    }
  }

  /**
   * One decision at one node. The draws for both options are made at a leaf, too, and where only one is possible; what
   * was compared is added to `why`.
   */
  decide(node: number, why: Reason[] = []): Step {
    if (!this.#openings.canEnter(node)) throw new Error(`No agent can be asked at node ${node} or below it`);
    const open = this.#openings.at(node);
    const ways = this.#openings.childrenToEnter(node);
    const stack = this.#options.selection === 'stack';
    const beliefs = this.#beliefsAt(node);
    const drawn = stack ? this.#bestDrawn(node, beliefs.agents, this.#writers(open, ways), why) : null;
    const group = beliefs.groups[drawn ?? 0] as Group;
    const fresh = group.generate.draw(this.#random);
    const generate = this.#options.depthGuidance ? fresh * this.#depthWeight(node, fresh) : fresh;
    const proceed = group.proceed.draw(this.#random);
    const children = drawn === null ? ways : ways.filter((child) => this.tree.agentOf(child) === drawn);
    const mayGenerate = drawn === null ? open.length > 0 : open.includes(drawn);
    // A tie means a fresh attempt.
    const descends = children.length > 0 && (proceed > generate || !mayGenerate);
    why.push(widening(node, mayGenerate ? generate : null, children.length > 0 ? proceed : null, descends));
    if (descends) return { kind: 'descend', child: this.#bestDrawnChild(node, children, why) };
    return { kind: 'generate', agent: drawn ?? this.#chooseAgent(node, open, why) };
  }

  /** Adds what an agent wrote below `parent`, with its score in [0, 1], and tells every belief on the path. */
  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.#openings.added(node);
    this.#childBelief(node).observe(score);
    (this.#agentBeliefs[agent] as Belief).observe(score);
    this.#agentScores.observe(agent, score);

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

  /** With `stack` the question before, which asked for the agent, says whose beliefs a draw came from. */
  believed({ why }: Choice, at: number, option: number): BeliefShape | null {
    const reason = why[at];
    if (reason === undefined) return null;
    const beliefs = this.#beliefsAt(reason.node);
    if (reason.question === 'child') return this.#childBelief(option).shape;
    if (reason.question === 'agent') {
      if (reason.measure === 'bound') return this.#agentScores.meanOf(option);
      return (beliefs.agents[option] ?? this.#agentBeliefs[option])?.shape ?? null;
    }
    const before = why[at - 1];
    const drawn = before?.question === 'agent' ? (before.options[before.chosen] as number) : 0;
    const group = this.#groupOf(beliefs, drawn);
    return (option === GENERATE ? group.generate : group.proceed).shape;
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

  /**
   * gamma(d)^c, gamma(d) = max(floor, start - slope * d), at a node of depth d (the root: 0). It is for positive draws
   * only: a Gaussian draw may be negative, and a smaller share of that would be more. Trials under way do not count.
   */
  #depthWeight(node: number, draw: number): number {
    const guidance = this.#options.depthGuidance;
    if (!guidance || !(draw > 0)) return 1;
    const depth = this.tree.depthOf(node);
    const counter =
      guidance.counter === 'depth' ? this.tree.nodesAtDepth(depth + 1) : this.tree.childrenOf(node).length;
    return Math.max(guidance.floor, guidance.start - guidance.slope * depth) ** counter;
  }

  /** `stack` draws who is chosen among those who may write here; where nobody may, among those with a way down. */
  #writers(open: readonly number[], ways: readonly number[]): readonly number[] {
    if (open.length === this.#openings.active.length) return open;
    const below = new Set(ways.map((child) => this.tree.agentOf(child)));
    const active = this.#openings.active.filter((agent) => open.includes(agent) || below.has(agent));
    return active.length > 0 ? active : [...below].sort((a, b) => a - b);
  }

  /** One draw for every child; ties go to the earliest. */
  #bestDrawnChild(node: number, children: readonly number[], why: Reason[]): number {
    const draws: number[] = [];
    let best = 0;
    for (const [i, child] of children.entries()) {
      const draw = this.#childBelief(child).draw(this.#random);
      if (draw > (draws[best] ?? Number.NEGATIVE_INFINITY)) best = i;
      draws.push(draw);
    }
    why.push({ node, question: 'child', measure: 'draw', options: children, values: draws, chosen: best });
    return children[best] as number;
  }

  /** Chosen by the agent's scores in the whole tree, not only at this node. A single one costs no draw. */
  #chooseAgent(node: number, open: readonly number[], why: Reason[]): number {
    if (open.length === 1) return open[0] as number;
    if (this.#options.selection !== 'ucb') return this.#bestDrawn(node, this.#agentBeliefs, open, why);
    const { agent, reason } = this.#agentScores.best(node, open, Math.SQRT2);
    why.push(reason);
    return agent;
  }

  /** One draw for every agent; ties go to the first. */
  #bestDrawn(node: number, beliefs: readonly Belief[], agents: readonly number[], why: Reason[]): number {
    const draws: number[] = [];
    let best = 0;
    for (const [i, agent] of agents.entries()) {
      const draw = (beliefs[agent] as Belief).draw(this.#random);
      if (draw > (draws[best] ?? Number.NEGATIVE_INFINITY)) best = i;
      draws.push(draw);
    }
    why.push({ node, question: 'agent', measure: 'draw', options: agents, values: draws, chosen: best });
    return agents[best] as number;
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

/** The draws that were compared; null: this option is not possible here. */
function widening(node: number, generate: number | null, proceed: number | null, descends: boolean): Reason {
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
