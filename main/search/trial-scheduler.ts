import type { LimitsEvent, NodeAdded, RunConfig, TreeEnd, TreePart } from '../../preload/contract';
import { assertNever, deriveSeed, randomStream } from '../base';
import { TreeBudgets } from './budgets';
import { Ordinals } from './generation';
import type { PosteriorSummary } from './posteriors';
import type { TrialFailed } from './recorded-tree';
import { type Ask, createSampling, createStrategy, type TreeStrategy } from './strategy';
import { ROOT } from './tree';

/** One trial as it was asked for, with everything that identifies it. */
export type Trial = Ask & {
  readonly ordinal: number;
  /** Digest of the program to refine; null for a first attempt or a parent without a program. */
  readonly parentDigest: string | null;
  readonly turn: number;
  readonly generationSeed: number;
};

/**
 * Decides which trials of one tree run next, and applies their outcomes. It does not run trials, and decides from the
 * configuration and recorded values only, so that a live search, a resumed one and a verification proceed alike.
 *
 * order `asked`: a batch is asked when no trial is running, and told in the order of asking. order `arrival`: a trial
 * is asked whenever fewer than a batch are running, and told in any order.
 */
export class TrialScheduler {
  readonly #config: RunConfig;
  readonly #problemId: string;
  readonly #part: TreePart;
  readonly #strategy: TreeStrategy;
  readonly #budgets: TreeBudgets;
  readonly #ordinals = new Ordinals();
  readonly #turns = new Ordinals();
  readonly #digests: (string | null)[] = [];
  /** In the order of asking. */
  readonly #running = new Map<number, Trial>();
  /** Agents without further samples; never asked again. */
  readonly #exhausted = new Set<string>();
  /** Agents whose own budget is spent, running trials included; asked again if a trial fails. */
  readonly #overBudget = new Set<string>();

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
  get running(): readonly Trial[] {
    return [...this.#running.values()];
  }

  /**
   * The tree ends with other limits from here on. No strategy sees them, so with one trial at a time the tree is the one that
   * these limits would have given from the start, or begins with it. In batches it is so where the earlier budget is whole batches
   * and no trial of the last one failed: else that batch was smaller than it would have been.
   */
  changeLimits(event: LimitsEvent): void {
    this.#budgets.change(event);
  }

  /** The next trials to start, oldest first; none while the order needs outcomes first, or when the tree ends. */
  ask(): readonly Trial[] {
    const { batch, order } = this.#config.search;
    const trials: Trial[] = [];
    if (this.#budgets.end() !== null || (order === 'asked' && this.#running.size > 0)) return trials;
    const most = Math.min(batch, this.#budgets.nodes - this.nodes);
    while (this.#running.size < most) {
      const ask = this.#strategy.ask();
      if (ask === null) break;
      const trial = this.#trialOf(ask);
      this.#running.set(trial.trial, trial);
      this.#budgets.trialStarted(trial.agentId);
      this.#retireOrReviveByBudget(trial.agentId);
      trials.push(trial);
    }
    return trials;
  }

  /** The running trial that an outcome with this number belongs to; null: the order allows no such outcome now. */
  expected(trial: number): Trial | null {
    if (this.#config.search.order === 'arrival') return this.#running.get(trial) ?? null;
    const [oldest] = this.#running.values();
    return oldest?.trial === trial ? oldest : null;
  }

  /** Applies an outcome, just recorded or replayed. */
  tell(trial: Trial, outcome: NodeAdded | TrialFailed): void {
    const { agentId } = trial;
    this.#running.delete(trial.trial);
    if (outcome.kind === 'node-added') {
      this.#strategy.tell(trial.trial, { kind: 'node', index: outcome.index, score: outcome.score });
      this.#digests.push(outcome.programDigest);
      this.#budgets.nodeAdded(outcome);
    } else {
      this.#strategy.tell(trial.trial, {
        kind: outcome.reason === 'no-refinement' ? 'closed' : 'failed',
      });
      this.#budgets.trialDropped(agentId);
      this.#afterFailure(trial, outcome.reason);
    }
    this.#retireOrReviveByBudget(agentId);
  }

  /** The current posteriors of the options that a running trial was chosen among. */
  posteriors({ trial }: Trial): ReadonlyArray<ReadonlyArray<PosteriorSummary | null>> {
    return this.#strategy.posteriors(trial);
  }

  /** True when the tree is solved, so that running trials need not be waited for. */
  get shouldAbandonRunning(): boolean {
    return this.#budgets.end() === 'solved';
  }

  /** Why the tree has ended; null while trials are running or can be asked for. Call `ask` first. */
  end(): TreeEnd | null {
    const end = this.#budgets.end();
    if (end === 'solved') return end;
    return this.#running.size > 0 ? null : (end ?? 'exhausted');
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
        // The sample was not graded: it is requested again.
        this.#ordinals.giveBack(agentId, ordinal);
        this.#turns.giveBack(turnKey(agentId, parentDigest), turn);
        return;
      case 'no-refinement':
        this.#ordinals.giveBack(agentId, ordinal); // no sample was used
        return;
      case 'sandbox-fault':
      case 'grader-fault':
        return; // the sample is used: the same one would fail again
      default:
        assertNever(reason);
    }
  }

  /** Retires an agent while its nodes and running trials use up its budget. */
  #retireOrReviveByBudget(agentId: string): void {
    if (this.#exhausted.has(agentId)) return;
    const spent = this.#budgets.isSpent(agentId);
    if (spent === this.#overBudget.has(agentId)) return;
    if (spent) {
      this.#overBudget.add(agentId);
      this.#strategy.retire(agentId);
    } else {
      this.#overBudget.delete(agentId);
      this.#strategy.revive(agentId);
    }
  }
}

function turnKey(agentId: string, parentDigest: string | null): string {
  return `${parentDigest ?? ''} ${agentId}`;
}
