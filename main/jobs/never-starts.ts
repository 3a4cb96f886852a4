import {
  type Gpu,
  type JobResources,
  jobHasEnded,
  jobResourcesSchema,
  type Refusal,
  type Reservation,
  timeText,
} from '../../preload/contract';
import { type AsyncResult, type Machine, nameInSentence } from '../machines';
import type { JobService } from './job-api';
import { chooseGpus, type GpuChoice, heldGpus } from './logic/choose-gpus';

/** A machine's GPUs, from which jobs get theirs. */
export type GpuAvailability = {
  readonly gpus: readonly Gpu[];
  readonly reservations: readonly Reservation[];
  /** The account on the machine. */
  readonly user: string;
  /** Could every card be read? Left out: yes. */
  readonly isComplete?: boolean;
};

/** The GPUs that a job would get if it started on the machine now, beside those that hold GPUs there. */
export function chooseGpusNow(
  resources: Parameters<typeof jobResourcesSchema.parse>[0],
  machineId: string,
  available: GpuAvailability,
  jobs: Pick<JobService, 'views'>,
): GpuChoice {
  const held = jobs
    .views()
    .filter((job) => job.machineId === machineId && job.state.kind !== 'queued' && !jobHasEnded(job.state))
    .flatMap(heldGpus);
  return chooseGpus(jobResourcesSchema.parse(resources), { ...available, held, formatTime: timeText });
}

/**
 * Why what asks for these GPUs can never start on its machine; null: it can, or not all GPUs could be read. `what`: "This
 * job"; `hint`: what to do.
 */
export async function neverStartsReason(
  requested: { readonly gpus: number; readonly gpuIds: readonly string[] | null } & Partial<
    Omit<JobResources, 'gpus' | 'gpuIds'>
  >,
  machine: Machine,
  read: (machineId: string) => AsyncResult<GpuAvailability>,
  { what, hint }: { readonly what: string; readonly hint: string },
): Promise<Refusal | null> {
  // Slurm chooses among GPUs that its login node does not have.
  if ((requested.gpus === 0 && requested.gpuIds === null) || machine.spec.kind === 'slurm') return null;
  const available = await read(machine.id);
  if (!available.ok || available.value.isComplete === false) return null;
  const resources = jobResourcesSchema.parse(requested);
  const choice = chooseGpus(resources, { ...available.value, held: [], formatTime: timeText });
  if (choice.kind === 'given' || !choice.never) return null;
  return {
    code: 'unavailable',
    message: `${what} can never start on ${nameInSentence(machine.spec)}. ${choice.why}`,
    hint,
  };
}
