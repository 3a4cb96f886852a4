import { type ModelSize, serverGpus, trainingGpus } from './gpu-needs';
import type { GpuPool } from './gpu-pools';

/** A machine, and the total number of GPUs used there. */
export type Placed = { readonly pool: GpuPool; readonly gpus: number };

/** Spreads servers and trainings over machines: each goes to the machine with the least work per GPU so far. */
export type Placement = {
  /** `machineId`: the required machine, because its checkpoint is there; null: any. Returns null if it fits nowhere. */
  readonly server: (model: ModelSize, leastGpus: number, machineId: string | null) => Placed | null;
  /** The result's `gpusPerAgent` times the number of agents are its GPUs. */
  readonly training: (models: readonly ModelSize[]) => (Placed & { readonly gpusPerAgent: number }) | null;
};

/** `trainer`: of the trainings. */
export function createPlacement(pools: readonly GpuPool[], trainer: 'own' | 'marti'): Placement {
  // Servers and trainings need GPUs at different times, so neither is counted against the other.
  const servers = new Map<string, number>();
  const trainings = new Map<string, number>();
  const leastBusy = <T extends Placed>(offers: readonly T[], assigned: Map<string, number>): T | null => {
    const load = ({ pool, gpus }: T): number =>
      ((assigned.get(pool.machineId) ?? 0) + gpus) / Math.max(1, pool.total);
    // Free GPUs first: the others require waiting.
    const waits = ({ pool, gpus }: T): number => (pool.free >= gpus ? 0 : 1);
    const [best] = offers.toSorted((a, b) => waits(a) - waits(b) || load(a) - load(b));
    if (best === undefined) return null;
    assigned.set(best.pool.machineId, (assigned.get(best.pool.machineId) ?? 0) + best.gpus);
    return best;
  };
  return {
    server: (model, leastGpus, machineId) =>
      leastBusy(
        pools
          .filter((pool) => machineId === null || pool.machineId === machineId)
          .flatMap((pool) => {
            const gpus = serverGpus(model, pool, leastGpus);
            return gpus === null ? [] : [{ pool, gpus }];
          }),
        servers,
      ),
    training: (models) =>
      leastBusy(
        pools.flatMap((pool) => {
          const each = trainingGpus(models, pool, trainer);
          return each === null ? [] : [{ pool, gpus: each * models.length, gpusPerAgent: each }];
        }),
        trainings,
      ),
  };
}
