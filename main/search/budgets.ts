import {
  type LimitsEvent,
  limitReached,
  limitsOf,
  limitsSince,
  type NodeAdded,
  type RunConfig,
  type TreeEnd,
  type TreeLimits,
  type TreePart,
} from '../../preload/contract';
import { publicVerdictOf } from '../../preload/contract/folds';

type AgentUse = { nodes: number; running: number; tokens: number };

/**
 * Budgets of one tree, from recorded values only, so that a replay decides alike. Independent samples have only a budget
 * of nodes; the other limits apply to search trees.
 */
export class TreeBudgets {
  #limits: TreeLimits;
  readonly #stopWhenSolved: boolean;
  readonly #hasLimits: boolean;
  readonly #agents: ReadonlyMap<string, RunConfig['team']['agents'][number]>;
  readonly #use = new Map<string, AgentUse>();
  #nodeCount = 0;
  #tokens = 0;
  #milliseconds = 0;
  #solved = false;

  constructor(config: RunConfig, part: TreePart) {
    const { search, team } = config;
    this.#stopWhenSolved = search.stopWhenSolved;
    this.#hasLimits = part === 'search';
    this.#limits = this.#hasLimits
      ? limitsOf(search)
      : { nodes: search.samplesPerAgent * team.agents.length, tokens: null, seconds: null };
    this.#agents = new Map(team.agents.map((agent) => [agent.id, agent]));
    for (const { id } of team.agents) this.#use.set(id, { nodes: 0, running: 0, tokens: 0 });
  }

  /** Maximum number of nodes of this tree. */
  get nodes(): number {
    return this.#limits.nodes;
  }

  /** Other limits from here on; the budget of independent samples stays. */
  change(event: LimitsEvent): void {
    if (this.#hasLimits) this.#limits = limitsSince(event, this.#limits);
  }

  trialStarted(agentId: string): void {
    this.#useOf(agentId).running += 1;
  }

  /** The trial ended without a node. */
  trialDropped(agentId: string): void {
    this.#useOf(agentId).running -= 1;
  }

  nodeAdded(node: NodeAdded): void {
    const use = this.#useOf(node.agentId);
    const tokens = node.promptTokens + node.completionTokens;
    use.running -= 1;
    use.nodes += 1;
    use.tokens += tokens;
    this.#nodeCount += 1;
    this.#tokens += tokens;
    this.#milliseconds += node.generateMs + node.gradeMs;
    this.#solved ||= passesAllPublicTests(node);
  }

  /** Do this agent's nodes and running trials use up its budget in this tree? */
  isSpent(agentId: string): boolean {
    const limits = this.#hasLimits ? this.#agents.get(agentId)?.budget : undefined;
    if (limits === undefined) return false;
    const use = this.#useOf(agentId);
    if (limits.nodes !== null && use.nodes + use.running >= limits.nodes) return true;
    return limits.tokens !== null && use.tokens >= limits.tokens;
  }

  /** Why no further trial may be asked for; null: continue. Running trials are counted by the caller. */
  end(): Exclude<TreeEnd, 'exhausted'> | null {
    const used = { nodes: this.#nodeCount, tokens: this.#tokens, milliseconds: this.#milliseconds };
    const end = limitReached(used, this.#limits);
    const isSolved = this.#hasLimits && this.#stopWhenSolved && this.#solved;
    return isSolved && end !== 'budget' ? 'solved' : end;
  }

  #useOf(agentId: string): AgentUse {
    const use = this.#use.get(agentId);
    if (use === undefined) throw new Error(`The team has no agent ${agentId}`);
    return use;
  }
}

/** There are public tests, and the program passes every one. */
function passesAllPublicTests(node: Pick<NodeAdded, 'publicVerdict' | 'publicVerdicts'>): boolean {
  return publicVerdictOf(node) === 'passed' && node.publicVerdicts.every((verdict) => verdict === 'passed');
}
