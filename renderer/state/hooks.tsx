import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Analysis } from '../../preload/contract/analysis';
import type { Diversity } from '../../preload/contract/diversity';
import type { RunView } from '../../preload/contract/folds/index';
import type { GpuCurves } from '../../preload/contract/gpu';
import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import type { NodeDetail } from '../../preload/contract/node-detail';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import { holdsGpus, withAssignedGpus } from '../../preload/contract/plans/index';
import type { Benchmark, ProblemOutline, ProblemText } from '../../preload/contract/problem';
import type { Origin, Provenance } from '../../preload/contract/provenance';
import type { ComparedRuns, RunComparison } from '../../preload/contract/run-comparison';
import type { ServerView } from '../../preload/contract/server';
import type { Settings } from '../../preload/contract/settings';
import type { StudyView } from '../../preload/contract/study';
import type { Task, TaskKind } from '../text/tasks';
import { comparisonKey } from './comparisons';
import type { JobAction } from './jobs';
import { LOADING, type Loadable, readyValue } from './loadable';
import type { Resource } from './resource';
import { benchmarkKey, type NodeRef, nodeKey, problemKey } from './resource-keys';
import { type NodePosteriors, ONLY } from './resources';
import type { Route } from './routes';
import type { ServerAction } from './servers';
import type { WorkbenchState } from './workbench-state';

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

export function useResource<T>(resource: Resource<T>, key: string | null): Loadable<T> {
  useEffect(() => (key === null ? undefined : resource.subscribe(key)), [resource, key]);
  return useStore(resource.store, (values) => (key === null ? LOADING : (values.get(key) ?? LOADING)));
}

/** The values of many keys of one resource, in order. */
export function useResources<T>(resource: Resource<T>, keys: readonly string[]): readonly Loadable<T>[] {
  const key = keys.join('\n');
  useEffect(() => {
    const ends = key === '' ? [] : key.split('\n').map((id) => resource.subscribe(id));
    return () => {
      for (const end of ends) end();
    };
  }, [resource, key]);
  return useStore(
    resource.store,
    useShallow((values) => keys.map((id) => values.get(id) ?? LOADING)),
  );
}

/** When the window was used last before the present visit, milliseconds since the epoch; null: not known. */
export function useLastVisit(): number | null {
  return useStore(useWorkbench().lastVisit.since);
}

/** What made the last start of a job; ready with null: not recorded. */
export function useProvenance(jobId: string): Loadable<Provenance | null> {
  return useResource(useWorkbench().provenances, jobId);
}

/** What the GPUs of a job did; read again now and then while `isLive`. */
export function useJobGpus(jobId: string, isLive: boolean): Loadable<GpuCurves> {
  return useSampled(useWorkbench().jobGpus, jobId, isLive);
}

/** Samples come every 10 s or less often. */
const SAMPLED_EVERY_MS = 10_000;

export function useSampled<T>(resource: Resource<T>, key: string, isLive: boolean): Loadable<T> {
  useEffect(() => {
    const timer = isLive ? setInterval(() => resource.refresh(key), SAMPLED_EVERY_MS) : undefined;
    return () => clearInterval(timer);
  }, [resource, key, isLive]);
  return useResource(resource, key);
}

/** The servers that each of these studies asked. */
export function useOrigins(studyIds: readonly string[]): readonly Loadable<Origin[]>[] {
  return useResources(useWorkbench().origins, studyIds);
}

/** The same of many jobs. */
export function useProvenances(jobIds: readonly string[]): readonly Loadable<Provenance | null>[] {
  return useResources(useWorkbench().provenances, jobIds);
}

export function useRoute(): Route {
  return useStore(useWorkbench().location.store, ({ route }) => route);
}

export function useStudies(): Loadable<readonly StudyView[]> {
  return useStore(useWorkbench().studies.store);
}

/** ready with null: it does not exist. */
export function useStudy(studyId: string | null): Loadable<StudyView | null> {
  const studies = useStudies();
  if (studies.kind !== 'ready') return studies;
  return { kind: 'ready', value: studies.value.find(({ study }) => study.id === studyId) ?? null };
}

export function useRun(runId: string | null): Loadable<RunView | null> {
  const { runs } = useWorkbench();
  useEffect(() => (runId === null ? undefined : runs.subscribe(runId)), [runs, runId]);
  return useStore(runs.store, (all) => (runId === null ? LOADING : (all.get(runId) ?? LOADING)));
}

