import { isPartOfServerOrTraining, jobHasEnded } from '../../preload/contract/folds/job-end';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { StudyView } from '../../preload/contract/study';
import { reproductionIsActive } from '../text/exhibits';
import { serverIsUp } from '../text/servers';
import { isActive, needsAttention } from '../text/studies';
import { trainingIsActive } from '../text/trainings';
import { useReproductions } from './exhibit-hooks';
import { useJobs, useServers, useStudies } from './hooks';
import { readyValue } from './loadable';
import { useExperiments, useTrainings } from './training-hooks';

/** Ids of the studies and trainings that these reproductions run, so that lists can leave them out. */
export function stepIdsOf(reproductions: readonly Pick<ReproductionView, 'steps'>[]): {
  readonly studies: ReadonlySet<string>;
  readonly trainings: ReadonlySet<string>;
} {
  const steps = reproductions.flatMap((reproduction) => reproduction.steps);
  return {
    studies: new Set(steps.flatMap(({ studyId }) => studyId ?? [])),
    trainings: new Set(steps.flatMap(({ trainingId }) => trainingId ?? [])),
  };
}

/**
 * Studies that stand still until a person does something. A running reproduction continues by itself with one that was
 * interrupted.
 */
export function waitingStudies(
  studies: readonly StudyView[],
  reproductions: readonly ReproductionView[],
): readonly StudyView[] {
  const parts = stepIdsOf(reproductions.filter(reproductionIsActive));
  return studies.filter(
    (view) =>
      needsAttention(view) && !(view.state.kind === 'interrupted' && parts.studies.has(view.study.id)),
  );
}

/** What `useActivity` gives. */
export type Activity = ReturnType<typeof useActivity>;

/** Everything that is running, each once: work of an experiment or a reproduction is listed with it. */
export function useActivity() {
  const experiments = (readyValue(useExperiments()) ?? []).filter(({ state }) => state.kind === 'running');
  const reproductions = (readyValue(useReproductions()) ?? []).filter(reproductionIsActive);
  const parts = stepIdsOf(reproductions);
  return {
    reproductions,
    studies: (readyValue(useStudies()) ?? []).filter(
      ({ study, state }) => isActive(state) && !parts.studies.has(study.id),
    ),
    experiments,
    trainings: (readyValue(useTrainings()) ?? []).filter(
      (training) =>
        trainingIsActive(training) &&
        (training.alarms.length > 0 ||
          (!parts.trainings.has(training.id) && !experiments.some(({ id }) => id === training.experimentId))),
    ),
    servers: (readyValue(useServers()) ?? []).filter(({ state }) => serverIsUp(state)),
    jobs: (readyValue(useJobs()) ?? []).filter(
      (job) => !jobHasEnded(job.state) && !isPartOfServerOrTraining(job),
    ),
  };
}

/** How much is running, for the sidebar; servers that are merely up do not count. */
export function useActivityCount(): number {
  const { reproductions, studies, experiments, trainings, jobs } = useActivity();
  return [...reproductions, ...studies, ...experiments, ...trainings, ...jobs].length;
}
