import type { IndexedDecision } from './indexed-decision';
import type { PosteriorSummary } from './posteriors';

/** An agent (by its position in the team) writes a child of `parent`; `why` lists the decisions that led there. */
export type Expansion = {
  readonly parent: number;
  readonly agent: number;
  readonly why: readonly IndexedDecision[];
};

/**
 * What a search strategy implements; algorithms.ts registers it. Agents are positions in the team, nodes are indices,
 * the root is -1. Trials, names and history are handled once for all strategies by `TrialTrackingStrategy`.
 */
export type SearchAlgorithm = {
  /** null: no agent can expand any node. Each expansion is later answered by one of the next three. */
  readonly selectExpansion: () => Expansion | null;
  /** Adds the node of an expansion, with its score in [0, 1]; returns its index. */
  readonly record: (parent: number, agent: number, score: number) => number;
  /** The expansion gave no node and may be repeated. */
  readonly failed: (expansion: Expansion) => void;
  /** The expansion gave no node, and this agent cannot expand this parent again. */
  readonly close: (expansion: Expansion) => void;
  readonly retire: (agent: number) => void;
  readonly revive: (agent: number) => void;
  /** The current posterior of an option of `expansion.why[at]`; null: none is kept. Leave out if there never is one. */
  readonly posteriorOf?: (expansion: Expansion, at: number, option: number) => PosteriorSummary | null;
};
