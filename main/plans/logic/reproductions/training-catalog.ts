import type { Exhibit } from '../../../../preload/contract';
import type { DemandedPart } from './demand';
import { groupKey, type TrainingGroup, trainingGroups } from './models';
import { type PlanContext, type PlannedTraining, plannedTraining } from './trainings';

export type TrainingCatalog = {
  /** Returns the same training for the same group and seed. */
  readonly of: (group: TrainingGroup, seed: number) => PlannedTraining;
  /** For a learning curve, one training per seed; none for other parts. */
  readonly ofCurve: (key: string) => readonly PlannedTraining[];
  /** All that were requested so far, and those of curves; seed by seed. */
  readonly all: () => readonly PlannedTraining[];
};

export function createTrainingCatalog(
  parts: readonly DemandedPart[],
  seeds: readonly number[],
  context: PlanContext,
): TrainingCatalog {
  const { exhibit } = context;
  const curves = new Map(
    parts.filter(({ from }) => from === 'learning').map((part) => [part.key, groupsOfCurve(exhibit, part)]),
  );
  const watched = new Set([...curves.values()].flat().map(groupKey));
  const planned = new Map<string, PlannedTraining>();
  const of: TrainingCatalog['of'] = (group, seed) => {
    const key = `${groupKey(group)}:${seed}`;
    const training = planned.get(key) ?? plannedTraining(group, seed, watched.has(groupKey(group)), context);
    planned.set(key, training);
    return training;
  };
  const ofCurve: TrainingCatalog['ofCurve'] = (key) =>
    seeds.flatMap((seed) => (curves.get(key) ?? []).map((group) => of(group, seed)));
  return {
    of,
    ofCurve,
    all: () => {
      for (const key of curves.keys()) ofCurve(key);
      return [...planned.values()].toSorted((a, b) => seeds.indexOf(a.seed) - seeds.indexOf(b.seed));
    },
  };
}

/** The training of the model whose curve it is. */
function groupsOfCurve(exhibit: Exhibit, { configuration, model }: DemandedPart): readonly TrainingGroup[] {
  return trainingGroups(exhibit, configuration).filter(({ models }) => models.some(({ id }) => id === model));
}
