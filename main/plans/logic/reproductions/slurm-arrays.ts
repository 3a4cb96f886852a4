import { groupedBy } from './grouped';
import type { PlannedTraining } from './trainings';

/** How many trainings each job array has: those that are run on one cluster and ask for the same start together. */
export function arraySizes(
  trainings: readonly PlannedTraining[],
  isSlurm: (machineId: string) => boolean,
): readonly number[] {
  const run = trainings.filter(
    ({ known, machineId }) => known === null && machineId !== null && isSlurm(machineId),
  );
  const alike = groupedBy(run, ({ machineId, gpus }) => `${machineId} ${gpus}`);
  return [...alike.values()].map(({ length }) => length).filter((size) => size > 1);
}
