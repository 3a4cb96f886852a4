import type { Gpu, JobResources, Reservation } from '../../../preload/contract';

/** A GPU assigned to one of our jobs. */
export type HeldGpu = {
  readonly gpuId: string;
  readonly jobName: string;
  /** Reserved MiB; null: the whole GPU. */
  readonly memoryMib: number | null;
};

/** The GPUs that a job holds. */
export function heldGpus(job: {
  readonly gpuIds: readonly string[];
  readonly name: string;
  readonly resources: Pick<JobResources, 'gpuMemoryMib'>;
}): readonly HeldGpu[] {
  const { name: jobName, resources } = job;
  return job.gpuIds.map((gpuId) => ({ gpuId, jobName, memoryMib: resources.gpuMemoryMib }));
}

export type GpuChoice =
  | { readonly kind: 'given'; readonly gpus: readonly Gpu[] }
  /** `never`: the machine cannot satisfy it, so later jobs need not wait for it. */
  | { readonly kind: 'waits'; readonly why: string; readonly never: boolean };

export type GpuSituation = {
  readonly gpus: readonly Gpu[];
  readonly reservations: readonly Reservation[];
  /** The account on the machine: its own reservations do not block it. */
  readonly user: string;
  readonly held: readonly HeldGpu[];
  /** Formats a time for display, e.g. "18:00" or "22 Nov 18:00". */
  readonly formatTime: (isoDate: string) => string;
};

/** Chooses a job's GPUs, or says why it waits. Whole GPUs before slices, healthy ones before others, then by number. */
export function chooseGpus(resources: JobResources, situation: GpuSituation): GpuChoice {
  const gpus = usable(situation.gpus);
  const requestedIds = resources.gpuIds;
  const count = requestedIds === null ? resources.gpus : requestedIds.length;
  const missing = (requestedIds ?? []).filter((id) => !gpus.some((gpu) => gpu.id === id));
  if (missing.length > 0) return waits(`The machine has no GPU ${missing.join(', ')}.`, true);
  const candidates = requestedIds === null ? gpus : gpus.filter((gpu) => requestedIds.includes(gpu.id));
  const least = resources.gpuMemoryMib;
  const large = candidates.filter((gpu) => least === null || (gpu.memoryTotalMib ?? Infinity) >= least);
  const groups = byVendor(large);
  if (!groups.some((group) => group.length >= count)) {
    const kind = least === null ? '' : ` with ${least} MiB`;
    const most = Math.max(0, ...groups.map((group) => group.length));
    return waits(`It requests ${gpuCountText(count)}${kind}, but the machine has ${most}.`, true);
  }
  // Who names a card wants it as it is.
  const heldBack = (gpu: Gpu) =>
    requestedIds === null && gpu.heldBack !== undefined ? `held back (${gpu.heldBack})` : null;
  const unavailable = new Map(
    large.map((gpu) => [gpu.id, heldBack(gpu) ?? unavailability(gpu, least, situation)]),
  );
  for (const group of groups) {
    const free = group.filter((gpu) => unavailable.get(gpu.id) === null);
    if (free.length >= count) return { kind: 'given', gpus: free.slice(0, count) };
  }
  const why = waitingReason(count, least, large, unavailable);
  const hint = large.some((gpu) => heldBack(gpu) !== null) ? `; ${HELD_BACK_HINT}` : '';
  return waits(`${why}${hint}`, false);
}

const HELD_BACK_HINT = 'a GPU that is held back is used if it is picked by name (--gpu-ids in a terminal)';

/** Whether GPUs assigned to one may be missing for the other. */
export function mayCompete(first: JobResources, second: JobResources): boolean {
  if (first.gpuIds === null || second.gpuIds === null) return true;
  return first.gpuIds.some((id) => second.gpuIds?.includes(id));
}

/**
 * Environment that restricts programs to these GPUs among `all` of the machine. CUDA accepts UUIDs, but vLLM (at least 0.7
 * to 0.20) exits if it gets them, so numbers are used, in the order of `nvidia-smi`. If a card is partitioned into slices,
 * CUDA counts differently, and only UUIDs work.
 */