/** The outcome of every problem of every run of a study, without reading a journal. */
export function useOutcomes(studyId: string | null): Loadable<StudyOutcomes> {
  return useResource(useWorkbench().outcomes, studyId);
}

export function useAnalysis(studyId: string | null): Loadable<Analysis> {
  return useResource(useWorkbench().analyses, studyId);
}

/** null: nothing to compare. */
export function useComparison(runs: ComparedRuns | null): Loadable<RunComparison> {
  return useResource(useWorkbench().comparisons.read, runs === null ? null : comparisonKey(runs));
}

/** Diversity measured since the start; null: not measured. */
export function useRunDiversity(runs: ComparedRuns): Diversity | null {
  const key = comparisonKey(runs);
  return useStore(useWorkbench().comparisons.diversities, (measured) => measured.get(key) ?? null);
}

export function useNodeDetail(node: NodeRef | null): Loadable<NodeDetail> {
  return useResource(useWorkbench().details, node === null ? null : nodeKey(node));
}

/** null: not needed now. */
export function useNodePosteriors(node: NodeRef | null): Loadable<NodePosteriors> {
  return useResource(useWorkbench().posteriors, node === null ? null : nodeKey(node));
}

export function useProblem(benchmarkId: string | null, problemId: string | null): Loadable<ProblemText> {
  const key = benchmarkId === null || problemId === null ? null : problemKey(benchmarkId, problemId);
  return useResource(useWorkbench().problems, key);
}

/** Every problem of a benchmark, without its texts. null: not needed now. */
export function useProblemList(benchmark: Benchmark | null): Loadable<readonly ProblemOutline[]> {
  return useResource(useWorkbench().problemLists, benchmark === null ? null : benchmarkKey(benchmark));
}

/** With our jobs at the GPUs that they hold. */
export function useMachines(): Loadable<readonly MachineView[]> {
  const machines = useStore(useWorkbench().machines.store);
  const jobs = useGpuJobs();
  return useMemo(
    () =>
      machines.kind === 'ready' && jobs.length > 0
        ? { ...machines, value: machines.value.map((machine) => withAssignedGpus(machine, jobs)) }
        : machines,
    [machines, jobs],
  );
}

/** The jobs that hold GPUs: the same list until one more or one less does, whatever else changes of jobs. */
function useGpuJobs(): readonly JobView[] {
  const last = useRef<readonly JobView[]>([]);
  return useStore(useWorkbench().jobs.store, (jobs) => {
    const now = (readyValue(jobs) ?? []).filter(holdsGpus);
    const isSame = JSON.stringify(now.map(heldBy)) === JSON.stringify(last.current.map(heldBy));
    if (!isSame) last.current = now;
    return last.current;
  });
}

const heldBy = ({ machineId, name, gpuIds }: JobView): readonly unknown[] => [machineId, name, gpuIds];

/** null while loading, or if it does not exist. */
export function useMachine(machineId: string | null): MachineView | null {
  const machines = readyValue(useMachines());
  return machines?.find(({ spec }) => spec.id === machineId) ?? null;
}

export function useJobs(): Loadable<readonly JobView[]> {
  return useStore(useWorkbench().jobs.store);
}

/** null: none. */
export function usePendingJobAction(jobId: string): JobAction | null {
  return useStore(useWorkbench().jobs.pendingActions, (pending) => pending.get(jobId) ?? null);
}

/** null: none. */
export function usePendingServerAction(serverId: string): ServerAction | null {
  return useStore(useWorkbench().serverCommands.pendingActions, (pending) => pending.get(serverId) ?? null);
}

/** Saved launches of model servers. */
export function useLaunches() {
  return useResource(useWorkbench().launches.list, ONLY);
}

/** Names of the keys in the key store. */
export function useSecrets() {
  return useResource(useWorkbench().secrets.list, ONLY);
}

/** What does the window's work: itself, or a service. */
export function useServiceInfo() {
  return useResource(useWorkbench().service.info, ONLY);
}

/** False while the connection to the service is cut. */
export function useServiceConnected(): boolean {
  return useStore(useWorkbench().service.isConnected);
}

export function useServers(): Loadable<readonly ServerView[]> {
  return useStore(useWorkbench().servers);
}

/** null until loaded. */
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

export function useTask(kind: TaskKind): Task | null {
  return useStore(useWorkbench().tasks.store, (tasks) => tasks.get(kind) ?? null);
}

export function useNotices() {
  return useStore(useWorkbench().notices.store);
}
