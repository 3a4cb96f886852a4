import type { Decision, Strategy } from '../../preload/contract';
import { assertNever, type Random } from '../base';
import { createAlgorithm } from './algorithms';
import { DecisionNames } from './indexed-decision';
import type { PosteriorSummary } from './posteriors';
import { RepeatedSampling } from './repeated-sampling';
import type { Expansion, SearchAlgorithm } from './search-algorithm';

/** The outcome of a trial, as `tell` gives it to a strategy. */
export type TrialOutcome =
  /** `index`: number of nodes told before; `score` in [0, 1]. */
  | { readonly kind: 'node'; readonly index: number; readonly score: number }
  /** No node; the same may be asked again. */
  | { readonly kind: 'failed' }
  /** No node: this agent cannot expand this parent again, but perhaps others. */
  | { readonly kind: 'closed' };

/**
 * All calls made to a strategy, in order, as JSON. With the options, the agents and the random stream they determine
 * every answer, so answers are not stored.
 */
export type StrategyHistory = readonly StrategyEvent[];

export type StrategyEvent =
  | { readonly kind: 'asked'; readonly times: number }
  | { readonly kind: 'told'; readonly trial: number; readonly outcome: TrialOutcome }
  | { readonly kind: 'retired'; readonly agentId: string }
  | { readonly kind: 'revived'; readonly agentId: string };

/** A trial to run: this agent writes a child of this node (-1: from the problem alone). */
export type Ask = {
  readonly trial: number;
  readonly parent: number;
  readonly agentId: string;
  /** What the strategy compared on its way from the root, in order; empty where there was only one option. */
  readonly why: readonly Decision[];
};

/** Chooses the next node, by ask and tell. Asking changes no posterior (no virtual loss), so trials may overlap. */
export type TreeStrategy = {
  /** null: no agent can expand any node. With no trial running, only `revive` can change that. */
  readonly ask: () => Ask | null;
  /** Safe to repeat: a second outcome of a trial, or one of an unknown trial, changes nothing. */
  readonly tell: (trial: number, outcome: TrialOutcome) => void;
  /** This agent has no samples left (it is recorded), so it is not asked again. */
  readonly retire: (agentId: string) => void;
  /** A retired agent may be asked again; nodes that were closed to it stay closed. */
  readonly revive: (agentId: string) => void;
  /** The current posteriors of the options that a running trial was chosen among; see `Ask.why`. */
  readonly posteriors: (trial: number) => ReadonlyArray<ReadonlyArray<PosteriorSummary | null>>;
  /** All calls so far (asks, outcomes, retired and revived agents); `restoreStrategy` continues from it. */
  readonly history: () => StrategyHistory;
};

/** Adds trial numbers, names and the history to a search algorithm. */
class TrialTrackingStrategy implements TreeStrategy {
  readonly #agents: readonly string[];
  readonly #search: SearchAlgorithm;
  readonly #names: DecisionNames;
  readonly #runningTrials = new Map<number, Expansion>();
  readonly #history: StrategyEvent[] = [];
  #nextTrial = 0;

  constructor(agents: readonly string[], search: SearchAlgorithm) {
    this.#agents = agents;
    this.#search = search;
    this.#names = new DecisionNames(agents);
  }

  readonly ask = (): Ask | null => {
    const expansion = this.askIndexed();
    if (expansion === null) return null;
    return {
      trial: expansion.trial,
      parent: expansion.parent,
      agentId: this.#agents[expansion.agent] as string,
      why: expansion.why.map((decision) => this.#names.decision(decision)),
    };
  };

  /** An ask whose decisions have no names yet. */
  askIndexed(): (Expansion & { readonly trial: number }) | null {
    const last = this.#history.at(-1);
    if (last?.kind === 'asked')
      this.#history[this.#history.length - 1] = { kind: 'asked', times: last.times + 1 };
    else this.#history.push({ kind: 'asked', times: 1 });
    const expansion = this.#search.selectExpansion();
    if (expansion === null) return null;
    const trial = this.#nextTrial++;
    this.#runningTrials.set(trial, expansion);
    return { ...expansion, trial };
  }

  readonly tell = (trial: number, outcome: TrialOutcome): void => {
    const expansion = this.#runningTrials.get(trial);
    if (expansion === undefined) return;
    this.#runningTrials.delete(trial);
    this.#history.push({ kind: 'told', trial, outcome });
    switch (outcome.kind) {
      case 'failed':
        this.#search.failed(expansion);
        return;
      case 'closed':
        this.#search.close(expansion);
        return;
      case 'node': {
        const index = this.#search.record(expansion.parent, expansion.agent, outcome.score);
        if (index !== outcome.index) throw new Error(`Node ${outcome.index} was recorded as node ${index}`);
        return;
      }
      default:
        assertNever(outcome);
    }
  };

  readonly retire = (agentId: string): void => {
    const agent = this.#agents.indexOf(agentId);
    if (agent === -1) return;
    this.#history.push({ kind: 'retired', agentId });
    this.#search.retire(agent);
  };

  readonly revive = (agentId: string): void => {
    const agent = this.#agents.indexOf(agentId);
    if (agent === -1) return;
    this.#history.push({ kind: 'revived', agentId });
    this.#search.revive(agent);
  };

  readonly posteriors: TreeStrategy['posteriors'] = (trial) => {
    const expansion = this.#runningTrials.get(trial);
    if (expansion === undefined) return [];
    return expansion.why.map(({ options }, at) =>
      options.map((option) => this.#search.posteriorOf?.(expansion, at, option) ?? null),
    );
  };

  readonly history = (): StrategyHistory => this.#history.map((entry) => ({ ...entry }));

  replay(history: StrategyHistory): void {
    for (const entry of history) {
      switch (entry.kind) {
        case 'asked':
          for (let i = 0; i < entry.times; i++) this.askIndexed();
          break;
        case 'told':
          this.tell(entry.trial, entry.outcome);
          break;
        case 'retired':
          this.retire(entry.agentId);
          break;
        case 'revived':
          this.revive(entry.agentId);
          break;
        default:
          assertNever(entry);
      }
    }
  }
}

/**
 * The strategy of one tree. `agents` are ids in the team's order, at least one; equal options and streams ask equally.
 */
export function createStrategy(options: Strategy, agents: readonly string[], random: Random): TreeStrategy {
  return new TrialTrackingStrategy(agents, createAlgorithm(options, agents.length, random));
}

/**
 * A strategy that continues exactly where another one stopped, running trials included. `random` is a fresh stream
 * with the first one's seed; `history` comes from a strategy with the same options and agents (any other throws as
 * soon as a node does not fit). Replays the search, so it costs as much.
 */
export function restoreStrategy(
  options: Strategy,
  agents: readonly string[],
  random: Random,
  history: StrategyHistory,
): TreeStrategy {
  const strategy = new TrialTrackingStrategy(agents, createAlgorithm(options, agents.length, random));
  strategy.replay(history);
  return strategy;
}

/** Independent samples: first attempts only, at most `perAgent` nodes of each agent. */
export function createSampling(agents: readonly string[], perAgent?: number): TreeStrategy {
  return new TrialTrackingStrategy(agents, new RepeatedSampling(agents.length, perAgent));
}
