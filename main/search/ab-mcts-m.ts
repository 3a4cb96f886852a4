import type { Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { AgentScores } from './agent-scores';
import { agentOption, GENERATE, type IndexedDecision } from './indexed-decision';
import { MixedModel, SigmaGrid } from './mixed-model';
import type { PosteriorSummary } from './posteriors';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { SubtreeScores } from './subtree-scores';
import { ROOT } from './tree';
import { TreeSearch } from './tree-search';

export type AbMctsMOptions = Pick<Extract<Strategy, { kind: 'ab-mcts-m' }>, 'selection' | 'pruning'>;

/** A subtree with this many nodes or more is pruned when at least this share of its scores is the same (treequest). */
const PRUNING_MIN_SIZE = 4;
const PRUNING_SAME_SCORE_SHARE = 0.75;

type Step = { readonly child: number } | { readonly agent: number };

/** An option with its draw: a child, or (below 0) a fresh attempt. */
type OptionDraw = { readonly option: number; readonly value: number };

/**
 * AB-MCTS-M (arXiv 2503.04412) by the rules of SakanaAI/treequest (src/treequest/algos/ab_mcts_m at commit e6865b7): at
 * every node from the root down, one posterior-predictive score for each child (its subtree is a group of the mixed
 * model) and one for an unseen group, which is a fresh attempt; the largest wins. The agent of a fresh attempt is drawn
 * from the same model with the whole tree's scores grouped by agent (`thompson`), or is the one with the largest bound
 * (`ucb`). With `stack` each agent has a model of its own scores and an unseen group of its own.
 *
 * Departures (docs/search.md): no NUTS (see `MixedModel`); all options of one decision share one draw of the
 * parameters; a leaf costs no draw.
 */
export class AbMctsM extends TreeSearch implements SearchAlgorithm {
  readonly #options: AbMctsMOptions;
  readonly #agentCount: number;
  readonly #random: Random;
  readonly #grid = new SigmaGrid();
  /** Models of a node: one, or (selection `stack`) one for each agent. */
  readonly #modelsPerNode: number;
  /** At [(node + 1) * models + m]. */
  readonly #modelsAt = new Map<number, MixedModel>();
  /** At [node * models + m]: the scores of a subtree, or those of one agent in it. */
  readonly #subtrees = new Map<number, SubtreeScores>();
  /** At [node], with `stack` alone, for pruning by all scores of a subtree. */
  readonly #wholeSubtrees = new Map<number, SubtreeScores>();
  readonly #agentModel: MixedModel;
  readonly #agentGroups: readonly SubtreeScores[];
  readonly #agentScores: AgentScores;

  constructor(options: AbMctsMOptions, agentCount: number, random: Random) {
    super(agentCount);
    this.#options = options;
    this.#agentCount = agentCount;
    this.#random = random;
    this.#modelsPerNode = options.selection === 'stack' ? agentCount : 1;
    this.#agentModel = new MixedModel(this.#grid);
    this.#agentGroups = Array.from({ length: agentCount }, () => new SubtreeScores());
    this.#agentScores = new AgentScores(agentCount);
  }

  selectExpansion(): Expansion | null {
    if (!this.expandable.canExpand(ROOT)) return null;
    const why: IndexedDecision[] = [];
    for (let node = ROOT; ; ) {
      const step = this.#options.selection === 'stack' ? this.#stackStep(node, why) : this.#step(node, why);
      if ('agent' in step) return { parent: node, agent: step.agent, why };
      node = step.child;
    }
  }

  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.expandable.nodeAdded(node);
    this.#agentScores.observe(agent, score);
    addScore(this.#agentModel, this.#agentGroups[agent] as SubtreeScores, score);
    const m = this.#options.selection === 'stack' ? agent : 0;
    for (let current = node; current !== ROOT; ) {
      const above = this.tree.parentOf(current);
      addScore(this.#modelAt(above, m), this.#subtreeOf(current, m), score);
      if (this.#modelsPerNode > 1) getOrCreate(this.#wholeSubtrees, current, newSubtree).observe(score);
      current = above;
    }
    return node;
  }

  /** Mean of a group of the model: a subtree, or an agent in the whole tree. GEN is an unseen group, without a mean. */
  posteriorOf({ why }: Expansion, at: number, option: number): PosteriorSummary | null {
    if (option < 0) return null;
    if (why[at]?.question === 'agent') return meanSummary(this.#agentGroups[option]);
    return meanSummary(
      this.#modelsPerNode > 1 ? this.#wholeSubtrees.get(option) : this.#subtrees.get(option),
    );
  }

  /** Selection `thompson` and `ucb`: the node first, then the agent. */
  #step(node: number, why: IndexedDecision[]): Step {
    const agents = this.expandable.agentsAt(node);
    const expandableChildren = this.expandable.expandableChildren(node);
    if (expandableChildren.length === 0) {
      why.push({
        node,
        question: 'widen',
        measure: 'draw',
        options: [GENERATE],
        values: [null],
        chosen: 0,
      });
      return { agent: this.#chooseAgent(node, agents, why) };
    }
    const draw = this.#modelAt(node, 0).draw(this.#random);
    const children = expandableChildren.map((child) => ({
      option: child,
      value: draw.scoreOf(this.#subtreeOf(child, 0).group),
    }));
    const options =
      agents.length === 0 ? children : [{ option: GENERATE, value: draw.unseenScore() }, ...children];
    const best = largestDraw(node, 'widen', options, why);
    if (best === GENERATE) return { agent: this.#chooseAgent(node, agents, why) };
    if (!this.#isPruned(best)) return { child: best };
    // As in treequest, GEN is not considered here while an unpruned child remains.
    const unpruned = children.filter(({ option }) => !this.#isPruned(option));
    if (unpruned.length > 0) return { child: largestDraw(node, 'child', unpruned, why) };
    return agents.length > 0 ? { agent: this.#chooseAgent(node, agents, why) } : { child: best };
  }

  /** Selection `stack`: GEN of each agent and every child compete in one decision. */
  #stackStep(node: number, why: IndexedDecision[]): Step {
    const agents = this.expandable.agentsAt(node);
    const expandableChildren = this.expandable.expandableChildren(node);
    const values = new Map<number, number>();
    const fresh: OptionDraw[] = [];
    for (let agent = 0; agent < this.#agentCount; agent++) {
      const model = this.#modelsAt.get((node + 1) * this.#modelsPerNode + agent);
      if (model === undefined && !agents.includes(agent)) continue;
      const draw = (model ?? this.#modelAt(node, agent)).draw(this.#random);
      for (const child of expandableChildren) {
        const subtree = this.#subtrees.get(child * this.#modelsPerNode + agent);
        // As in treequest, the draw of the last agent with scores in the child's subtree is used.
        if (subtree !== undefined) values.set(child, draw.scoreOf(subtree.group));
      }
      if (agents.includes(agent)) fresh.push({ option: agentOption(agent), value: draw.unseenScore() });
    }
    const children = expandableChildren.map((child) => ({
      option: child,
      value: values.get(child) as number,
    }));
    const unpruned = children.filter(({ option }) => !this.#isPruned(option));
    const options = fresh.length + unpruned.length > 0 ? [...fresh, ...unpruned] : children;
    const best = largestDraw(node, 'widen', options, why);
    return best >= 0 ? { child: best } : { agent: agentOption(best) };
  }

  #chooseAgent(node: number, agents: readonly number[], why: IndexedDecision[]): number {
    if (agents.length === 1) return agents[0] as number;
    if (this.#options.selection === 'ucb') {
      const { agent, decision } = this.#agentScores.highestBound(node, agents, Math.SQRT2);
      why.push(decision);
      return agent;
    }
    if (this.tree.size === 0) {
      const chosen = this.#random.integer(agents.length);
      const values = agents.map(() => null);
      why.push({ node, question: 'agent', measure: 'draw', options: agents, values, chosen });
      return agents[chosen] as number;
    }
    const draw = this.#agentModel.draw(this.#random);
    const options = agents.map((agent) => {
      const { group } = this.#agentGroups[agent] as SubtreeScores;
      return { option: agent, value: group.count > 0 ? draw.scoreOf(group) : draw.unseenScore() };
    });
    return largestDraw(node, 'agent', options, why);
  }

  #isPruned(child: number): boolean {
    if (!this.#options.pruning) return false;
    const subtree = this.#modelsPerNode > 1 ? this.#wholeSubtrees.get(child) : this.#subtrees.get(child);
    return (
      subtree !== undefined &&
      subtree.count >= PRUNING_MIN_SIZE &&
      subtree.sameScoreShare >= PRUNING_SAME_SCORE_SHARE
    );
  }

  #subtreeOf(node: number, m: number): SubtreeScores {
    return getOrCreate(this.#subtrees, node * this.#modelsPerNode + m, newSubtree);
  }

  #modelAt(node: number, m: number): MixedModel {
    return getOrCreate(
      this.#modelsAt,
      (node + 1) * this.#modelsPerNode + m,
      () => new MixedModel(this.#grid),
    );
  }
}

function newSubtree(): SubtreeScores {
  return new SubtreeScores();
}

function meanSummary(scores: SubtreeScores | undefined): PosteriorSummary | null {
  if (scores === undefined || scores.count === 0) return null;
  return { kind: 'mean', observations: scores.count, mean: scores.group.mean };
}

function getOrCreate<T>(map: Map<number, T>, key: number, make: () => T): T {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}

/** Adds one score to a group of the model. */
function addScore(model: MixedModel, scores: SubtreeScores, score: number): void {
  if (scores.count > 0) model.remove(scores.group);
  scores.observe(score);
  model.add(scores.group);
}

/** The option with the largest draw, the first of equals. */
function largestDraw(
  node: number,
  question: 'widen' | 'child' | 'agent',
  drawn: readonly OptionDraw[],
  why: IndexedDecision[],
): number {
  let chosen = 0;
  for (const [i, { value }] of drawn.entries()) if (value > (drawn[chosen] as OptionDraw).value) chosen = i;
  const options = drawn.map(({ option }) => option);
  const values = drawn.map(({ value }) => value);
  why.push({ node, question, measure: 'draw', options, values, chosen });
  return options[chosen] as number;
}
