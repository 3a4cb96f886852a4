import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Analysis } from '../../preload/contract/analysis';
import type { RunView } from '../../preload/contract/folds/index';
import type { NodeDetail } from '../../preload/contract/node-detail';
import type { Problem } from '../../preload/contract/problem';
import type { ServerView } from '../../preload/contract/server';
import type { Settings } from '../../preload/contract/settings';
import type { StudyView } from '../../preload/contract/study';
import type { Place } from './address';
import { LOADING, type Loadable, readyValue } from './loadable';
import { type NodePlace, nodeKey, problemKey } from './node-place';
import type { Resource } from './resource';
import { ONLY, type WorkbenchState } from './workbench-state';

const StateContext = createContext<WorkbenchState | null>(null);

export function StateProvider(props: { readonly state: WorkbenchState; readonly children: ReactNode }) {
  return <StateContext value={props.state}>{props.children}</StateContext>;
}

/** The state of the app; its stores are read through the hooks below, which stay current. */
export function useWorkbench(): WorkbenchState {
  const state = useContext(StateContext);
  if (state === null) throw new Error('A screen stands outside of the StateProvider.');
  return state;
}

function useResource<T>(resource: Resource<T>, key: string | null): Loadable<T> {
  useEffect(() => (key === null ? undefined : resource.want(key)), [resource, key]);
  return useStore(resource.store, (values) => (key === null ? LOADING : (values.get(key) ?? LOADING)));
}

export function usePlace(): Place {
  return useStore(useWorkbench().location.store, ({ place }) => place);
}

export function useStudies(): Loadable<readonly StudyView[]> {
  return useStore(useWorkbench().studies.store);
}

/** ready with null: there is no such study (any more). */
export function useStudy(studyId: string | null): Loadable<StudyView | null> {
  const studies = useStudies();
  if (studies.kind !== 'ready') return studies;
  return { kind: 'ready', value: studies.value.find(({ study }) => study.id === studyId) ?? null };
}

export function useRun(runId: string | null): Loadable<RunView | null> {
  const { runs } = useWorkbench();
  useEffect(() => (runId === null ? undefined : runs.want(runId)), [runs, runId]);
  return useStore(runs.store, (all) => (runId === null ? LOADING : (all.get(runId) ?? LOADING)));
}

/** All folded runs by id; these are kept current while the component is shown. */
export function useRuns(runIds: readonly string[]): ReadonlyMap<string, Loadable<RunView | null>> {
  const { runs } = useWorkbench();
  useEffect(() => {
    const ends = runIds.map((runId) => runs.want(runId));
    return () => {
      for (const end of ends) end();
    };
  }, [runs, runIds]);
  return useStore(runs.store);
}

export function useAnalysis(studyId: string | null): Loadable<Analysis> {
  return useResource(useWorkbench().analyses, studyId);
}

export function useNodeDetail(place: NodePlace | null): Loadable<NodeDetail> {
  return useResource(useWorkbench().details, place === null ? null : nodeKey(place));
}

export function useProblem(benchmarkId: string | null, problemId: string | null): Loadable<Problem> {
  const key = benchmarkId === null || problemId === null ? null : problemKey(benchmarkId, problemId);
  return useResource(useWorkbench().problems, key);
}

export function useServers(): Loadable<readonly ServerView[]> {
  return useStore(useWorkbench().servers);
}

/** null until they were read. */
export function useSettings(): Settings | null {
  return readyValue(useStore(useWorkbench().settings.store));
}

export function useInfo() {
  return useResource(useWorkbench().info, ONLY);
}

export function useQuickstartPlan() {
  return useResource(useWorkbench().plan, ONLY);
}

export function useBenchmarks() {
  return useResource(useWorkbench().benchmarks, ONLY);
}

export function useRecordings() {
  return useResource(useWorkbench().recordings, ONLY);
}

export function useNotices() {
  return useStore(useWorkbench().notices.store);
}
