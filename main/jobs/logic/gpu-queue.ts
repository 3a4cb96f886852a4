import type { Gpu, JobResources, Reservation } from '../../../preload/contract';

/** What a job of ours was given and has not given back. */
export type HeldGpu = {
  readonly gpuId: string;
  readonly jobName: string;
  /** MiB promised; null: the whole GPU. */
  readonly memoryMib: number | null;
};

export type Choice =
  | { readonly kind: 'given'; readonly gpus: readonly Gpu[] }
  /** `never`: the machine as it is can not satisfy it, so nobody has to wait behind it. */
  | { readonly kind: 'waits'; readonly why: string; readonly never: boolean };

export type GpuSurroundings = {
  readonly gpus: readonly Gpu[];
  readonly reservations: readonly Reservation[];
  /** The account on the machine: its own reservations do not keep it out. */
  readonly user: string;
  readonly held: readonly HeldGpu[];
  /** "18:00" or "22 Nov 18:00": how a time is told to people. */
  readonly timeWords: (isoDate: string) => string;
};

/** Which GPUs a job gets now, or why it waits. Whole GPUs before slices, healthy ones before others, then by number. */
export function chooseGpus(asked: JobResources, around: GpuSurroundings): Choice {
  const gpus = usable(around.gpus);
  const wanted = asked.gpuIds;
  const count = wanted === null ? asked.gpus : wanted.length;
  const missing = (wanted ?? []).filter((id) => !gpus.some((gpu) => gpu.id === id));
  if (missing.length > 0) return waits(`The machine has no GPU ${missing.join(', ')}.`, true);
  const candidates = wanted === null ? gpus : gpus.filter((gpu) => wanted.includes(gpu.id));
  const least = asked.gpuMemoryMib;
  const large = candidates.filter((gpu) => least === null || (gpu.memoryTotalMib ?? Infinity) >= least);
  const groups = byVendor(large);
  if (!groups.some((group) => group.length >= count)) {
    const kind = least === null ? '' : ` with ${least} MiB`;
    const most = Math.max(0, ...groups.map((group) => group.length));
    return waits(`It asks for ${gpuWords(count)}${kind}, and the machine has ${most}.`, true);
  }
  const obstacles = new Map(large.map((gpu) => [gpu.id, obstacleOf(gpu, least, around)]));
  for (const group of groups) {
    const free = group.filter((gpu) => obstacles.get(gpu.id) === null);
    if (free.length >= count) return { kind: 'given', gpus: free.slice(0, count) };
  }
  return waits(waitingWords(count, least, large, obstacles), false);
}

/** True when giving GPUs to one may keep them from the other. */
export function mayCompete(one: JobResources, other: JobResources): boolean {
  if (one.gpuIds === null || other.gpuIds === null) return true;
  return one.gpuIds.some((id) => other.gpuIds?.includes(id));
}

/**
 * What makes the programs of each vendor see these GPUs alone, among `all` of the machine. CUDA takes UUIDs, but vLLM
 * (0.7 to 0.20 at least) ends at once where it is given them: numbers, in the order that `nvidia-smi` counts in. Where
 * a card is cut into slices CUDA counts otherwise, and UUIDs are all there is.
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
  // HIP takes numbers alone, and Ray refuses to start where ROCR_VISIBLE_DEVICES is set.
  return hasNumbers ? { HIP_VISIBLE_DEVICES: numbers } : { ROCR_VISIBLE_DEVICES: ids };
}

/** A GPU that is cut into slices is used by them alone. */
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
  return (gpu.troubles.length > 0 ? 2 : 0) + (gpu.sliceOf === null ? 0 : 1);
}

/** One job's GPUs are of one vendor: no program runs on both. */
function byVendor(gpus: readonly Gpu[]): ReadonlyArray<readonly Gpu[]> {
  const vendors = [...new Set(gpus.map(({ vendor }) => vendor))];
  return vendors.map((vendor) => gpus.filter((gpu) => gpu.vendor === vendor));
}

/** Why a GPU is not to be had, as the end of "1 is ..."; null when it is. */
function obstacleOf(gpu: Gpu, leastMib: number | null, around: GpuSurroundings): string | null {
  const reservation = around.reservations.find(({ gpuId, user }) => gpuId === gpu.id && user !== around.user);
  if (reservation !== undefined) {
    return `reserved by ${reservation.user} until ${around.timeWords(reservation.until)}`;
  }
  const held = around.held.filter(({ gpuId }) => gpuId === gpu.id);
  const whole = held.find(({ memoryMib }) => memoryMib === null);
  if (whole !== undefined) return `given to "${whole.jobName}"`;
  if (leastMib === null) {
    if (held[0] !== undefined) return `given to "${held[0].jobName}"`;
    const users = [...new Set(gpu.processes.map(({ user }) => user ?? 'somebody'))];
    return users.length === 0 ? null : `used by ${users.join(' and ')}`;
  }
  // What was promised to a job of ours counts before it is taken; what is taken of it does not count twice.
  const promised = held.reduce((sum, { memoryMib }) => sum + (memoryMib ?? 0), 0);
  const freeMib = (gpu.memoryTotalMib ?? Infinity) - Math.max(gpu.memoryUsedMib ?? 0, promised);
  return freeMib >= leastMib ? null : `left with ${Math.max(0, Math.floor(freeMib))} MiB`;
}

/** e.g. "waits for 2 free GPUs of 4: 1 is used by user1, 1 is reserved by user5 until 18:00" */
function waitingWords(
  count: number,
  leastMib: number | null,
  gpus: readonly Gpu[],
  obstacles: ReadonlyMap<string, string | null>,
): string {
  const reasons = new Map<string, number>();
  for (const gpu of gpus) {
    const obstacle = obstacles.get(gpu.id) ?? null;
    if (obstacle !== null) reasons.set(obstacle, (reasons.get(obstacle) ?? 0) + 1);
  }
  const words = [...reasons].map(([reason, times]) => `${times} ${times === 1 ? 'is' : 'are'} ${reason}`);
  const kind = leastMib === null ? gpuWords(count, 'free ') : `${gpuWords(count)} with ${leastMib} MiB free`;
  return `waits for ${kind} of ${gpus.length}: ${words.join(', ')}`;
}

function gpuWords(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'GPU' : 'GPUs'}`;
}

function waits(why: string, never: boolean): Choice {
  return { kind: 'waits', why, never };
}
