import type { Gpu, GpuProcess, GpuReading } from '../../preload/contract/gpu';
import type { MachineView, Reservation } from '../../preload/contract/machine';
import { assignedText } from '../../preload/contract/plans/index';
import { type GpuState, gpuName, gpuState, isSliced } from '../text/gpus';

/** Who holds memory of a GPU: all processes of one user together. */
export type GpuOwner = {
  /** null: unknown. */
  readonly user: string | null;
  readonly isOwn: boolean;
  readonly memoryMib: number | null;
};

/** A GPU or a slice of one, as a line of a table. */
export type GpuRow = {
  readonly gpu: Gpu;
  /** "GPU 3", "slice 4a1f". */
  readonly name: string;
  /** Short name: "3", or "3.1" for its first slice. */
  readonly short: string;
  /** Without its maker: "H100 80GB HBM3". */
  readonly model: string;
  readonly isSlice: boolean;
  /** It is split: its slices are used instead. */
  readonly isSliced: boolean;
  /** Share of its memory in use, in [0, 1]; null: unknown. */
  readonly used01: number | null;
  /** The largest first. */
  readonly owners: readonly GpuOwner[];
  readonly processes: readonly GpuProcess[];
  readonly reservation: (Reservation & { readonly isOwn: boolean }) | null;
  readonly state: GpuState;
};

export const HOUR_MINUTES = 60;
/** Named in one line. */
const MAX_HOLDERS = 5;

/** All GPUs by number, each followed by its slices. */
export function gpuRows(machine: MachineView): readonly GpuRow[] {
  const gpus = machine.gpus?.gpus ?? [];
  const physicalGpus = gpus.filter(({ sliceOf }) => sliceOf === null);
  const ordered = physicalGpus.flatMap((whole) => [
    whole,
    ...gpus.filter(({ sliceOf }) => sliceOf === whole.id),
  ]);
  // Slices whose GPU has fallen off the bus.
  const strays = gpus.filter((gpu) => !ordered.includes(gpu));
  return [...ordered, ...strays].map((gpu) => {
    const parent = gpus.find(({ id }) => id === gpu.sliceOf);
    const slices = gpus.filter(({ sliceOf }) => sliceOf !== null && sliceOf === gpu.sliceOf);
    const number = gpu.sliceOf === null ? '' : `.${slices.indexOf(gpu) + 1}`;
    return {
      ...gpuRow(gpu, machine),
      short: `${(parent ?? gpu).index ?? '?'}${number}`,
      isSliced: isSliced(gpu, gpus),
    };
  });
}

function gpuRow(gpu: Gpu, machine: MachineView): Omit<GpuRow, 'short' | 'isSliced'> {
  const own = machine.facts?.user ?? null;
  const { memoryUsedMib: used, memoryTotalMib: total } = gpu;
  const reservation = machine.reservations.find(({ gpuId }) => gpuId === gpu.id);
  return {
    gpu,
    name: gpuName(gpu),
    model: gpu.name.replace(/^(NVIDIA|AMD)\s+/, ''),
    isSlice: gpu.sliceOf !== null,
    used01: used === null || total === null || total === 0 ? null : Math.min(1, used / total),
    owners: ownersOf(gpu.processes, own),
    processes: gpu.processes,
    reservation: reservation === undefined ? null : { ...reservation, isOwn: reservation.user === own },
    state: gpuState(gpu, machine),
  };
}

function ownersOf(processes: readonly GpuProcess[], own: string | null): readonly GpuOwner[] {
  const byUser = new Map<string | null, number | null>();
  for (const { user, memoryMib } of processes) {
    const before = byUser.get(user);
    byUser.set(
      user,
      before === undefined ? memoryMib : before === null || memoryMib === null ? null : before + memoryMib,
    );
  }
  return [...byUser]
    .map(([user, memoryMib]) => ({ user, memoryMib, isOwn: user !== null && user === own }))
    .sort(
      (a, b) => (b.memoryMib ?? 0) - (a.memoryMib ?? 0) || (a.user ?? '').localeCompare(b.user ?? '', 'en'),
    );
}

/** The model of all GPUs; null if they differ or are split. */
export function commonModel(rows: readonly GpuRow[]): string | null {
  const models = new Set(rows.map(({ model }) => model));
  const [model] = models;
  return models.size === 1 && model !== undefined ? model : null;
}

/** What a job can use: slices instead of the GPU that is split into them. */
export function usableRows(rows: readonly GpuRow[]): readonly GpuRow[] {
  return rows.filter(({ isSliced }) => !isSliced);
}

/** Not used, not reserved by others, and healthy. */
export function isFree({ state }: GpuRow): boolean {
  return state === 'free';
}

/** "you", "user1", "user1 and 2 more", "in use", "k1 (assigned)". */
export function ownersText({ owners, state, gpu }: Pick<GpuRow, 'owners' | 'state' | 'gpu'>): string {
  const [first, ...more] = owners.map(({ user, isOwn }) => (isOwn ? 'you' : (user ?? 'unknown user')));
  if (first === undefined)
    return state === 'free' || state === 'reserved' ? 'free' : assignedText(gpu) || 'in use';
  if (more.length === 0) return first;
  return more.length === 1 ? `${first}, ${more[0]}` : `${first} and ${more.length} more`;
}

/** The last hour by the minute, oldest first: percent of use; null: not read then. */
export function hourOfUse(history: GpuReading['history'][string], nowMs: number): readonly (number | null)[] {
  const minutes = Array<number | null>(HOUR_MINUTES).fill(null);
  for (const { at, utilisation } of history) {
    const age = Math.floor((nowMs - Date.parse(at)) / 60_000);
    if (age >= 0 && age < HOUR_MINUTES) minutes[HOUR_MINUTES - 1 - age] = utilisation;
  }
  // A reading a minute now and then misses one.
  return minutes.map((value, at) => value ?? (minutes[at + 1] === null ? null : (minutes[at - 1] ?? null)));
}

/** How many GPUs each user holds, you first, then the most: "you (2), user2 (1)". Empty: no GPU is held. */
export function holdersText(rows: readonly GpuRow[]): string {
  const counts = new Map<string, number>();
  for (const { owners, gpu } of usableRows(rows)) {
    const names = owners.map(({ user, isOwn }) => (isOwn ? 'you' : (user ?? 'unknown user')));
    if (names.length === 0 && gpu.assignedTo !== undefined) names.push('you');
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const rank = (name: string): number => (name === 'you' ? 0 : 1);
  const sorted = [...counts].sort(
    ([a, most], [b, more]) => rank(a) - rank(b) || more - most || (a < b ? -1 : 1),
  );
  const shown = sorted.slice(0, MAX_HOLDERS).map(([name, held]) => `${name} (${held})`);
  const left = sorted.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

/** "6 of 8 GPUs free"; empty without GPUs. With slices: "of 3 GPUs and slices". */
export function freeGpusSummary(rows: readonly GpuRow[]): string {
  const usable = usableRows(rows);
  if (usable.length === 0) return '';
  const free = usable.filter(isFree).length;
  const all = `${usable.length} ${usable.some(({ isSlice }) => isSlice) ? 'GPUs and slices' : usable.length === 1 ? 'GPU' : 'GPUs'}`;
  return free === 0 ? `0 of ${all} free` : `${free} of ${all} free`;
}
