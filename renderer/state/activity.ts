import { jobHasEnded } from '../../preload/contract/folds/job-end';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { reproductionIsActive } from '../text/exhibits';
import { isActive, needsAttention } from '../text/studies';
import { trainingIsActive } from '../text/trainings';
import { useReproductions } from './exhibit-hooks';
import { useJobs, useServers, useStudies } from './hooks';
import { readyValue } from './loadable';
import { useExperiments, useTrainings } from './training-hooks';

/** What trainings and servers are as jobs is shown as trainings and servers. */
const SHOWN_ELSEWHERE: readonly string[] = ['training', 'model-server'];

/** Ids of studies and trainings that are parts of these reproductions: where those stand, these need not. */
export function stepIdsOf(reproductions: readonly Pick<ReproductionView, 'steps'>[]): {
  readonly studies: ReadonlySet<string>;
  readonly trainings: ReadonlySet<string>;
} {
  const steps = reproductions.flatMap((one) => one.steps);
  return {
    studies: new Set(steps.flatMap(({ studyId }) => studyId ?? [])),
    trainings: new Set(steps.flatMap(({ trainingId }) => trainingId ?? [])),
  };
}

/** All that goes on now, each once: what an experiment or a reproduction does stands with it. */
export function useActivity() {
  const experiments = (readyValue(useExperiments()) ?? []).filter(({ state }) => state.kind === 'running');
  const all = readyValue(useReproductions()) ?? [];
  const parts = stepIdsOf(all.filter(reproductionIsActive));
  return {
    reproductions: all.filter((view) => reproductionIsActive(view) || view.state.kind === 'failed'),
    studies: (readyValue(useStudies()) ?? []).filter(
      (view) => needsAttention(view) || (isActive(view.state) && !parts.studies.has(view.study.id)),
    ),
    experiments,
    trainings: (readyValue(useTrainings()) ?? []).filter(
      (one) =>
        trainingIsActive(one) &&
        (one.alarms.length > 0 ||
          (!parts.trainings.has(one.id) && !experiments.some(({ id }) => id === one.experimentId))),
    ),
    servers: (readyValue(useServers()) ?? []).filter(
      ({ state }) => state.kind === 'starting' || state.kind === 'ready',
    ),
    jobs: (readyValue(useJobs()) ?? []).filter(
      (job) => !jobHasEnded(job.state) && !SHOWN_ELSEWHERE.includes(job.purpose),
    ),
  };
}

/** How many things go on, for the rail; servers that are merely up do not count. */
export function useActivityCount(): number {
  const { reproductions, studies, experiments, trainings, jobs } = useActivity();
  const atWork = [...experiments, ...trainings, ...jobs].length;
  return (
    atWork +
    reproductions.filter(reproductionIsActive).length +
    studies.filter(({ state }) => isActive(state)).length
  );
}
