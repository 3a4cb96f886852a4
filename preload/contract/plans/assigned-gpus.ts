import type { JobView } from '../job';
import type { MachineView } from '../machine';

/**
 * The machine with the names of our jobs at the GPUs that these hold: a job shows in the driver's tool only from its first use
 * of the GPU, which may be minutes after its start.
 */
export function withAssignedGpus(machine: MachineView, jobs: readonly JobView[]): MachineView {
  if (machine.gpus === null) return machine;
  const holding = jobs.filter((job) => job.machineId === machine.spec.id && holdsGpus(job));
  if (holding.length === 0) return machine;
  const gpus = machine.gpus.gpus.map((gpu) => {
    const assignedTo = holding.filter(({ gpuIds }) => gpuIds.includes(gpu.id)).map(({ name }) => name);
    return assignedTo.length === 0 ? gpu : { ...gpu, assignedTo };
  });
  return { ...machine, gpus: { ...machine.gpus, gpus } };
}

/** "k1 (assigned)"; empty where no job of ours holds it. */
export function assignedText({
  assignedTo = [],
}: {
  readonly assignedTo?: readonly string[] | undefined;
}): string {
  return assignedTo.map((name) => `${name} (assigned)`).join(', ');
}

export function holdsGpus({ gpuIds, state }: JobView): boolean {
  const kind = state.kind === 'unknown' ? state.last : state.kind;
  return gpuIds.length > 0 && (kind === 'starting' || kind === 'running');
}
