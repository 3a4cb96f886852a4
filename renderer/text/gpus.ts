import type { Gpu } from '../../preload/contract/gpu';
import type { MachineView } from '../../preload/contract/machine';
import { assignedText, gibText, timeText } from '../../preload/contract/plans/index';

/** "GPU 3", or the end of its id where the machine gives no number. */
export function gpuName(gpu: Pick<Gpu, 'id' | 'index' | 'sliceOf'>): string {
  if (gpu.sliceOf !== null) return `slice ${gpu.id.slice(-4)}`;
  return gpu.index === null ? `GPU …${gpu.id.slice(-4)}` : `GPU ${gpu.index}`;
}

/** "GPU 0, GPU 3" for the ids of the GPUs of a job or server. */
export function gpuNames(ids: readonly string[], machine: MachineView | null): string {
  const gpus = machine?.gpus?.gpus ?? [];
  return ids
    .map((id) => {
      const gpu = gpus.find((candidate) => candidate.id === id);
      return gpu === undefined ? `GPU …${id.slice(-4)}` : gpuName(gpu);
    })
    .join(', ');
}

/** A GPU to pick from. */
export type GpuChoice = {
  readonly id: string;
  readonly name: string;
  /** e.g. "H100 80GB HBM3" */
  readonly model: string;
  readonly freeMib: number | null;
  readonly totalMib: number | null;
  /** Share of its memory in use, in [0, 1]. */
  readonly used01: number | null;
  /** Who uses it and for whom it is reserved: "you", "user2, reserved by user3"; empty: nobody. */
  readonly holder: string;
  /** The same with the end of a reservation and its reason, or what is wrong with the GPU. */
  readonly note: string;
  readonly state: GpuState;
};

/** own: in use by this user, perhaps with others, or held by a job of theirs; reserved: not in use, and for somebody else. */
export type GpuState = 'free' | 'used' | 'own' | 'reserved' | 'unhealthy';

/** Below this a GPU without processes counts as free: the driver alone holds some hundred MiB. */
const IDLE_MIB = 1_024;

/** Something uses it, whatever it is assigned to or reserved for. */
function isInUse({ processes, memoryUsedMib }: Pick<Gpu, 'processes' | 'memoryUsedMib'>): boolean {
  return processes.length > 0 || (memoryUsedMib ?? 0) >= IDLE_MIB;
}

/** The one place that decides whether a job may have a GPU: all screens count the same ones as free. */
export function gpuState(gpu: Gpu, machine: Pick<MachineView, 'facts' | 'reservations'>): GpuState {
  const me = machine.facts?.user ?? null;
  if (gpu.problems.length > 0 || gpu.heldBack !== undefined) return 'unhealthy';
  if (isInUse(gpu)) return gpu.processes.some(({ user }) => user !== null && user === me) ? 'own' : 'used';
  if (gpu.assignedTo !== undefined) return 'own';
  const reservation = machine.reservations.find(({ gpuId }) => gpuId === gpu.id);
  return reservation === undefined || reservation.user === me ? 'free' : 'reserved';
}

/** It is split into slices, which are used instead. */
export function isSliced({ id }: Gpu, all: readonly Gpu[]): boolean {
  return all.some(({ sliceOf }) => sliceOf === id);
}

export function gpuChoices(machine: MachineView | null): readonly GpuChoice[] {
  if (machine === null) return [];
  const all = machine.gpus?.gpus ?? [];
  return all.filter((gpu) => !isSliced(gpu, all)).map((gpu) => gpuChoice(gpu, machine));
}

function gpuChoice(gpu: Gpu, machine: MachineView): GpuChoice {
  const used = gpu.memoryUsedMib;
  const total = gpu.memoryTotalMib;
  const me = machine.facts?.user ?? null;
  const users = [...new Set(gpu.processes.map(({ user }) => user ?? 'unknown user'))];
  const reservation = machine.reservations.find(({ gpuId }) => gpuId === gpu.id);
  const [first] = gpu.problems;
  const problem = gpu.heldBack === undefined ? first : `held back: ${gpu.heldBack}`;
  const state = gpuState(gpu, machine);
  const use =
    state === 'used' || state === 'own'
      ? users.map((user) => (user === me ? 'you' : user)).join(', ') || assignedText(gpu) || 'in use'
      : '';
  const reserved =
    reservation === undefined
      ? ''
      : reservation.user === me
        ? 'reserved for you'
        : `reserved by ${reservation.user}`;
  // Relative to the time of the reading: the end of a reservation later that day needs no date.
  const readAtMs = Date.parse(machine.gpus?.at ?? '');
  const detail =
    reservation === undefined
      ? ''
      : ` until ${timeText(reservation.until, readAtMs)}${reservation.note === '' ? '' : `: ${reservation.note}`}`;
  const both = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');
  return {
    id: gpu.id,
    name: gpuName(gpu),
    model: gpu.name.replace(/^(NVIDIA|AMD)\s+/, ''),
    freeMib: used === null || total === null ? null : Math.max(0, total - used),
    totalMib: total,
    used01: used === null || total === null || total === 0 ? null : Math.min(1, used / total),
    holder: state === 'unhealthy' ? 'unhealthy' : both(use, reserved),
    note: problem ?? both(use, `${reserved}${detail}`),
    state,
  };
}

/** "74.2 of 79.6 GiB free". */
function freeMemoryText(choice: GpuChoice): string {
  if (choice.freeMib === null || choice.totalMib === null) return 'memory unknown';
  return `${gibText(choice.freeMib)} of ${gibText(choice.totalMib)} GiB free`;
}

/** The GPUs of a machine as tiles to pick from: model, free memory, users. */
export function gpuTiles(machine: MachineView | null) {
  return gpuChoices(machine).map((choice) => ({
    id: choice.id,
    label: choice.name,
    detail: freeMemoryText(choice),
    title: [choice.model, choice.note].filter((part) => part !== '').join(': '),
    used01: choice.used01,
    note: choice.note,
    tone:
      choice.state === 'unhealthy'
        ? ('unhealthy' as const)
        : choice.state === 'free'
          ? ('free' as const)
          : ('used' as const),
  }));
}

/** It was asked and has none. Not a cluster, whose login node says nothing about its other nodes. */
export function hasNoGpus(machine: MachineView | null): boolean {
  if (machine === null || machine.facts === null || machine.spec.kind === 'slurm') return false;
  const { gpus } = machine;
  return gpus === null || (gpus.gpus.length === 0 && gpus.problems.length === 0);
}

/** Who holds the GPUs of a machine, most GPUs first: "you × 2 · user2 · reserved by user3"; empty: nobody. */
export function gpuHolders(machine: MachineView): string {
  const gpusByOwner = new Map<string, number>();
  for (const { holder } of gpuChoices(machine)) {
    if (holder === '') continue;
    gpusByOwner.set(holder, (gpusByOwner.get(holder) ?? 0) + 1);
  }
  return [...gpusByOwner]
    .sort(([, one], [, other]) => other - one)
    .map(([holder, gpus]) => (gpus === 1 ? holder : `${holder} × ${gpus}`))
    .join(' · ');
}
