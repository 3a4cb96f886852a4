import type { PlanStep } from '../../../../preload/contract';
import { isSettled, noteOf, type Reproduction } from './record';

/** By blocked step: the failed step that it needs, directly or not. */
export function blockedSteps({ record, plan }: Pick<Reproduction, 'record' | 'plan'>): Map<string, string> {
  const blocked = new Map<string, string>();
  // Each step comes after all that it needs.
  for (const { id, needs } of plan.steps) {
    if (isSettled(noteOf(record, id))) continue;
    for (const need of needs) {
      const by = noteOf(record, need).state.kind === 'failed' ? need : blocked.get(need);
      if (by === undefined) continue;
      blocked.set(id, by);
      break;
    }
  }
  return blocked;
}

/** Nothing more is due without a person. */
export function isOver(reproduction: Pick<Reproduction, 'record' | 'plan'>): boolean {
  const blocked = blockedSteps(reproduction);
  const awaited = new Set(openSteps(reproduction, 'search').flatMap(({ needs }) => needs));
  return reproduction.plan.steps.every(
    ({ id, kind }) =>
      isSettled(noteOf(reproduction.record, id)) ||
      blocked.has(id) ||
      // Every search that needs the server has failed.
      (kind === 'serve' && !awaited.has(id)),
  );
}

/** Steps of this kind that are neither settled nor blocked, in the plan's order. */
export function openSteps(
  reproduction: Pick<Reproduction, 'record' | 'plan'>,
  kind: PlanStep['kind'],
): readonly PlanStep[] {
  const blocked = blockedSteps(reproduction);
  return reproduction.plan.steps.filter(
    (step) => step.kind === kind && !isSettled(noteOf(reproduction.record, step.id)) && !blocked.has(step.id),
  );
}

export function needsAreDone({ record }: Pick<Reproduction, 'record'>, { needs }: PlanStep): boolean {
  return needs.every((need) => noteOf(record, need).state.kind === 'done');
}

/** Searches that are made together, and the servers that they need up together. */
export type SearchBatch = {
  /** `PlanStep.wave` of its steps. */
  readonly number: number;
  readonly searches: readonly PlanStep[];
  readonly serves: readonly PlanStep[];
};

/**
 * The batch that is worked on: the one whose searches have begun, else the first whose trainings are all done.
 * null: there is none now.
 */
export function nextBatch(reproduction: Pick<Reproduction, 'record' | 'plan'>): SearchBatch | null {
  const { record, plan } = reproduction;
  const byId = new Map(plan.steps.map((step) => [step.id, step]));
  const servesOf = (step: PlanStep): PlanStep[] =>
    step.needs.flatMap((need) => {
      const needed = byId.get(need);
      return needed?.kind === 'serve' ? [needed] : [];
    });
  const trainingsAreDone = (step: PlanStep): boolean =>
    [step, ...servesOf(step)].every(({ needs }) =>
      needs.every((need) => byId.get(need)?.kind !== 'train' || noteOf(record, need).state.kind === 'done'),
    );
  const searches = openSteps(reproduction, 'search');
  const hasBegun = ({ id }: PlanStep): boolean => noteOf(record, id).studyId !== null;
  const batches = [...new Set(searches.map(({ wave }) => wave))].sort((a, b) => a - b);
  const number =
    searches.find(hasBegun)?.wave ??
    batches.find((batch) => searches.filter(({ wave }) => wave === batch).every(trainingsAreDone));
  if (number === undefined) return null;
  const ofBatch = searches.filter(({ wave }) => wave === number);
  return { number, searches: ofBatch, serves: [...new Set(ofBatch.flatMap(servesOf))] };
}
