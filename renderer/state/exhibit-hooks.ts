import { useStore } from 'zustand';
import type { Value } from '../../preload/contract/commands/index';
import type { ExhibitEntry, ExhibitProblem, ExhibitResult } from '../../preload/contract/exhibit';
import type {
  ReproductionDecision,
  ReproductionOrder,
  ReproductionPlan,
  ReproductionView,
} from '../../preload/contract/reproduction';
import { type ResultQuery, resultKey } from './exhibits';
import { useResource, useWorkbench } from './hooks';
import { type Loadable, mapLoadable } from './loadable';
import { type ReproductionAction, stepKey } from './reproductions';
import { useDebouncedQuery } from './use-debounced-query';
import { ONLY } from './workbench-state';

/** Built-in ones first, and files of the lab's own that are no exhibit. */
export function useExhibits(): Loadable<Value<'exhibit.list'>> {
  return useResource(useWorkbench().exhibits.list, ONLY);
}

/** ready with null: there is no such exhibit (any more). */
export function useExhibit(exhibitId: string | null): Loadable<ExhibitEntry | null> {
  return mapLoadable(
    useExhibits(),
    ({ exhibits }) => exhibits.find(({ exhibit }) => exhibit.id === exhibitId) ?? null,
  );
}

/** The exhibit as far as it is measured; kept current while a reproduction of it runs. */
export function useExhibitResult(query: ResultQuery): Loadable<ExhibitResult> {
  return useResource(useWorkbench().exhibits.results, resultKey(query));
}

export function useExhibitText(exhibitId: string): Loadable<{ text: string }> {
  return useResource(useWorkbench().exhibits.texts, exhibitId);
}

/** What is wrong with a text that is being typed. */
export function useExhibitProblems(text: string | null): Loadable<{ problems: ExhibitProblem[] }> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(text === null ? null : { text }, (request) =>
    client.call('exhibit.check', request),
  );
}

/** Newest first. */
export function useReproductions(): Loadable<readonly ReproductionView[]> {
  return useStore(useWorkbench().reproductions.store);
}

/** What is being asked of this reproduction now; null: nothing. */
export function usePendingReproductionAction(reproductionId: string): ReproductionAction | null {
  return useStore(
    useWorkbench().reproductions.pendingActions,
    (pending) => pending.get(reproductionId) ?? null,
  );
}

/** What is being asked of this step now; null: nothing. */
export function usePendingStepAction(reproductionId: string, stepId: string): ReproductionAction | null {
  return usePendingReproductionAction(stepKey(reproductionId, stepId));
}

/** What was decided and why, oldest first. */
export function useDecisions(reproductionId: string | null): Loadable<ReproductionDecision[]> {
  return useResource(useWorkbench().reproductions.decisions, reproductionId);
}

/** What an order would do, cost and lack, asked again when it changes. null while there is none. */
export function useReproductionPlan(order: ReproductionOrder | null): Loadable<ReproductionPlan> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(order, (request) => client.call('reproduction.plan', request));
}
