import type { Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { AbMctsA } from './ab-mcts-a';
import { RepeatedSampling } from './repeated-sampling';
import { ROOT } from './tree';

/** What to do next: this agent writes below this node (-1: from the problem alone). */
export type Ask = { readonly trial: number; readonly parent: number; readonly agentId: string };

export type TrialOutcome =
  /** `index`: nodes told so far in this tree; `score` in [0, 1]. */
  { readonly kind: 'node'; readonly index: number; readonly score: number } | { readonly kind: 'failed' };

/** The choice of the next node. Asking changes no belief, so several trials may be under way (no virtual loss). */
export type TreeStrategy = {
  /** null: no agent can be asked; with no trial under way that means never again. */
  readonly ask: () => Ask | null;
  /** Safe to repeat: a second outcome of a trial, or one of an unknown trial, changes nothing. */
  readonly tell: (trial: number, outcome: TrialOutcome) => void;
  /** This agent has nothing more to give (a recorded one without samples left): it is not asked again. */
  readonly retire: (agentId: string) => void;
};

/** What a way of searching has to know how to do; trials and names are kept here, once for all of them. */
type Chooser = {
  readonly choose: () => { readonly parent: number; readonly agent: number } | null;
  /** Gives the new node's index. */
  readonly record: (parent: number, agent: number, score: number) => number;
  readonly dropped: (agent: number) => void;
  readonly retire: (agent: number) => void;
};

function withTrials(agents: readonly string[], chooser: Chooser): TreeStrategy {
  const open = new Map<number, { readonly parent: number; readonly agent: number }>();
  let nextTrial = 0;
  return {
    ask: () => {
      const choice = chooser.choose();
      if (choice === null) return null;
      const trial = nextTrial++;
      open.set(trial, choice);
      return { trial, parent: choice.parent, agentId: agents[choice.agent] as string };
    },
    tell: (trial, outcome) => {
      const choice = open.get(trial);
      if (choice === undefined) return;
      open.delete(trial);
      if (outcome.kind === 'failed') {
        chooser.dropped(choice.agent);
        return;
      }
      const index = chooser.record(choice.parent, choice.agent, outcome.score);
      if (index !== outcome.index) throw new Error(`Node ${outcome.index} was told as node number ${index}`);
    },
    retire: (agentId) => {
      const agent = agents.indexOf(agentId);
      if (agent !== -1) chooser.retire(agent);
    },
  };
}

/** The strategy of one tree. `agents` are ids in the team's order; equal options and streams ask equally. */
export function createStrategy(options: Strategy, agents: readonly string[], random: Random): TreeStrategy {
  if (options.kind === 'repeated') return createSampling(agents);
  const search = new AbMctsA(options, agents.length, random);
  return withTrials(agents, {
    choose: () => (search.active.length === 0 ? null : search.select()),
    record: (parent, agent, score) => search.record(parent, agent, score),
    dropped: () => {},
    retire: (agent) => search.retire(agent),
  });
}

/** First attempts only, at most `perAgent` nodes of each agent. */
export function createSampling(agents: readonly string[], perAgent?: number): TreeStrategy {
  const sampling = new RepeatedSampling(agents.length, perAgent);
  let nodes = 0;
  return withTrials(agents, {
    choose: () => {
      const agent = sampling.next();
      return agent === null ? null : { parent: ROOT, agent };
    },
    record: () => nodes++,
    dropped: (agent) => sampling.giveBack(agent),
    retire: (agent) => sampling.retire(agent),
  });
}