export function gpuEnvironment(gpus: readonly Gpu[], all: readonly Gpu[]): Readonly<Record<string, string>> {
  if (gpus.length === 0) return {};
  const indices = gpus.map(({ index }) => index);
  const hasNumbers = !indices.includes(null) && all.every(({ sliceOf }) => sliceOf === null);
  const [numbers, ids] = [indices.join(','), gpus.map(({ id }) => id).join(',')];
  if (gpus[0]?.vendor === 'nvidia') {
    return hasNumbers
      ? { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: numbers }
      : { CUDA_VISIBLE_DEVICES: ids };
  }
  // HIP accepts only numbers, and Ray does not start if ROCR_VISIBLE_DEVICES is set.
  return hasNumbers ? { HIP_VISIBLE_DEVICES: numbers } : { ROCR_VISIBLE_DEVICES: ids };
}

/** A partitioned GPU can be used only through its slices. */
function usable(gpus: readonly Gpu[]): readonly Gpu[] {
  const cut = new Set(gpus.map(({ sliceOf }) => sliceOf));
  return gpus
    .filter(({ id }) => !cut.has(id))
    .map((gpu, order) => ({ gpu, order }))
    .sort(
      (a, b) =>
        rank(a.gpu) - rank(b.gpu) ||
        (a.gpu.index ?? Infinity) - (b.gpu.index ?? Infinity) ||
        a.order - b.order,
    )
    .map(({ gpu }) => gpu);
}

function rank(gpu: Gpu): number {
  return (gpu.problems.length > 0 ? 2 : 0) + (gpu.sliceOf === null ? 0 : 1);
}

/** A job's GPUs are all of one vendor: no program runs on both. */
function byVendor(gpus: readonly Gpu[]): ReadonlyArray<readonly Gpu[]> {
  const vendors = [...new Set(gpus.map(({ vendor }) => vendor))];
  return vendors.map((vendor) => gpus.filter((gpu) => gpu.vendor === vendor));
}

/** Why a GPU is unavailable, as the end of "1 is ..."; null: available. */
function unavailability(gpu: Gpu, leastMib: number | null, situation: GpuSituation): string | null {
  const reservation = situation.reservations.find(
    ({ gpuId, user }) => gpuId === gpu.id && user !== situation.user,
  );
  if (reservation !== undefined) {
    return `reserved by ${reservation.user} until ${situation.formatTime(reservation.until)}`;
  }
  const held = situation.held.filter(({ gpuId }) => gpuId === gpu.id);
  const exclusive = held.find(({ memoryMib }) => memoryMib === null);
  if (exclusive !== undefined) return `assigned to "${exclusive.jobName}"`;
  if (leastMib === null) {
    if (held[0] !== undefined) return `assigned to "${held[0].jobName}"`;
    const users = [...new Set(gpu.processes.map(({ user }) => user ?? 'an unknown user'))];
    return users.length === 0 ? null : `used by ${users.join(' and ')}`;
  }
  // Memory reserved for our jobs counts even before it is used, but is not counted twice.
  const reserved = held.reduce((sum, { memoryMib }) => sum + (memoryMib ?? 0), 0);
  const freeMib = (gpu.memoryTotalMib ?? Infinity) - Math.max(gpu.memoryUsedMib ?? 0, reserved);
  return freeMib >= leastMib ? null : `left with only ${Math.max(0, Math.floor(freeMib))} MiB`;
}

/** e.g. "waits for 2 free GPUs of 4: 1 is used by user1, 1 is reserved by user5 until 18:00" */
function waitingReason(
  count: number,
  leastMib: number | null,
  gpus: readonly Gpu[],
  unavailable: ReadonlyMap<string, string | null>,
): string {
  const reasons = new Map<string, number>();
  for (const gpu of gpus) {
    const reason = unavailable.get(gpu.id) ?? null;
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const counts = [...reasons].map(([reason, times]) => `${times} ${times === 1 ? 'is' : 'are'} ${reason}`);
  const kind =
    leastMib === null ? gpuCountText(count, 'free ') : `${gpuCountText(count)} with ${leastMib} MiB free`;
  return `waits for ${kind} of ${gpus.length}: ${counts.join(', ')}`;
}

function gpuCountText(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'GPU' : 'GPUs'}`;
}

function waits(why: string, never: boolean): GpuChoice {
  return { kind: 'waits', why, never };
}
