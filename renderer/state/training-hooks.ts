import { useStore } from 'zustand';
import type { ExperimentResult, ExperimentView } from '../../preload/contract/experiment';
import type { GpuCurves } from '../../preload/contract/gpu';
import { trainingUsers } from '../../preload/contract/plans/index';
import type { Recipe } from '../../preload/contract/recipe';
import type {
  Rollout,
  TrainingCheckpoint,
  TrainingCurve,
  TrainingView,
} from '../../preload/contract/training';
import type { TrainingEvaluationView } from '../../preload/contract/training-evaluation';
import type { TrainingSweep } from '../../preload/contract/training-sweep';
import type { ExperimentAction } from './experiments';
import { useLaunches, useResource, useResources, useSampled, useStudies, useWorkbench } from './hooks';
import { type Loadable, readyValue } from './loadable';
import { ONLY } from './resources';
import { type RolloutsQuery, rolloutsKey } from './training-resources';
import type { TrainingAction } from './trainings';

/** Newest first. */
export function useTrainings(): Loadable<readonly TrainingView[]> {
  return useStore(useWorkbench().trainings.store);
}

/** ready with null: it does not exist. */
export function useTraining(trainingId: string | null): Loadable<TrainingView | null> {
  const trainings = useTrainings();
  if (trainings.kind !== 'ready') return trainings;
  return { kind: 'ready', value: trainings.value.find(({ id }) => id === trainingId) ?? null };
}

/** null: none. */
export function usePendingTrainingAction(trainingId: string): TrainingAction | null {
  return useStore(useWorkbench().trainings.pendingActions, (pending) => pending.get(trainingId) ?? null);
}

/** Curves of trainings, in their order, kept current while they run; the same array while none has changed. */
export function useCurvesOfMany(ids: readonly string[]): readonly Loadable<TrainingCurve[]>[] {
  return useResources(useWorkbench().trainingResources.curves, ids);
}

/** What the GPUs of its job did, on the axis of its curves. */
export function useTrainingGpus(trainingId: string, isLive: boolean): Loadable<GpuCurves> {
  return useSampled(useWorkbench().trainingResources.gpus, trainingId, isLive);
}

/** Curves thinned for sparklines. */
export function useTrainingSparks(trainingId: string | null): Loadable<TrainingCurve[]> {
  return useResource(useWorkbench().trainingResources.sparks, trainingId);
}

export function useCheckpoints(trainingId: string | null): Loadable<TrainingCheckpoint[]> {
  return useResource(useWorkbench().trainingResources.checkpoints, trainingId);
}

export function useRollouts(query: RolloutsQuery | null): Loadable<Rollout[]> {
  return useResource(useWorkbench().trainingResources.rollouts, query === null ? null : rolloutsKey(query));
}

/** The trainer's own evaluation; ready with null: none yet. */
export function useTrainingEvaluation(trainingId: string | null): Loadable<TrainingEvaluationView | null> {
  return useResource(useWorkbench().trainingResources.evaluations, trainingId);
}

/** The sweep by a foreign trainer that it is part of; ready with null: of none. */
export function useTrainingSweep(trainingId: string | null): Loadable<TrainingSweep | null> {
  return useResource(useWorkbench().trainingResources.sweeps, trainingId);
}

/** Newest first. */
export function useExperiments(): Loadable<readonly ExperimentView[]> {
  return useStore(useWorkbench().experiments.store);
}

/** ready with null: it does not exist. */
export function useExperiment(experimentId: string | null): Loadable<ExperimentView | null> {
  const experiments = useExperiments();
  if (experiments.kind !== 'ready') return experiments;
  return { kind: 'ready', value: experiments.value.find(({ id }) => id === experimentId) ?? null };
}

/** null: none. */
export function usePendingExperimentAction(experimentId: string): ExperimentAction | null {
  return useStore(useWorkbench().experiments.pendingActions, (pending) => pending.get(experimentId) ?? null);
}

/** Results of the finished trainings; updated while others run. */
export function useExperimentResult(experimentId: string | null): Loadable<ExperimentResult> {
  return useResource(useWorkbench().trainingResources.results, experimentId);
}

/** Trainers that are not built in, and problems of invalid recipe files. */
export function useRecipes(): Loadable<{ recipes: Recipe[]; problems: string[] }> {
  return useResource(useWorkbench().recipes, ONLY);
}

/** The tabs of the two lists. */
export function useTrainingTabs() {
  const trainings = readyValue(useTrainings())?.length ?? 0;
  const experiments = readyValue(useExperiments())?.length ?? 0;
  return [
    { id: 'trainings', label: 'Trainings', href: '#/training', number: trainings },
    { id: 'experiments', label: 'Experiments', href: '#/experiments', number: experiments },
  ] as const;
}

/** What else uses a training, by its id; what is not loaded yet is left out. */
export function useTrainingUsers(): (trainingId: string) => readonly string[] {
  const experiments = readyValue(useExperiments()) ?? [];
  const studies = readyValue(useStudies()) ?? [];
  const launches = readyValue(useLaunches()) ?? [];
  return (trainingId) => trainingUsers(trainingId, { experiments, studies, launches });
}
