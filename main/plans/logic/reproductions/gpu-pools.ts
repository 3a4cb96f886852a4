import type { Cluster, Gpu, MachineView } from '../../../../preload/contract';

const MIB_PER_GIB = 1_024;
/** Assumed if a cluster does not report its GPUs: the papers' GPUs, so that a plan can be shown. */
const ASSUMED_GIB = 80;
/** By clusters' names for GPUs; if a card exists in several sizes, the smaller one. */
const KNOWN_GIB: readonly (readonly [RegExp, number])[] = [
  [/b200/i, 180],
  [/h200/i, 141],
  [/mi300/i, 192],
  [/h100|gh200/i, 80],
  [/a100.{0,40}80|80gb/i, 80],
  [/a100/i, 40],
  [/a6000|l40|rtx6000|a40/i, 48],
  [/v100/i, 16],
  [/a30|4090|3090|l4|a5000/i, 24],
];

/** GPUs of one kind in one box, the most that one program can use. */
export type GpuPool = {
  readonly machineId: string;
  readonly machineName: string;
  readonly isSlurm: boolean;
  /** In one box (a node of a cluster); a server or training does not reach beyond it. */
  readonly perNode: number;
  /** Number of GPUs on the whole machine or cluster, and how many are free now. */
  readonly total: number;
  readonly free: number;
  /** Memory of one GPU. */
  readonly memoryGib: number;
  /** The machine does not report their memory. */
  readonly isAssumed: boolean;
};

/** The GPUs of every machine that answers, the best kind of each; machines without any are left out. */
export function gpuPools(
  machines: readonly MachineView[],
  clusters: ReadonlyMap<string, Cluster>,
): readonly GpuPool[] {
  const answering = machines.filter(({ connection }) => connection.kind === 'connected');
  return answering.flatMap((machine): GpuPool[] => {
    const cluster = clusters.get(machine.spec.id);
    const kinds =
      machine.spec.kind === 'slurm'
        ? cluster === undefined
          ? []
          : ofCluster(machine, cluster)
        : ofMachine(machine);
    // The kind with the most memory in one box; of equal ones the kind with more GPUs.
    const best = kinds.toSorted(
      (a, b) => b.perNode * b.memoryGib - a.perNode * a.memoryGib || b.total - a.total,
    )[0];
    return best === undefined ? [] : [best];
  });
}

function ofMachine({ spec, gpus: reading, reservations, facts }: MachineView): GpuPool[] {
  const gpus = reading?.gpus ?? [];
  const cut = new Set(gpus.map(({ sliceOf }) => sliceOf));
  // A GPU without known memory has fallen off the bus, or its driver does not answer.
  const usable = gpus.filter(
    ({ id, memoryTotalMib, memoryUsedMib }) =>
      !cut.has(id) && memoryTotalMib !== null && memoryUsedMib !== null,
  );
  const sizes = [...new Set(usable.map(gibOf))];
  const isFree = ({ id, processes }: Gpu): boolean =>
    processes.length === 0 && !reservations.some(({ gpuId, user }) => gpuId === id && user !== facts?.user);
  return sizes.map((memoryGib) => {
    const alike = usable.filter((gpu) => gibOf(gpu) === memoryGib);
    return {
      machineId: spec.id,
      machineName: spec.name,
      isSlurm: false,
      perNode: alike.length,
      total: alike.length,
      free: alike.filter(isFree).length,
      memoryGib,
      isAssumed: false,
    };
  });
}

function ofCluster({ spec }: MachineView, { partitions }: Cluster): GpuPool[] {
  return partitions
    .filter(({ isOpen }) => isOpen)
    .flatMap(({ gpus, nodes }) =>
      gpus
        .filter(({ total }) => total > 0)
        .map(({ type, total, free }): GpuPool => {
          const memoryGib = KNOWN_GIB.find(([name]) => name.test(type))?.[1];
          return {
            machineId: spec.id,
            machineName: spec.name,
            isSlurm: true,
            perNode: Math.max(1, Math.floor(total / Math.max(1, nodes))),
            total,
            free,
            memoryGib: memoryGib ?? ASSUMED_GIB,
            isAssumed: memoryGib === undefined,
          };
        }),
    );
}

/** The nominal size: cards report a little less than their name, e.g. 81559 MiB for 80 GB. */
function gibOf({ memoryTotalMib }: Gpu): number {
  return Math.round((memoryTotalMib ?? 0) / MIB_PER_GIB);
}
