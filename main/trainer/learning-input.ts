import type { Learning, ProblemChoice } from '../../preload/contract/index';
import type { TeamMember } from '../../preload/contract/plans/index';

/** What the loop trains, whatever kind of policy learns. */
export type LearningInput = {
  /** `kind` is part of the seeds, and of the saved state. */
  readonly spec: Learning & { readonly kind: string };
  /** Prompt settings of each agent. Its server's id is the agent's id; no two servers may differ only in their ids. */
  readonly members: readonly TeamMember[];
  /** How they are asked in evaluations, in the same order; left out: as in training. */
  readonly evaluationMembers?: readonly TeamMember[];
  /** Left out: trains on all problems of the environment. */
  readonly choose?: ProblemChoice;
  /**
   * Pass@1 on the held-out problems is counted before the first update too, per problem. Left out: as on the way, where
   * there are evaluations, and only as a mean.
   */
  readonly measuresBefore?: boolean;
};

/** Ids of the agents, in order. */
export function agentIdsOf({ members }: LearningInput): readonly string[] {
  return members.map(({ server }) => server.id);
}
