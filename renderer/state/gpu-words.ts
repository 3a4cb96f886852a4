import type { Gpu } from '../../preload/contract/gpu';
import type { MachineView, Reservation } from '../../preload/contract/machine';

/** "GPU 3", or the end of its id where the machine gives no number. */
export function gpuName(gpu: Pick<Gpu, 'id' | 'index' | 'sliceOf'>): string {
  if (gpu.sliceOf !== null) return `slice ${gpu.id.slice(-4)}`;
  return gpu.index === null ? `GPU …${gpu.id.slice(-4)}` : `GPU ${gpu.index}`;
}

/** "GPU 0, GPU 3" of the ids that a job or server was given. */
export function gpuNames(ids: readonly string[], machine: MachineView | null): string {
  const known = machine?.gpus?.gpus ?? [];
  return ids
    .map((id) => {
      const gpu = known.find((one) => one.id === id);
      return gpu === undefined ? `GPU …${id.slice(-4)}` : gpuName(gpu);
    })
    .join(', ');
}

/** A GPU as something to pick. */
export type GpuChoice = {
  readonly id: string;
  readonly name: string;
  /** e.g. "H100 80GB HBM3" */
  readonly model: string;
  readonly freeMib: number | null;
  readonly totalMib: number | null;
  /** Share of its memory that is taken, in [0, 1]. */
  readonly taken: number | null;
  /** Who uses it or has asked for it; empty: nobody. */
  readonly note: string;
  readonly state: 'free' | 'used' | 'asked-for' | 'ill';
};

/** Below this a GPU counts as free: a driver holds some hundred MiB by itself. */
const IDLE_MIB = 1_024;

export function gpuChoices(machine: MachineView | null): readonly GpuChoice[] {
  return (machine?.gpus?.gpus ?? []).map((gpu) => gpuChoice(gpu, machine?.reservations ?? [], machine));
}

function gpuChoice(gpu: Gpu, reservations: readonly Reservation[], machine: MachineView | null): GpuChoice {
  const used = gpu.memoryUsedMib;
  const total = gpu.memoryTotalMib;
  const own = machine?.facts?.user ?? null;
  const users = [...new Set(gpu.processes.flatMap(({ user }) => (user === null ? [] : [user])))];
  const reservation = reservations.find(({ gpuId, user }) => gpuId === gpu.id && user !== own);
  const [trouble] = gpu.troubles;
  const state =
    trouble !== undefined
      ? 'ill'
      : gpu.processes.length > 0 || (used ?? 0) >= IDLE_MIB
        ? 'used'
        : reservation !== undefined
          ? 'asked-for'
          : 'free';
  const note =
    trouble ??
    (state === 'used'
      ? users.map((user) => (user === own ? 'you' : user)).join(', ') || 'in use'
      : reservation === undefined
        ? ''
        : `${reservation.user} asks to leave it${reservation.note === '' ? '' : `: ${reservation.note}`}`);
  return {
    id: gpu.id,
    name: gpuName(gpu),
    model: gpu.name.replace(/^(NVIDIA|AMD)\s+/, ''),
    freeMib: used === null || total === null ? null : Math.max(0, total - used),
    totalMib: total,
    taken: used === null || total === null || total === 0 ? null : Math.min(1, used / total),
    note,
    state,
  };
}

/** "74 of 80 GB free". */
export function freeWords(choice: GpuChoice): string {
  if (choice.freeMib === null || choice.totalMib === null) return 'memory unknown';
  const gib = (mib: number): string => (mib / 1024).toFixed(0);
  return `${gib(choice.freeMib)} of ${gib(choice.totalMib)} GiB free`;
}

/** The GPUs of a machine as tiles to pick from: what each is, how full, and who is on it. */
export function gpuTiles(machine: MachineView | null) {
  return gpuChoices(machine).map((choice) => ({
    id: choice.id,
    label: choice.name,
    detail: freeWords(choice),
    title: [choice.model, choice.note].filter((part) => part !== '').join(': '),
    taken: choice.taken,
    note: choice.note,
    tone:
      choice.state === 'ill'
        ? ('ill' as const)
        : choice.state === 'free'
          ? ('free' as const)
          : ('used' as const),
  }));
}
