/** What became of a trial. */
export type TrialOutcome =
  /** `index`: nodes told so far in this tree; `score` in [0, 1]. */
  | { readonly kind: 'node'; readonly index: number; readonly score: number }
  /** No node; the same may be asked again. */
  | { readonly kind: 'failed' }
  /** No node: this agent has nothing more to give below this parent, though perhaps elsewhere. */
  | { readonly kind: 'closed' };

/**
 * All that was done to a strategy, in order, as JSON. Together with the options, the agents and the stream it decides
 * everything: what was answered need not be kept.
 */
export type StrategyHistory = readonly StrategyEvent[];

export type StrategyEvent =
  | { readonly kind: 'asked'; readonly times: number }
  | { readonly kind: 'told'; readonly trial: number; readonly outcome: TrialOutcome }
  | { readonly kind: 'retired'; readonly agentId: string }
  | { readonly kind: 'revived'; readonly agentId: string };
