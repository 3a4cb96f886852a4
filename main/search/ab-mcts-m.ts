import type { Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { AgentScores } from './agent-scores';
import type { BeliefShape } from './beliefs';
import { MixedModel, SigmaGrid } from './mixed-model';
import { Openings } from './openings';
import { agentOption, GENERATE, type Reason } from './reason';
import { SubtreeScores } from './subtree-scores';
import { ROOT, SearchTree } from './tree';
import type { Choice, TreeSearch } from './tree-search';

export type AbMctsMOptions = Pick<Extract<Strategy, { kind: 'ab-mcts-m' }>, 'selection' | 'pruning'>;

/** A child is pruned from this many nodes on, when at least this share of them has the same score (treequest). */
const PRUNED_FROM = 4;
const PRUNED_SHARE = 0.75;

type Step = { readonly child: number } | { readonly agent: number };

/** An option with its draw: a child, or (below 0) a fresh attempt. */
type Drawn = { readonly option: number; readonly value: number };

/**
 * AB-MCTS-M (arXiv 2503.04412) by the rules of SakanaAI/treequest (src/treequest/algos/ab_mcts_m at commit e6865b7): at
 * every node from the root down, one posterior-predictive score for each child (its subtree is a group of the mixed
 * model) and one for an unseen group, which is a fresh attempt; the largest wins. The agent of a fresh attempt is drawn
 * from the same model with the whole tree's scores grouped by agent (`thompson`), or is the one with the largest bound
 * (`ucb`). With `stack` each agent has a model of its own scores and an unseen group of its own.
 *
 * Departures, all told in docs/search.md: no NUTS (see `MixedModel`); all options of one decision are drawn with one
 * draw of the parameters; a leaf costs no draw.
 */
export class AbMctsM implements TreeSearch {
  readonly tree = new SearchTree();
  readonly #options: AbMctsMOptions;
  readonly #agentCount: number;
  readonly #random: Random;
  readonly #openings: Openings;
  readonly #grid = new SigmaGrid();
  /** Models of a node: one, or (selection `stack`) one for each agent. */
  readonly #models: number;
  /** At [(node + 1) * models + m]. */
  readonly #modelsAt = new Map<number, MixedModel>();
  /** At [node * models + m]: the scores of a subtree, or what one agent wrote of it. */
  readonly #subtrees = new Map<number, SubtreeScores>();
  /** At [node], with `stack` alone, for pruning by all scores of a subtree. */
  readonly #whole = new Map<number, SubtreeScores>();
  readonly #agentModel: MixedModel;
  readonly #agentGroups: readonly SubtreeScores[];
  readonly #agentScores: AgentScores;

  constructor(options: AbMctsMOptions, agentCount: number, random: Random) {
    this.#options = options;
    this.#agentCount = agentCount;
    this.#random = random;
    this.#openings = new Openings(agentCount, this.tree);
    this.#models = options.selection === 'stack' ? agentCount : 1;
    this.#agentModel = new MixedModel(this.#grid);
    this.#agentGroups = Array.from({ length: agentCount }, () => new SubtreeScores());
    this.#agentScores = new AgentScores(agentCount);
  }

  choose(): Choice | null {
    if (!this.#openings.canEnter(ROOT)) return null;
    const why: Reason[] = [];
    for (let node = ROOT; ; ) {
      const step = this.#options.selection === 'stack' ? this.#stackStep(node, why) : this.#step(node, why);
      if ('agent' in step) return { parent: node, agent: step.agent, why };
      node = step.child;
    }
  }

  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.#openings.added(node);
    this.#agentScores.observe(agent, score);
    grow(this.#agentModel, this.#agentGroups[agent] as SubtreeScores, score);
    const m = this.#options.selection === 'stack' ? agent : 0;
    for (let current = node; current !== ROOT; ) {
      const above = this.tree.parentOf(current);
      grow(this.#modelAt(above, m), this.#subtreeOf(current, m), score);
      if (this.#models > 1) made(this.#whole, current, newSubtree).observe(score);
      current = above;
    }
    return node;
  }

  failed(): void {}

  close({ parent, agent }: Choice): void {
    this.#openings.close(parent, agent);
  }

  retire(agent: number): void {
    this.#openings.retire(agent);
  }

  revive(agent: number): void {
    this.#openings.revive(agent);
  }

  /** Scores of a subtree, or of an agent in the whole tree: the groups of the model. A fresh attempt is none of them. */
  believed({ why }: Choice, at: number, option: number): BeliefShape | null {
    if (option < 0) return null;
    if (why[at]?.question === 'agent') return meanOf(this.#agentGroups[option]);
    return meanOf(this.#models > 1 ? this.#whole.get(option) : this.#subtrees.get(option));
  }

  /** The node first, then the agent. */
  #step(node: number, why: Reason[]): Step {
    const open = this.#openings.at(node);
    const ways = this.#openings.childrenToEnter(node);
    if (ways.length === 0) {
      why.push({
        node,
        question: 'widen',
        measure: 'draw',
        options: [GENERATE],
        values: [null],
        chosen: 0,
      });
      return { agent: this.#chooseAgent(node, open, why) };
    }
    const draw = this.#modelAt(node, 0).draw(this.#random);
    const children = ways.map((child) => ({
      option: child,
      value: draw.scoreOf(this.#subtreeOf(child, 0).group),
    }));
    const options =
      open.length === 0 ? children : [{ option: GENERATE, value: draw.unseenScore() }, ...children];
    const best = decided(node, 'widen', options, why);
    if (best === GENERATE) return { agent: this.#chooseAgent(node, open, why) };
    if (!this.#isPruned(best)) return { child: best };
    // treequest passes over the fresh attempt here as long as a child is left.
    const left = children.filter(({ option }) => !this.#isPruned(option));
    if (left.length > 0) return { child: decided(node, 'child', left, why) };
    return open.length > 0 ? { agent: this.#chooseAgent(node, open, why) } : { child: best };
  }

  /** A fresh attempt of each agent and every child side by side. */
  #stackStep(node: number, why: Reason[]): Step {
    const open = this.#openings.at(node);
    const ways = this.#openings.childrenToEnter(node);
    const values = new Map<number, number>();
    const fresh: Drawn[] = [];
    for (let agent = 0; agent < this.#agentCount; agent++) {
      const model = this.#modelsAt.get((node + 1) * this.#models + agent);
      if (model === undefined && !open.includes(agent)) continue;
      const draw = (model ?? this.#modelAt(node, agent)).draw(this.#random);
      for (const child of ways) {
        const subtree = this.#subtrees.get(child * this.#models + agent);
        // As in treequest, the last agent that wrote below a child speaks for it.
        if (subtree !== undefined) values.set(child, draw.scoreOf(subtree.group));
      }
      if (open.includes(agent)) fresh.push({ option: agentOption(agent), value: draw.unseenScore() });
    }
    const children = ways.map((child) => ({ option: child, value: values.get(child) as number }));
    const left = children.filter(({ option }) => !this.#isPruned(option));
    const options = fresh.length + left.length > 0 ? [...fresh, ...left] : children;
    const best = decided(node, 'widen', options, why);
    return best >= 0 ? { child: best } : { agent: agentOption(best) };
  }

  #chooseAgent(node: number, open: readonly number[], why: Reason[]): number {
    if (open.length === 1) return open[0] as number;
    if (this.#options.selection === 'ucb') {
      const { agent, reason } = this.#agentScores.best(node, open, Math.SQRT2);
      why.push(reason);
      return agent;
    }
    if (this.tree.size === 0) {
      const chosen = this.#random.integer(open.length);
      const values = open.map(() => null);
      why.push({ node, question: 'agent', measure: 'draw', options: open, values, chosen });
      return open[chosen] as number;
    }
    const draw = this.#agentModel.draw(this.#random);
    const options = open.map((agent) => {
      const { group } = this.#agentGroups[agent] as SubtreeScores;
      return { option: agent, value: group.count > 0 ? draw.scoreOf(group) : draw.unseenScore() };
    });
    return decided(node, 'agent', options, why);
  }

  #isPruned(child: number): boolean {
    if (!this.#options.pruning) return false;
    const subtree = this.#models > 1 ? this.#whole.get(child) : this.#subtrees.get(child);
    return subtree !== undefined && subtree.count >= PRUNED_FROM && subtree.shareAlike >= PRUNED_SHARE;
  }

  #subtreeOf(node: number, m: number): SubtreeScores {
    return made(this.#subtrees, node * this.#models + m, newSubtree);
  }

  #modelAt(node: number, m: number): MixedModel {
    return made(this.#modelsAt, (node + 1) * this.#models + m, () => new MixedModel(this.#grid));
  }
}

function newSubtree(): SubtreeScores {
  return new SubtreeScores();
}

function meanOf(scores: SubtreeScores | undefined): BeliefShape | null {
  if (scores === undefined || scores.count === 0) return null;
  return { kind: 'mean', seen: scores.count, mean: scores.group.mean };
}

function made<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

/** A group of the model gets one score more. */
function grow(model: MixedModel, scores: SubtreeScores, score: number): void {
  if (scores.count > 0) model.remove(scores.group);
  scores.observe(score);
  model.add(scores.group);
}

/** The option with the largest draw, the first of equals. */
function decided(
  node: number,
  question: 'widen' | 'child' | 'agent',
  drawn: readonly Drawn[],
  why: Reason[],
): number {
  let chosen = 0;
  for (const [i, { value }] of drawn.entries()) if (value > (drawn[chosen] as Drawn).value) chosen = i;
  const options = drawn.map(({ option }) => option);
  const values = drawn.map(({ value }) => value);
  why.push({ node, question, measure: 'draw', options, values, chosen });
  return options[chosen] as number;
}
