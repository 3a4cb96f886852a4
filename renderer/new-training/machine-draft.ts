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

/** Machine, resources and environment of a MARTI or recipe training; numbers as entered. */
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

/** The settings of an earlier training's job. */
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
  const { resources, errors: resourceErrors } = readResources(draft, machine?.spec.kind === 'slurm');
  errors.push(...resourceErrors);
  return {
    errors: errors,
    warnings: [
      ...secrets.map(
        (name) =>
          `${name} looks like a secret, and the job's folder would contain it in plain text. Read it from a file in the set-up instead.`,
      ),
      ...(machine !== null && ['unreachable', 'off'].includes(machine.connection.kind)
        ? [`${machine.spec.name} is not connected; starting the training connects to it first.`]
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
