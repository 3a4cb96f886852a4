import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import type { TrainingOrder } from '../../preload/contract/training-spec';
import { NO_WISH, type ResourceWish, readWish, wishOf } from '../widgets/resource-wish';
import { readVariables, type VariableRow, variableRows } from '../widgets/variables';
import { type Checked, type Fault, missing, wrong } from './said';

/** Where a trainer of the user's own runs, and with what; numbers as they are typed. */
export type PlaceDraft = ResourceWish & {
  readonly machineId: string;
  readonly setUp: string;
  readonly environment: readonly VariableRow[];
};

export type Place = Pick<TrainingOrder, 'machineId' | 'setUp' | 'env' | 'resources'>;

export function emptyPlace(machineId: string): PlaceDraft {
  return {
    ...NO_WISH,
    gpus: '8',
    machineId,
    setUp: '',
    environment: [],
  };
}

/** As the job of an earlier training had it. */
export function placeOfJob(job: JobView): PlaceDraft {
  return {
    ...wishOf(job.resources),
    machineId: job.machineId,
    setUp: job.setUp,
    environment: variableRows(job.env ?? {}),
  };
}

export function checkPlace(draft: PlaceDraft, machine: MachineView | null): Checked<Place> {
  const faults: Fault[] = [];
  if (machine === null) faults.push(missing('machine', 'Choose a machine.'));
  const { env, faults: variables, secrets } = readVariables(draft.environment);
  faults.push(...variables.map((message) => wrong('environment', message)));
  const { resources, faults: wrongWishes } = readWish(draft, machine?.spec.kind === 'slurm');
  faults.push(...wrongWishes);
  return {
    faults,
    warnings: [
      ...secrets.map(
        (name) =>
          `${name} looks like a secret: it would lie readable in the job's folder. Let the set-up read it from a file there.`,
      ),
      ...(machine !== null && ['unreachable', 'off'].includes(machine.connection.kind)
        ? [`${machine.spec.name} is not connected; the start will try to.`]
        : []),
    ],
    value: {
      machineId: draft.machineId,
      setUp: draft.setUp.trim(),
      env,
      resources: { ...resources, gpuMemoryMib: null },
    },
  };
}
