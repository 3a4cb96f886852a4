import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import type { TrainingOrder } from '../../preload/contract/training-spec';
import type { GpuWish } from '../widgets/index';
import { numberIn, wholeNumber } from '../widgets/typed-numbers';
import { readVariables, type VariableRow, variableRows } from '../widgets/variables';
import { type Checked, type Fault, missing, wrong } from './said';

/** Where a trainer of the user's own runs, and with what; numbers as they are typed. */
export type PlaceDraft = {
  readonly machineId: string;
  readonly setUp: string;
  readonly environment: readonly VariableRow[];
  /** none: as many as the training needs. */
  readonly gpuWish: GpuWish;
  readonly gpus: string;
  readonly gpuIds: readonly string[];
  /** Slurm alone; empty: as the machine's defaults say. */
  readonly hours: string;
  readonly partition: string;
  readonly account: string;
  readonly options: string;
};

export type Place = Pick<TrainingOrder, 'machineId' | 'setUp' | 'env' | 'resources'>;

export function emptyPlace(machineId: string): PlaceDraft {
  return {
    machineId,
    setUp: '',
    environment: [],
    gpuWish: 'none',
    gpus: '8',
    gpuIds: [],
    hours: '',
    partition: '',
    account: '',
    options: '',
  };
}

/** As the job of an earlier training had it. */
export function placeOfJob(job: JobView): PlaceDraft {
  const { gpus, gpuIds, minutes, partition, account, slurmOptions } = job.resources;
  return {
    machineId: job.machineId,
    setUp: job.setUp,
    environment: variableRows(job.env ?? {}),
    gpuWish: gpuIds !== null ? 'these' : gpus > 0 ? 'any' : 'none',
    gpus: String(Math.max(1, gpus)),
    gpuIds: gpuIds ?? [],
    hours: minutes === null ? '' : String(Math.round((minutes / 60) * 100) / 100),
    partition: partition ?? '',
    account: account ?? '',
    options: slurmOptions ?? '',
  };
}

export function checkPlace(draft: PlaceDraft, machine: MachineView | null): Checked<Place> {
  const faults: Fault[] = [];
  if (machine === null) faults.push(missing('machine', 'Choose a machine.'));
  const { env, faults: variables, secrets } = readVariables(draft.environment);
  faults.push(...variables.map((message) => wrong('environment', message)));
  const isSlurm = machine?.spec.kind === 'slurm';
  const picked = draft.gpuWish === 'these' && !isSlurm ? draft.gpuIds : null;
  if (picked?.length === 0) faults.push(missing('gpus', 'Pick at least one, or let them be chosen.'));
  const many = wholeNumber(draft.gpus, [1, 64]);
  if (draft.gpuWish === 'any' && !many.ok) faults.push(wrong('gpus', many.message));
  const hours = draft.hours.trim() === '' ? null : numberIn(draft.hours, [0.02, 720]);
  if (isSlurm && hours?.ok === false) faults.push(wrong('hours', 'From a minute (0.02) to 720 hours.'));
  const text = (value: string): string | null => (isSlurm && value.trim() !== '' ? value.trim() : null);
  const counted = draft.gpuWish === 'none' || !many.ok ? 0 : many.value;
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
      resources: {
        gpus: picked === null ? counted : picked.length,
        gpuIds: picked === null ? null : [...picked],
        gpuMemoryMib: null,
        minutes: isSlurm && hours?.ok === true ? Math.round(hours.value * 60) : null,
        partition: text(draft.partition),
        account: text(draft.account),
        slurmOptions: text(draft.options),
      },
    },
  };
}
