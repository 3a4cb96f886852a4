import type { PlanStep, StudyView } from '../../../../preload/contract';
import { noteOf } from '../plan-record';
import { openSteps } from '../step-status';
import type { Reproduction } from './record';

/** Searches that run together, and the servers that they need at the same time. */
export type SearchBatch = {
  /** `PlanStep.wave` of its steps. */
  readonly number: number;
  readonly searches: readonly PlanStep[];
  readonly serves: readonly PlanStep[];
};

/**
 * The current batch: the one with searches that have begun, else the first with all trainings done. null: there is none
 * now.
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

/** The next action for a study that has searches of a reproduction. */
export type StudyAction =
  | { readonly kind: 'wait' }
  | { readonly kind: 'start' }
  | { readonly kind: 'collect' }
  /** It waits for a person, who paused it or whose folder is missing. */
  | { readonly kind: 'paused'; readonly message: string }
  | { readonly kind: 'give-up'; readonly message: string; readonly hint: string | null }
  /** Removed by hand, or never added: a start that was cut off. */
  | { readonly kind: 'forget' };

/** `halted`: it was stopped here, or failed and is to be tried again. `startedNow`: since the workbench was opened. */
export function nextStudyAction(
  view: StudyView | undefined,
  { halted, startedNow }: { readonly halted: boolean; readonly startedNow: boolean },
): StudyAction {
  if (view === undefined) return { kind: 'forget' };
  const { state } = view;
  switch (state.kind) {
    case 'queued':
    case 'preparing':
    case 'running':
    case 'pausing':
      return { kind: 'wait' };
    case 'finished':
      return { kind: 'collect' };
    case 'planned':
    case 'interrupted':
      return { kind: 'start' };
    case 'paused':
      return halted || !startedNow ? { kind: 'start' } : { kind: 'paused', message: PAUSED_BY_HAND };
    case 'missing':
      return { kind: 'paused', message: [state.message, state.hint].filter(Boolean).join(' ') };
    case 'cancelled':
      if (halted) return { kind: 'start' };
      return { kind: 'give-up', message: 'Its study was stopped by hand.', hint: 'Retry it to continue.' };
    case 'failed':
      // After a restart of the app the reason of the failure is unknown, so it is tried again.
      if (halted || !startedNow) return { kind: 'start' };
      return { kind: 'give-up', message: state.message, hint: state.hint ?? null };
  }
}

const PAUSED_BY_HAND = 'Its study was paused by hand. Resume the study to continue.';

/** By study id: the searches of a reproduction that are in a study and not settled. */
export function searchesByStudy(reproduction: Reproduction): Map<string, PlanStep[]> {
  const searches = new Map<string, PlanStep[]>();
  for (const step of reproduction.plan.steps) {
    if (step.kind !== 'search') continue;
    const { state, studyId } = noteOf(reproduction.record, step.id);
    if (studyId === null || (state.kind !== 'begun' && state.kind !== 'halted')) continue;
    searches.set(studyId, [...(searches.get(studyId) ?? []), step]);
  }
  return searches;
}
