import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import {
  DEFAULT_RESOURCES,
  type ResourceFields,
  readResources,
  resourceFieldsOf,
} from '../shared/machines/resource-fields';
import { readVariables, type VariableRow, variableRows } from '../widgets/variables';
import { type Checked, type FieldError, missing, wrong } from './form-errors';

/** Where a trainer of the user's own runs, and with what; numbers as they are typed. */
export type MachineDraft = ResourceFields & {
  readonly machineId: string;
  readonly setUp: string;
  readonly environment: readonly VariableRow[];
};

export type MachineSettings = Pick<TrainingRequest, 'machineId' | 'setUp' | 'env' | 'resources'>;

export function emptyMachineDraft(machineId: string): MachineDraft {
  return {
    ...DEFAULT_RESOURCES,
    gpus: '8',
    machineId,
    setUp: '',
    environment: [],
  };
}

/** As the job of an earlier training had it. */
export function machineDraftOfJob(job: JobView): MachineDraft {
  return {
    ...resourceFieldsOf(job.resources),
    machineId: job.machineId,
    setUp: job.setUp,
    environment: variableRows(job.env ?? {}),
  };
}

export function checkMachine(draft: MachineDraft, machine: MachineView | null): Checked<MachineSettings> {
  const errors: FieldError[] = [];
  if (machine === null) errors.push(missing('machine', 'Choose a machine.'));
  const { env, errors: variables, secrets } = readVariables(draft.environment);
  errors.push(...variables.map((message) => wrong('environment', message)));
  const { resources, errors: wrongWishes } = readResources(draft, machine?.spec.kind === 'slurm');
  errors.push(...wrongWishes);
  return {
    errors: errors,
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
