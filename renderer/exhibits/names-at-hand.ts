import { useMemo } from 'react';
import { jobHasSucceeded } from '../../preload/contract/folds/index';
import { isEvaluatedOnTheWay } from '../../preload/contract/plans/index';
import { readyValue, useStudies, useTrainings } from '../state/index';
import type { AtHandNames } from './exhibit-completion';

/** Finished studies and trainings, which may fill rows and lines of a lab's own exhibit. */
export function useNamesAtHand(): AtHandNames {
  const views = useStudies();
  const trainings = useTrainings();
  return useMemo(
    () => ({
      studies: (readyValue(views) ?? [])
        .filter(({ state }) => state.kind === 'finished')
        .map(({ study: { id, name, runs } }) => ({
          ...{ id, name },
          configurations: [...new Set(runs.map(({ configuration }) => configuration))],
        })),
      trainings: (readyValue(trainings) ?? []).filter(
        ({ state, latest, spec }) =>
          jobHasSucceeded(state) &&
          latest.some(({ part }) => part === 'evaluation') &&
          isEvaluatedOnTheWay(spec),
      ),
    }),
    [views, trainings],
  );
}
