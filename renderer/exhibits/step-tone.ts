import type { PlanStep, ReproductionStep } from '../../preload/contract/reproduction';

/** How a step stands, of a plan and of what runs alike. */
export type StepTone = 'planned' | 'running' | 'done' | 'reused' | 'failed' | 'blocked' | 'missing';

export function stepTone(step: PlanStep | ReproductionStep): StepTone {
  if (!('state' in step)) {
    if (step.missing.length > 0) return 'missing';
    return step.reuse === null ? 'planned' : 'reused';
  }
  const { state } = step;
  if (state.kind === 'done') return state.reused ? 'reused' : 'done';
  return state.kind === 'waiting' ? 'planned' : state.kind;
}
