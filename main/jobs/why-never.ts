import {
  type Gpu,
  type JobResources,
  jobResourcesSchema,
  type Refusal,
  type Reservation,
} from '../../preload/contract';
import { type AsyncResult, type Machine, nameInSentence } from '../machines';
import { chooseGpus } from './logic/choose-gpus';

/** A machine's GPUs, from which jobs get theirs. */
export type GpuAvailability = {
  readonly gpus: readonly Gpu[];
  readonly reservations: readonly Reservation[];
  /** The account on the machine. */
  readonly user: string;
  /** Could every card be read? Left out: yes. */
  readonly isComplete?: boolean;
};

/**
 * Why what asks for these GPUs can never start on its machine; null: it can, or not all GPUs could be read. `what`: "This
 * job"; `hint`: what to do.
 */
export async function whyNever(
  wanted: { readonly gpus: number; readonly gpuIds: readonly string[] | null } & Partial<
    Omit<JobResources, 'gpus' | 'gpuIds'>
  >,
  machine: Machine,
  read: (machineId: string) => AsyncResult<GpuAvailability>,
  { what, hint }: { readonly what: string; readonly hint: string },
): Promise<Refusal | null> {
  // Slurm chooses among GPUs that its login node does not have.
  if ((wanted.gpus === 0 && wanted.gpuIds === null) || machine.spec.kind === 'slurm') return null;
  const available = await read(machine.id);
  if (!available.ok || available.value.isComplete === false) return null;
  const resources = jobResourcesSchema.parse(wanted);
  const choice = chooseGpus(resources, { ...available.value, held: [], formatTime: (isoDate) => isoDate });
  if (choice.kind === 'given' || !choice.never) return null;
  return {
    code: 'unavailable',
    message: `${what} can never start on ${nameInSentence(machine.spec)}. ${choice.why}`,
    hint,
  };
}
