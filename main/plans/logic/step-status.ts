import { isSettled, noteOf, type Plan, type PlannedStep, type PlanRecord } from './plan-record';

type Steps<Step extends PlannedStep = PlannedStep> = Pick<Plan<PlanRecord, Step>, 'record' | 'plan'>;

/** By blocked step: the failed step that it needs, directly or not. */
export function blockedSteps({ record, plan }: Steps): Map<string, string> {
  const blocked = new Map<string, string>();
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

/** Nothing is left to do without a user's action. */
export function isOver(plan: Steps): boolean {
  const blocked = blockedSteps(plan);
  const awaited = new Set(openSteps(plan, 'search').flatMap(({ needs }) => needs));
  return plan.plan.steps.every(
    ({ id, kind }) =>
      isSettled(noteOf(plan.record, id)) ||
      blocked.has(id) ||
      // Every search that needs the server has failed.
      (kind === 'serve' && !awaited.has(id)),
  );
}

/** Steps of this kind that are neither settled nor blocked, in the plan's order. */
export function openSteps<Step extends PlannedStep>(
  plan: Steps<Step>,
  kind: PlannedStep['kind'],
): readonly Step[] {
  const blocked = blockedSteps(plan);
  return plan.plan.steps.filter(
    (step) => step.kind === kind && !isSettled(noteOf(plan.record, step.id)) && !blocked.has(step.id),
  );
}

export function needsAreDone({ record }: Pick<Steps, 'record'>, { needs }: PlannedStep): boolean {
  return needs.every((need) => noteOf(record, need).state.kind === 'done');
}

export type PlanState =
  | { readonly kind: 'running' | 'paused' | 'done' }
  /** Of the first step that failed. */
  | { readonly kind: 'failed'; readonly message: string };

export function planState({ record, plan }: Steps): PlanState {
  if (record.endedAt === null) return { kind: record.paused ? 'paused' : 'running' };
  for (const { id, title } of plan.steps) {
    const { state } = noteOf(record, id);
    if (state.kind === 'failed') return { kind: 'failed', message: `${title}: ${state.message}` };
  }
  return { kind: 'done' };
}
