import type { Amount } from '../../../../preload/contract';
import { addAmounts, type CostedStep, NO_AMOUNT, shareOfAmount } from '../costs';
import { isTakenOver, noteOf } from '../plan-record';
import type { Reproduction } from './record';

/** Work of before it was noted, or whose job is gone. */
export const UNKNOWN_AMOUNT: Amount = { seconds: null, gpuSeconds: null, tokens: null };

type KindStep = CostedStep & { readonly kind: string };

/**
 * The cost of servers as part of the searches that they answer, in equal parts. A search then costs the same where its
 * run is used again and no server is started.
 */
export function withServersInSearches<S extends KindStep>(steps: readonly S[]): S[] {
  const usersOf = new Map(
    steps
      .filter(({ kind }) => kind === 'serve')
      .map(({ id }) => [id, steps.filter(({ kind, needs }) => kind === 'search' && needs.includes(id))]),
  );
  return steps.map((step) => {
    if ((usersOf.get(step.id)?.length ?? 0) > 0) return { ...step, took: NO_AMOUNT };
    if (step.kind !== 'search') return step;
    const shares = steps
      .filter(({ id }) => step.needs.includes(id) && usersOf.has(id))
      .map(({ id, took }) => shareOfAmount(took, 1 / (usersOf.get(id)?.length ?? 1)));
    return { ...step, took: shares.reduce(addAmounts, step.took) };
  });
}

/** What trainings and runs took, by their ids, as reproductions have noted it: who had them made before who took them over. */
export function notedAmounts(all: readonly Reproduction[]): {
  readonly trainings: ReadonlyMap<string, Amount>;
  readonly runs: ReadonlyMap<string, Amount>;
} {
  const trainings = new Map<string, Amount>();
  const runs = new Map<string, Amount>();
  for (const isReused of [true, false]) {
    for (const { plan, record } of all) {
      const steps = plan.steps.map((step) => ({ ...step, took: noteOf(record, step.id).took }));
      for (const { id, kind, took } of withServersInSearches(steps)) {
        const note = noteOf(record, id);
        if (note.state.kind !== 'done' || isTakenOver(note) !== isReused || isZeroAmount(took)) continue;
        if (kind === 'train' && note.trainingId !== null) trainings.set(note.trainingId, took);
        if (kind === 'search' && note.runId !== null) runs.set(note.runId, took);
      }
    }
  }
  return { trainings, runs };
}

/** The amount of a step; unknown for work that was reused before its amount was noted. */
export function knownAmount(
  step: KindStep & { readonly state: { readonly kind: string; readonly reused?: boolean } },
): Amount {
  const isWork = step.kind === 'train' || step.kind === 'search';
  const isReused = step.state.kind === 'done' && step.state.reused === true;
  return isWork && isReused && isZeroAmount(step.took) ? UNKNOWN_AMOUNT : step.took;
}

function isZeroAmount({ seconds, gpuSeconds, tokens }: Amount): boolean {
  return seconds === 0 && gpuSeconds === 0 && tokens === 0;
}
