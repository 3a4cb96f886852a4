import { useDeferredValue, useMemo } from 'react';
import type { TrainingCurve, TrainingView } from '../../preload/contract/training';
import {
  LOADING,
  type Loadable,
  readyValue,
  useCurvesOfMany,
  useExperiments,
  useJobs,
  useTrainings,
} from '../state/index';
import { withoutSinglePoints } from './curve-panels';
import { gpusOf, type Member, membersOf } from './members';

/** This training and the others selected, ready to draw; `own`: this training's curves as loaded. */
export function useMembers(
  training: TrainingView,
  others: readonly string[],
): { readonly own: Loadable<TrainingCurve[]>; readonly members: readonly Member[] } {
  const all = readyValue(useTrainings()) ?? [];
  const jobs = readyValue(useJobs()) ?? [];
  const experiments = readyValue(useExperiments()) ?? [];
  const chosen = [training, ...all.filter(({ id }) => id !== training.id && others.includes(id))];
  const curves = useCurvesOfMany(chosen.map(({ id }) => id));
  const facts = chosen.map((view) => ({
    gpus: gpusOf(view, jobs),
    row:
      experiments
        .find(({ id }) => id === view.experimentId)
        ?.trainings.find(({ trainingId }) => trainingId === view.id)?.label ?? null,
  }));
  // A training's view changes with every step, but not what the charts use besides its curves.
  const memberKey = JSON.stringify([
    chosen.map(({ id, name, title, agents }) => [id, name, title, agents]),
    facts,
  ]);
  const members = useMemo(
    () =>
      withoutSinglePoints(
        membersOf(
          chosen.map((view, at) => ({
            training: view,
            gpus: facts[at]?.gpus ?? 0,
            row: facts[at]?.row ?? null,
            curves: readyValue(curves[at] ?? LOADING) ?? [],
          })),
        ),
      ),
    [memberKey, curves],
  );
  // Drawing many long curves takes a while: let user input go first.
  return { own: curves[0] ?? LOADING, members: useDeferredValue(members) };
}
