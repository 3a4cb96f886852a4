import type { NodeAdded, RunConfig, TreeEnd, TreePart } from '../../preload/contract';

type AgentUse = { nodes: number; underWay: number; tokens: number };

/**
 * What one tree may still use, by recorded values alone, so that a replay decides alike. The independent samples have
 * a budget of nodes only: the further ends and the agents' own budgets are about trees of a search.
 */
export class TreeBudgets {
  /** Most nodes of this tree. */
  readonly nodes: number;
  readonly #search: RunConfig['search'];
  readonly #bounded: boolean;
  readonly #agents: ReadonlyMap<string, RunConfig['team']['agents'][number]>;
  readonly #use = new Map<string, AgentUse>();
  #made = 0;
  #tokens = 0;
  #milliseconds = 0;
  #solved = false;

  constructor(config: RunConfig, part: TreePart) {
    const { search, team } = config;
    this.#search = search;
    this.#bounded = part === 'search';
    this.nodes = part === 'search' ? search.nodes : search.samplesPerAgent * team.agents.length;
    this.#agents = new Map(team.agents.map((agent) => [agent.id, agent]));
    for (const { id } of team.agents) this.#use.set(id, { nodes: 0, underWay: 0, tokens: 0 });
  }

  begun(agentId: string): void {
    this.#useOf(agentId).underWay += 1;
  }

  /** The trial ended without a node. */
  dropped(agentId: string): void {
    this.#useOf(agentId).underWay -= 1;
  }

  made(node: NodeAdded): void {
    const use = this.#useOf(node.agentId);
    const tokens = node.promptTokens + node.completionTokens;
    use.underWay -= 1;
    use.nodes += 1;
    use.tokens += tokens;
    this.#made += 1;
    this.#tokens += tokens;
    this.#milliseconds += node.generateMs + node.gradeMs;
    this.#solved ||= passesAllPublicTests(node);
  }

  /** Has this agent written, with what it is writing now, all that it may in this tree? */
  isSpent(agentId: string): boolean {
    const limits = this.#bounded ? this.#agents.get(agentId)?.budget : undefined;
    if (limits === undefined) return false;
    const use = this.#useOf(agentId);
    if (limits.nodes !== null && use.nodes + use.underWay >= limits.nodes) return true;
    return limits.tokens !== null && use.tokens >= limits.tokens;
  }

  /** Why no trial is to be asked any more; null: ask on. Nodes under way are the caller's to count. */
  end(): Exclude<TreeEnd, 'exhausted'> | null {
    const { stopWhenSolved, treeBudget } = this.#search;
    if (this.#made >= this.nodes) return 'budget';
    if (!this.#bounded) return null;
    if (stopWhenSolved && this.#solved) return 'solved';
    if (treeBudget.tokens !== null && this.#tokens >= treeBudget.tokens) return 'tokens';
    if (treeBudget.seconds !== null && this.#milliseconds >= treeBudget.seconds * 1_000) return 'seconds';
    return null;
  }

  #useOf(agentId: string): AgentUse {
    const use = this.#use.get(agentId);
    if (use === undefined) throw new Error(`The team has no agent ${agentId}`);
    return use;
  }
}

/** There are public tests, and the program passes every one. */
export function passesAllPublicTests(node: Pick<NodeAdded, 'publicVerdict' | 'publicVerdicts'>): boolean {
  return (
    node.publicVerdict === 'passed' &&
    node.publicVerdicts.length > 0 &&
    node.publicVerdicts.every((verdict) => verdict === 'passed')
  );
}
