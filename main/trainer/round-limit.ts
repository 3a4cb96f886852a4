import type { LearnerGroup } from './learner-groups';
import type { LearningInput } from './learning-input';
import { TrainerError } from './trainer-error';

/** Limit of rounds, relative to those needed if every sample were used and distributed evenly. */
const ROUNDS_SAFETY_FACTOR = 50;

/** Throws TrainerError where so many rounds have brought a learner of `groups` too few updates. `made`: by learner. */
export function checkRounds(
  round: number,
  { updates, batch, treesPerRound, nodes }: LearningInput['spec'],
  groups: readonly LearnerGroup[],
  made: Readonly<Record<string, number>>,
): void {
  for (const { learnerIds } of groups) {
    const most =
      ROUNDS_SAFETY_FACTOR * Math.ceil((updates * batch * learnerIds.length) / (treesPerRound * nodes));
    const late = learnerIds.find((id) => (made[id] ?? 0) < updates);
    if (round < most || late === undefined) continue;
    throw new TrainerError({
      code: 'unavailable',
      message: `After ${round} rounds ${late} has made only ${made[late]} of its ${updates} updates.`,
      hint: 'The filter excludes too many trees, or the search gives this agent too few nodes.',
    });
  }
}
