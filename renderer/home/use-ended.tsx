import type { ReactNode } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { readyValue, stepIdsOf, useExperiments, useReproductions, useTrainings } from '../state/index';
import { trainingIsDone, trainingWasStopped } from '../text/trainings';
import { EndedExperiment, EndedReproduction, EndedStudy, EndedTraining } from './ended-lines';

/** Its line, and when it ended (ISO date). */
export type Ended = { readonly at: string; readonly line: ReactNode };

/** What ended well or was stopped, the newest first; work of a reproduction or an experiment is part of its line. */
export function useEnded(studies: readonly StudyView[]): readonly Ended[] {
  const reproductions = readyValue(useReproductions()) ?? [];
  const experiments = readyValue(useExperiments()) ?? [];
  const trainings = readyValue(useTrainings()) ?? [];
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
  ];
  return ended.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
