import { type ModelSize, serverGpus, trainingGpus } from './gpu-needs';
import type { GpuPool } from './gpu-pools';

/** A machine, and the total number of GPUs used there. */
export type Placed = { readonly place: GpuPool; readonly gpus: number };

/** Spreads servers and trainings over machines: each goes to the machine with the least work per GPU so far. */
export type Placement = {
  /** `machineId`: the required machine, because its checkpoint is there; null: any. Returns null if it fits nowhere. */
  readonly server: (model: ModelSize, leastGpus: number, machineId: string | null) => Placed | null;
  /** The result's `gpusPerAgent` times the number of agents are its GPUs. */
  readonly training: (models: readonly ModelSize[]) => (Placed & { readonly gpusPerAgent: number }) | null;
};

export function createPlacement(places: readonly GpuPool[]): Placement {
  // Servers and trainings need GPUs at different times, so neither is counted against the other.
  const servers = new Map<string, number>();
  const trainings = new Map<string, number>();
  const leastBusy = <T extends Placed>(offers: readonly T[], assigned: Map<string, number>): T | null => {
    const burden = ({ place, gpus }: T): number =>
      ((assigned.get(place.machineId) ?? 0) + gpus) / Math.max(1, place.total);
    // Free GPUs first: the others require waiting.
    const waits = ({ place, gpus }: T): number => (place.free >= gpus ? 0 : 1);
    const [best] = offers.toSorted((a, b) => waits(a) - waits(b) || burden(a) - burden(b));
    if (best === undefined) return null;
    assigned.set(best.place.machineId, (assigned.get(best.place.machineId) ?? 0) + best.gpus);
    return best;
  };
  return {
    server: (model, leastGpus, machineId) =>
      leastBusy(
        places
          .filter((place) => machineId === null || place.machineId === machineId)
          .flatMap((place) => {
            const gpus = serverGpus(model, place, leastGpus);
            return gpus === null ? [] : [{ place, gpus }];
          }),
        servers,
      ),
    training: (models) =>
      leastBusy(
        places.flatMap((place) => {
          const each = trainingGpus(models, place);
          return each === null ? [] : [{ place, gpus: each * models.length, gpusPerAgent: each }];
        }),
        trainings,
      ),
  };
}
