import type { Strategy } from '../../preload/contract';
import { AgentScores } from './agent-scores';
import type { PosteriorSummary } from './posteriors';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT } from './tree';
import { TreeSearch } from './tree-search';

export type BanditUcbOptions = Pick<Extract<Strategy, { kind: 'bandit-ucb' }>, 'exploration'>;

/**
 * A bandit over the agents (UCB1: Auer, Cesa-Bianchi and Fischer 2002) as SakanaAI/treequest has it
 * (src/treequest/algos/multi_armed_bandit_ucb.py at commit e6865b7): first attempts only, by the agent with the largest
 * mean + exploration * sqrt(ln(all scores) / own scores); agents without a score go first, in the team's order.
 * Running trials do not count, so a batch goes to one agent.
 */
export class BanditUcb extends TreeSearch implements SearchAlgorithm {
  readonly #exploration: number;
  readonly #scores: AgentScores;

  constructor(options: BanditUcbOptions, agentCount: number) {
    super(agentCount);
    this.#exploration = options.exploration;
    this.#scores = new AgentScores(agentCount);
  }

  selectExpansion(): Expansion | null {
    const agents = this.expandable.agentsAt(ROOT);
    const only = agents[0];
    if (only === undefined) return null;
    if (agents.length === 1) return { parent: ROOT, agent: only, why: [] };
    const { agent, decision } = this.#scores.highestBound(ROOT, agents, this.#exploration);
    return { parent: ROOT, agent, why: [decision] };
  }

  record(parent: number, agent: number, score: number): number {
    this.#scores.observe(agent, score);
    return this.tree.add(parent, agent);
  }

  posteriorOf(_expansion: Expansion, _at: number, option: number): PosteriorSummary | null {
    return this.#scores.meanSummary(option);
  }
}
