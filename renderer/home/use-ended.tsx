import type { ReactNode } from 'react';
import type { JobView } from '../../preload/contract/job';
import type { StudyView } from '../../preload/contract/study';
import {
  isPartOfServerOrTraining,
  readyValue,
  stepIdsOf,
  useExperiments,
  useJobs,
  useMachines,
  useReproductions,
  useTrainings,
} from '../state/index';
import { trainingIsDone, trainingWasStopped } from '../text/trainings';
import { EndedExperiment, EndedJob, EndedReproduction, EndedStudy, EndedTraining } from './ended-lines';

/** Jobs are many: older ones stand in their own list. */
const JOB_DAYS = 7;

/** Its line, and when it ended (ISO date). */
export type Ended = { readonly at: string; readonly line: ReactNode };

/** The user's own, of the last days. */
export function isRecentJob(job: JobView): boolean {
  const at = Date.parse(job.endedAt ?? job.createdAt);
  return !isPartOfServerOrTraining(job) && Date.now() - at < JOB_DAYS * 86_400_000;
}

/** What ended well or was stopped, the newest first; work of a reproduction or an experiment is part of its line. */
export function useEnded(studies: readonly StudyView[]): readonly Ended[] {
  const reproductions = readyValue(useReproductions()) ?? [];
  const experiments = readyValue(useExperiments()) ?? [];
  const trainings = readyValue(useTrainings()) ?? [];
  const jobs = readyValue(useJobs()) ?? [];
  const machines = readyValue(useMachines()) ?? [];
  const machineName = (id: string): string => machines.find(({ spec }) => spec.id === id)?.spec.name ?? id;
  const parts = stepIdsOf(reproductions);
  const ended: Ended[] = [
    ...studies
      .filter(
        ({ study, state: { kind } }) =>
          !parts.studies.has(study.id) && (kind === 'finished' || kind === 'cancelled'),
      )
      .map((view) => ({
        at: view.finishedAt ?? view.study.createdAt,
        line: <EndedStudy key={view.study.id} view={view} />,
      })),
    ...reproductions
      .filter(({ state }) => state.kind === 'done')
      .map((view) => ({
        at: view.endedAt ?? view.createdAt,
        line: <EndedReproduction key={view.id} view={view} />,
      })),
    ...experiments
      .filter(({ state }) => state.kind === 'done')
      .map((experiment) => ({
        at: experiment.endedAt ?? experiment.createdAt,
        line: <EndedExperiment key={experiment.id} experiment={experiment} />,
      })),
    ...trainings
      .filter(
        (training) =>
          (trainingIsDone(training) || trainingWasStopped(training)) &&
          training.experimentId === null &&
          !parts.trainings.has(training.id),
      )
      .map((training) => ({
        at: training.endedAt ?? training.createdAt,
        line: <EndedTraining key={training.id} training={training} />,
      })),
    ...jobs
      .filter((job) => isRecentJob(job) && job.state.kind === 'exited' && job.state.code === 0)
      .map((job) => ({
        at: job.endedAt ?? job.createdAt,
        line: <EndedJob key={job.id} job={job} machine={machineName(job.machineId)} />,
      })),
  ];
  return ended.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
