import { useStore } from 'zustand';
import type { Value } from '../../preload/contract/commands/index';
import type { ExhibitEntry, ExhibitProblem, ExhibitResult } from '../../preload/contract/exhibit';
import type { ExhibitFill, FilledExhibit } from '../../preload/contract/exhibit-fill';
import type {
  ReproductionDecision,
  ReproductionPlan,
  ReproductionRequest,
  ReproductionView,
} from '../../preload/contract/reproduction';
import { type ResultQuery, resultKey } from './exhibits';
import { useResource, useWorkbench } from './hooks';
import { type Loadable, mapLoadable } from './loadable';
import { type ReproductionAction, stepKey } from './reproductions';
import { ONLY } from './resources';
import { useDebouncedQuery } from './use-debounced-query';

/** Built-in ones first, and own files that are not valid exhibits. */
export function useExhibits(): Loadable<Value<'exhibit.list'>> {
  return useResource(useWorkbench().exhibits.list, ONLY);
}

/** ready with null: it does not exist. */
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

/** Rows filled with a study of small language models, updated when the choice changes; null: nothing is chosen. */
export function useFilledExhibit(fill: ExhibitFill | null): Loadable<FilledExhibit> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(fill, (request) => client.call('exhibit.fill', request));
}

export function useExhibitText(exhibitId: string): Loadable<{ text: string }> {
  return useResource(useWorkbench().exhibits.texts, exhibitId);
}

/** Problems of the text in the editor. */
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

/** null: none. */
export function usePendingReproductionAction(reproductionId: string): ReproductionAction | null {
  return useStore(
    useWorkbench().reproductions.pendingActions,
    (pending) => pending.get(reproductionId) ?? null,
  );
}

/** null: none. */
export function usePendingStepAction(reproductionId: string, stepId: string): ReproductionAction | null {
  return usePendingReproductionAction(stepKey(reproductionId, stepId));
}

/** Scheduling decisions and their reasons, oldest first. */
export function useDecisions(reproductionId: string | null): Loadable<ReproductionDecision[]> {
  return useResource(useWorkbench().reproductions.decisions, reproductionId);
}

/** Steps, cost and missing inputs of an order, updated when it changes; null without an order. */
export function useReproductionPlan(request: ReproductionRequest | null): Loadable<ReproductionPlan> | null {
  const { client } = useWorkbench();
  return useDebouncedQuery(request, (request) => client.call('reproduction.plan', request));
}
