import type { NodeAdded, RunConfig, TreeEnd, TreePart } from '../../preload/contract';
import { assertNever, deriveSeed, randomStream } from '../base';
import type { BeliefShape } from './beliefs';
import { TreeBudgets } from './budgets';
import { Ordinals } from './generation';
import type { TrialFailed } from './recorded-tree';
import { type Ask, createSampling, createStrategy, type TreeStrategy } from './strategy';
import { ROOT } from './tree';

/** One trial as it was asked, with all that tells it from others. */
export type Trial = Ask & {
  readonly ordinal: number;
  /** Digest of the program to refine; null for a first attempt or a parent without a program. */
  readonly parentDigest: string | null;
  readonly turn: number;
  readonly generationSeed: number;
};

/**
 * The course of one tree: which trials are asked, and what their outcomes mean. It knows nothing of how a trial is
 * carried out, and decides from the configuration and recorded values alone, so that a live search, a resumed one and
 * a verification go the same way.
 *
 * order `asked`: a batch is asked when none is under way and told in the order of asking. order `arrival`: a trial is
 * asked whenever fewer than a batch are under way, and told in any order.
 */
export class TreeCourse {
  readonly #config: RunConfig;
  readonly #problemId: string;
  readonly #part: TreePart;
  readonly #strategy: TreeStrategy;
  readonly #budgets: TreeBudgets;
  readonly #ordinals = new Ordinals();
  readonly #turns = new Ordinals();
  readonly #digests: (string | null)[] = [];
  /** In the order of asking. */
  readonly #underWay = new Map<number, Trial>();
  /** Agents without another sample: they are never asked again. */
  readonly #exhausted = new Set<string>();
  /** Agents that may not be asked while their own budget is spent. */
  readonly #resting = new Set<string>();

  constructor(config: RunConfig, problemId: string, part: TreePart) {
    const agentIds = config.team.agents.map((agent) => agent.id);
    const { strategy, samplesPerAgent } = config.search;
    this.#config = config;
    this.#problemId = problemId;
    this.#part = part;
    this.#budgets = new TreeBudgets(config, part);
    this.#strategy =
      part === 'search'
        ? createStrategy(strategy, agentIds, randomStream(config.seed, problemId, part))
        : createSampling(agentIds, samplesPerAgent);
  }

  /** Nodes so far. */
  get nodes(): number {
    return this.#digests.length;
  }

  /** Trials whose outcome has not been told, in the order of asking. */
  get underWay(): readonly Trial[] {
    return [...this.#underWay.values()];
  }

  /** The next trials to begin, oldest first; none while the order wants outcomes first, or when the tree ends. */
  ask(): readonly Trial[] {
    const { batch, order } = this.#config.search;
    const asked: Trial[] = [];
    if (this.#budgets.end() !== null || (order === 'asked' && this.#underWay.size > 0)) return asked;
    const most = Math.min(batch, this.#budgets.nodes - this.nodes);
    while (this.#underWay.size < most) {
      const ask = this.#strategy.ask();
      if (ask === null) break;
      const trial = this.#trialOf(ask);
      this.#underWay.set(trial.trial, trial);
      this.#budgets.begun(trial.agentId);
      this.#restOrRevive(trial.agentId);
      asked.push(trial);
    }
    return asked;
  }

  /** The trial that an outcome with this number may belong to; null: the order allows no such outcome now. */
  expected(trial: number): Trial | null {
    if (this.#config.search.order === 'arrival') return this.#underWay.get(trial) ?? null;
    const [oldest] = this.#underWay.values();
    return oldest?.trial === trial ? oldest : null;
  }

  /** What an outcome means for the search; the same for one just recorded and one replayed. */
  tell(trial: Trial, outcome: NodeAdded | TrialFailed): void {
    const { agentId } = trial;
    this.#underWay.delete(trial.trial);
    if (outcome.kind === 'node-added') {
      this.#strategy.tell(trial.trial, { kind: 'node', index: outcome.index, score: outcome.score });
      this.#digests.push(outcome.programDigest);
      this.#budgets.made(outcome);
    } else {
      this.#strategy.tell(trial.trial, {
        kind: outcome.reason === 'no-refinement' ? 'closed' : 'failed',
      });
      this.#budgets.dropped(agentId);
      this.#afterFailure(trial, outcome.reason);
    }
    this.#restOrRevive(agentId);
  }

  /** What the search believes now of the options that a trial under way was chosen by. */
  beliefs({ trial }: Trial): ReadonlyArray<ReadonlyArray<BeliefShape | null>> {
    return this.#strategy.beliefs(trial);
  }

  /** True when the trials under way are not to be waited for: the answer is there. */
  get isSolved(): boolean {
    return this.#budgets.end() === 'solved';
  }

  /** Why the tree is at its end; null while trials are under way or to be asked. Ask first. */
  end(): TreeEnd | null {
    const end = this.#budgets.end();
    if (end === 'solved') return end;
    return this.#underWay.size > 0 ? null : (end ?? 'exhausted');
  }

  #trialOf(ask: Ask): Trial {
    const parentDigest = ask.parent === ROOT ? null : (this.#digests[ask.parent] ?? null);
    return {
      ...ask,
      ordinal: this.#ordinals.take(ask.agentId),
      parentDigest,
      turn: this.#turns.take(turnKey(ask.agentId, parentDigest)),
      generationSeed: deriveSeed(this.#config.seed, this.#problemId, this.#part, ask.trial),
    };
  }

  #afterFailure({ agentId, ordinal, parentDigest, turn }: Trial, reason: TrialFailed['reason']): void {
    switch (reason) {
      case 'exhausted':
        this.#exhausted.add(agentId);
        this.#strategy.retire(agentId);
        return;
      case 'server':
      case 'reward':
        // Nobody has seen or judged the sample: it is asked for again.
        this.#ordinals.giveBack(agentId, ordinal);
        this.#turns.giveBack(turnKey(agentId, parentDigest), turn);
        return;
      case 'no-refinement':
        this.#ordinals.giveBack(agentId, ordinal); // no sample was used
        return;
      case 'sandbox-fault':
        return; // the sample is used: the same one would fail again
      default:
        assertNever(reason);
    }
  }

  /** An agent rests while what it wrote and is writing reaches its budget. */
  #restOrRevive(agentId: string): void {
    if (this.#exhausted.has(agentId)) return;
    const spent = this.#budgets.isSpent(agentId);
    if (spent === this.#resting.has(agentId)) return;
    if (spent) {
      this.#resting.add(agentId);
      this.#strategy.retire(agentId);
    } else {
      this.#resting.delete(agentId);
      this.#strategy.revive(agentId);
    }
  }
}

function turnKey(agentId: string, parentDigest: string | null): string {
  return `${parentDigest ?? ''} ${agentId}`;
}
