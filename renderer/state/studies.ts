import { createStore, type StoreApi } from 'zustand/vanilla';
import type { StudyView } from '../../preload/contract/study';
import type { WorkbenchClient } from '../workbench-client';
import { LOADING, type Loadable, loaded } from './loadable';

export type Studies = {
  /** Newest first. */
  readonly store: StoreApi<Loadable<readonly StudyView[]>>;
  readonly load: () => Promise<void>;
  /** True: its state has changed. */
  readonly changed: (view: StudyView) => boolean;
  /** True: another of its gradings counts than in the list. */
  readonly countsOtherwise: (view: StudyView) => boolean;
  readonly removed: (studyId: string) => void;
};

/** Newest first; ties are broken by id, so the order is stable. */
export function newestFirst(views: readonly StudyView[]): StudyView[] {
  return [...views].sort(
    (a, b) => b.study.createdAt.localeCompare(a.study.createdAt) || (a.study.id < b.study.id ? -1 : 1),
  );
}

export function createStudies(client: WorkbenchClient): Studies {
  const store = createStore<Loadable<readonly StudyView[]>>(() => LOADING);
  const views = (): readonly StudyView[] => {
    const now = store.getState();
    return now.kind === 'ready' ? now.value : [];
  };
  // Received while the list loads: newer than the list.
  let pendingViews: StudyView[] = [];
  const put = (view: StudyView): void => {
    const old = views().find(({ study }) => study.id === view.study.id);
    const others = views().filter((other) => other !== old);
    // Only extensions, gradings and another name change a study: keeping its old object avoids rendering what depends on it alone.
    const isSame =
      old?.study.name === view.study.name &&
      old?.study.extensions?.length === view.study.extensions?.length &&
      old?.study.regrades?.length === view.study.regrades?.length &&
      old?.study.countedRegrade === view.study.countedRegrade;
    const next = old !== undefined && isSame ? { ...view, study: old.study } : view;
    store.setState({ kind: 'ready', value: newestFirst([...others, next]) }, true);
  };
  return {
    store,
    load: async () => {
      pendingViews = [];
      const answer = await client.call('study.list', {});
      const next = loaded(answer);
      store.setState(next.kind === 'ready' ? { kind: 'ready', value: newestFirst(next.value) } : next, true);
      for (const view of pendingViews) put(view);
      pendingViews = [];
    },
    changed: (view) => {
      const before = views().find(({ study }) => study.id === view.study.id);
      if (store.getState().kind === 'ready') put(view);
      else pendingViews.push(view);
      return before?.state.kind !== view.state.kind;
    },
    countsOtherwise: ({ study }) => {
      const before = views().find((view) => view.study.id === study.id);
      return before !== undefined && before.study.countedRegrade !== study.countedRegrade;
    },
    removed: (studyId) => {
      const now = store.getState();
      if (now.kind !== 'ready') return;
      store.setState({ kind: 'ready', value: now.value.filter(({ study }) => study.id !== studyId) }, true);
    },
  };
}
