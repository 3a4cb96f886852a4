import type { BeliefShape } from './beliefs';
import type { Reason } from './reason';

/** An agent (by its position in the team) writes below a node, for these reasons. */
export type Choice = {
  readonly parent: number;
  readonly agent: number;
  readonly why: readonly Reason[];
};

/**
 * What a way of searching has to know how to do. Agents are positions in the team, nodes are indices, the root -1.
 * Trials, names and the history are kept outside, once for all of them.
 */
export type TreeSearch = {
  /** null: no agent can be asked anywhere. It stays open until one of the next three tells what became of it. */
  readonly choose: () => Choice | null;
  /** Adds the node that a choice gave, with its score in [0, 1]; gives its index. */
  readonly record: (parent: number, agent: number, score: number) => number;
  /** The choice gave no node. */
  readonly failed: (choice: Choice) => void;
  /** The choice gave no node, and this agent has nothing more to give below this parent. */
  readonly close: (choice: Choice) => void;
  readonly retire: (agent: number) => void;
  readonly revive: (agent: number) => void;
  /** What it believes now of an option of `choice.why[at]`; null: nothing is kept of it. Left out: of no option. */
  readonly believed?: (choice: Choice, at: number, option: number) => BeliefShape | null;
};
