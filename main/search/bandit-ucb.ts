import type { Strategy } from '../../preload/contract';
import { AgentScores } from './agent-scores';
import type { BeliefShape } from './beliefs';
import { Openings } from './openings';
import { ROOT, SearchTree } from './tree';
import type { Choice, TreeSearch } from './tree-search';

export type BanditUcbOptions = Pick<Extract<Strategy, { kind: 'bandit-ucb' }>, 'exploration'>;

/**
 * A bandit over the agents (UCB1: Auer, Cesa-Bianchi and Fischer 2002) as SakanaAI/treequest has it
 * (src/treequest/algos/multi_armed_bandit_ucb.py at commit e6865b7): first attempts only, by the agent with the largest
 * mean + exploration * sqrt(ln(all scores) / own scores); agents without a score go first, in the team's order.
 * Trials under way do not count, so that several asked at once are one agent's.
 */
export class BanditUcb implements TreeSearch {
  readonly tree = new SearchTree();
  readonly #exploration: number;
  readonly #openings: Openings;
  readonly #scores: AgentScores;

  constructor(options: BanditUcbOptions, agentCount: number) {
    this.#exploration = options.exploration;
    this.#openings = new Openings(agentCount, this.tree);
    this.#scores = new AgentScores(agentCount);
  }

  choose(): Choice | null {
    const open = this.#openings.at(ROOT);
    const only = open[0];
    if (only === undefined) return null;
    if (open.length === 1) return { parent: ROOT, agent: only, why: [] };
    const { agent, reason } = this.#scores.best(ROOT, open, this.#exploration);
    return { parent: ROOT, agent, why: [reason] };
  }

  record(parent: number, agent: number, score: number): number {
    this.#scores.observe(agent, score);
    return this.tree.add(parent, agent);
  }

  failed(): void {}

  believed(_choice: Choice, _at: number, option: number): BeliefShape | null {
    return this.#scores.meanOf(option);
  }

  close({ parent, agent }: Choice): void {
    this.#openings.close(parent, agent);
  }

  retire(agent: number): void {
    this.#openings.retire(agent);
  }

  revive(agent: number): void {
    this.#openings.revive(agent);
  }
}
