import { type Random, randomStream } from '../../main/base';
import { type Ask, createStrategy, ROOT, restoreStrategy, type TreeStrategy } from '../../main/search';
import { STRATEGIES, type Strategy, strategySchema } from '../../preload/contract';

/** Every strategy with its defaults, and every way of AB-MCTS to choose an agent. */
export const EVERY_STRATEGY: readonly Strategy[] = [
  ...Object.values(STRATEGIES).map(({ defaults }) => defaults),
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'ucb' },
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'stack' },
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: {} },
  { kind: 'ab-mcts-m', selection: 'ucb' },
  { kind: 'ab-mcts-m', selection: 'stack' },
].map((options) => strategySchema.parse(options));

export type Course = {
  readonly strategy: Strategy;
  readonly agents: readonly string[];
  readonly seed: number;
  readonly nodes: number;
  /** Trials under way together, at most. */
  readonly batch: number;
  /** Chances that a trial fails or is closed, and that an agent is retired or revived between two trials. */
  readonly failing: number;
  readonly closing: number;
  readonly retiring: number;
};

export const PLAIN: Omit<Course, 'strategy'> = {
  agents: ['a', 'b'],
  seed: 1,
  nodes: 40,
  batch: 1,
  failing: 0,
  closing: 0,
  retiring: 0,
};

/**
 * A search by chance: asks and tells in any order, with scores, failures and closings drawn from the course's seed.
 * It keeps its own account of what may be asked, apart from the strategy's.
 */
export class CourseWalker {
  readonly course: Course;
  readonly chance: Random;
  strategy: TreeStrategy;
  readonly parents: number[] = [];
  readonly asks: Ask[] = [];
  readonly open: Ask[] = [];
  readonly #retired = new Set<string>();
  readonly #closed = new Set<string>();
  /** Asks that broke a rule. */
  readonly faults: string[] = [];
  #over = false;

  constructor(course: Course) {
    this.course = course;
    this.chance = randomStream('course', course.seed);
    this.strategy = createStrategy(course.strategy, course.agents, this.stream());
  }

  stream(): Random {
    return randomStream('strategy', this.course.seed);
  }

  /** False when the course is over. */
  step(): boolean {
    if (!this.#over) this.#over = !this.#step();
    return !this.#over;
  }

  #step(): boolean {
    const { batch, nodes, retiring } = this.course;
    if (this.chance.uniform() < retiring) this.#retireOrRevive();
    const missing = nodes - this.parents.length - this.open.length;
    const mayAsk = this.open.length < batch && missing > 0;
    if (mayAsk && (this.open.length === 0 || this.chance.uniform() < 0.6)) return this.#ask();
    if (this.open.length === 0) return false;
    this.#tell();
    return true;
  }

  walk(): this {
    while (this.step());
    return this;
  }

  /** The strategy is restored from its own saved state. */
  restore(): void {
    const history = JSON.parse(JSON.stringify(this.strategy.history()));
    this.strategy = restoreStrategy(this.course.strategy, this.course.agents, this.stream(), history);
  }

  isAllowed(parent: number, agentId: string): boolean {
    return !this.#retired.has(agentId) && !this.#closed.has(`${parent} ${agentId}`);
  }

  canAsk(): boolean {
    const { firstAttemptsOnly } = STRATEGIES[this.course.strategy.kind];
    const parents = firstAttemptsOnly ? [ROOT] : [ROOT, ...this.parents.keys()];
    return parents.some((parent) => this.course.agents.some((agentId) => this.isAllowed(parent, agentId)));
  }

  #ask(): boolean {
    const ask = this.strategy.ask();
    if ((ask === null) === this.canAsk()) this.faults.push(`asked ${JSON.stringify(ask)}`);
    if (ask === null) {
      if (this.open.length === 0) return false;
      this.#tell();
      return true;
    }
    if (!this.isAllowed(ask.parent, ask.agentId)) this.faults.push(`closed: ${JSON.stringify(ask)}`);
    if (ask.parent < ROOT || ask.parent >= this.parents.length) this.faults.push(`no parent ${ask.parent}`);
    if (ask.trial !== this.asks.length) this.faults.push(`trial ${ask.trial}`);
    this.asks.push(ask);
    this.open.push(ask);
    return true;
  }

  #tell(): void {
    const [ask] = this.open.splice(this.chance.integer(this.open.length), 1);
    if (ask === undefined) return;
    const luck = this.chance.uniform();
    const score = this.chance.integer(5) / 4;
    const { failing, closing } = this.course;
    if (luck < failing) this.strategy.tell(ask.trial, { kind: 'failed' });
    else if (luck < failing + closing) {
      this.strategy.tell(ask.trial, { kind: 'closed' });
      this.#closed.add(`${ask.parent} ${ask.agentId}`);
    } else {
      const index = this.parents.length;
      this.strategy.tell(ask.trial, { kind: 'node', index, score });
      this.parents.push(ask.parent);
    }
  }

  #retireOrRevive(): void {
    const agentId = this.course.agents[this.chance.integer(this.course.agents.length)] as string;
    if (this.#retired.delete(agentId)) this.strategy.revive(agentId);
    else {
      this.#retired.add(agentId);
      this.strategy.retire(agentId);
    }
  }
}
