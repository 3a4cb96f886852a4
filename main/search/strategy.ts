import type { Decision, Strategy } from '../../preload/contract';
import { assertNever, type Random } from '../base';
import { AbMctsA } from './ab-mcts-a';
import { AbMctsM } from './ab-mcts-m';
import { BanditUcb } from './bandit-ucb';
import type { BeliefShape } from './beliefs';
import { BestFirst } from './best-first';
import { Mcts } from './mcts';
import { ReasonNames } from './reason';
import { Refine } from './refine';
import { RepeatedSampling } from './repeated-sampling';
import type { StrategyEvent, StrategyHistory, TrialOutcome } from './strategy-history';
import { TotBfs } from './tot-bfs';
import type { Choice, TreeSearch } from './tree-search';

export type { TrialOutcome } from './strategy-history';

/** What to do next: this agent writes below this node (-1: from the problem alone). */
export type Ask = {
  readonly trial: number;
  readonly parent: number;
  readonly agentId: string;
  /** What the strategy compared on its way from the root, in that order; empty where there was one option only. */
  readonly why: readonly Decision[];
};

/** The choice of the next node. Asking changes no belief, so several trials may be under way (no virtual loss). */
export type TreeStrategy = {
  /** null: no agent can be asked anywhere; with no trial under way that means never again, but for `revive`. */
  readonly ask: () => Ask | null;
  /** Safe to repeat: a second outcome of a trial, or one of an unknown trial, changes nothing. */
  readonly tell: (trial: number, outcome: TrialOutcome) => void;
  /** This agent has nothing more to give (a recorded one without samples left): it is not asked again. */
  readonly retire: (agentId: string) => void;
  /** A retired agent may be asked again; what was closed for it stays closed. */
  readonly revive: (agentId: string) => void;
  /** What it believes now of every option that a trial under way was chosen by; see `Ask.why`. */
  readonly beliefs: (trial: number) => ReadonlyArray<ReadonlyArray<BeliefShape | null>>;
  /** Everything asked, told, retired and revived so far; `restoreStrategy` goes on from there. */
  readonly history: () => StrategyHistory;
};

/** Trials, names and the history of a search. */
class TrialKeeper implements TreeStrategy {
  readonly #agents: readonly string[];
  readonly #search: TreeSearch;
  readonly #names: ReasonNames;
  readonly #open = new Map<number, Choice>();
  readonly #history: StrategyEvent[] = [];
  #nextTrial = 0;

  constructor(agents: readonly string[], search: TreeSearch) {
    this.#agents = agents;
    this.#search = search;
    this.#names = new ReasonNames(agents);
  }

  readonly ask = (): Ask | null => {
    const choice = this.choose();
    if (choice === null) return null;
    return {
      trial: choice.trial,
      parent: choice.parent,
      agentId: this.#agents[choice.agent] as string,
      why: choice.why.map((reason) => this.#names.decision(reason)),
    };
  };

  /** An ask whose reasons have no names yet. */
  choose(): (Choice & { readonly trial: number }) | null {
    const last = this.#history.at(-1);
    if (last?.kind === 'asked')
      this.#history[this.#history.length - 1] = { kind: 'asked', times: last.times + 1 };
    else this.#history.push({ kind: 'asked', times: 1 });
    const choice = this.#search.choose();
    if (choice === null) return null;
    const trial = this.#nextTrial++;
    this.#open.set(trial, choice);
    return { ...choice, trial };
  }

  readonly tell = (trial: number, outcome: TrialOutcome): void => {
    const choice = this.#open.get(trial);
    if (choice === undefined) return;
    this.#open.delete(trial);
    this.#history.push({ kind: 'told', trial, outcome });
    switch (outcome.kind) {
      case 'failed':
        this.#search.failed(choice);
        return;
      case 'closed':
        this.#search.close(choice);
        return;
      case 'node': {
        const index = this.#search.record(choice.parent, choice.agent, outcome.score);
        if (index !== outcome.index)
          throw new Error(`Node ${outcome.index} was told as node number ${index}`);
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

  readonly beliefs: TreeStrategy['beliefs'] = (trial) => {
    const choice = this.#open.get(trial);
    if (choice === undefined) return [];
    return choice.why.map(({ options }, at) =>
      options.map((option) => this.#search.believed?.(choice, at, option) ?? null),
    );
  };

  readonly history = (): StrategyHistory => this.#history.map((entry) => ({ ...entry }));

  replay(history: StrategyHistory): void {
    for (const entry of history) {
      switch (entry.kind) {
        case 'asked':
          for (let i = 0; i < entry.times; i++) this.choose();
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

function searchOf(options: Strategy, agentCount: number, random: Random): TreeSearch {
  switch (options.kind) {
    case 'repeated':
      return new RepeatedSampling(agentCount);
    case 'refine':
      return new Refine(agentCount);
    case 'mcts':
      return new Mcts(options, agentCount);
    case 'best-first':
      return new BestFirst(options, agentCount);
    case 'tot-bfs':
      return new TotBfs(options, agentCount);
    case 'bandit-ucb':
      return new BanditUcb(options, agentCount);
    case 'ab-mcts-a':
      return new AbMctsA(options, agentCount, random);
    case 'ab-mcts-m':
      return new AbMctsM(options, agentCount, random);
    default:
      return assertNever(options);
  }
}

/**
 * The strategy of one tree. `agents` are ids in the team's order, at least one; equal options and streams ask equally.
 */
export function createStrategy(options: Strategy, agents: readonly string[], random: Random): TreeStrategy {
  return new TrialKeeper(agents, searchOf(options, agents.length, random));
}

/**
 * A strategy that goes on exactly where another one stood, trials under way included. `random` is a stream at its
 * beginning, made as for the first one; `history` is that of a strategy with the same options and agents (one of
 * another strategy throws as soon as a node does not fit). Costs what the search itself cost: it is done again.
 */
export function restoreStrategy(
  options: Strategy,
  agents: readonly string[],
  random: Random,
  history: StrategyHistory,
): TreeStrategy {
  const keeper = new TrialKeeper(agents, searchOf(options, agents.length, random));
  keeper.replay(history);
  return keeper;
}

/** First attempts only, at most `perAgent` nodes of each agent. */
export function createSampling(agents: readonly string[], perAgent?: number): TreeStrategy {
  return new TrialKeeper(agents, new RepeatedSampling(agents.length, perAgent));
}
