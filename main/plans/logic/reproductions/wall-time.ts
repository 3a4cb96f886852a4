import { sumOf } from './estimates';
import type { GpuPool } from './gpu-pools';
import { groupedBy } from './grouped';
import type { PlannedSearch } from './searches';
import type { PlannedTraining } from './trainings';

/**
 * Seconds from the start to the end of all steps that run; null if an estimate is not known. Trainings share the cores
 * of this computer, or the GPUs of their machine; searches follow, batch by batch. Those of one batch run side by side,
 * unless they share a server or this computer's cores.
 */
export function wallSeconds(
  run: {
    readonly trainings: readonly PlannedTraining[];
    readonly batches: readonly (readonly PlannedSearch[])[];
  },
  context: {
    readonly scale: 'pocket' | 'paper';
    /** Pocket trainings that run side by side. */
    readonly slots: number;
    readonly pools: readonly GpuPool[];
  },
): number | null {
  return sumOf([
    trainingSeconds(run.trainings, context),
    ...run.batches.map((batch) => batchSeconds(batch, context.scale)),
  ]);
}

function trainingSeconds(
  trainings: readonly PlannedTraining[],
  { scale, slots, pools }: Parameters<typeof wallSeconds>[1],
): number | null {
  const machines = groupedBy(trainings, ({ machineId }) => machineId);
  const each = [...machines].map(([machineId, all]) => {
    const seconds = all.map(({ estimate }) => estimate.seconds);
    const longest = seconds.includes(null) ? null : Math.max(...seconds.map(Number));
    const room =
      scale === 'pocket' ? slots : (pools.find((pool) => pool.machineId === machineId)?.total ?? 1);
    const work = sumOf(
      all.map(({ estimate, gpus }) =>
        estimate.seconds === null ? null : estimate.seconds * (scale === 'pocket' ? 1 : gpus),
      ),
    );
    return work === null || longest === null ? null : Math.max(longest, work / Math.max(1, room));
  });
  return each.includes(null) ? null : Math.max(0, ...each.map(Number));
}

function batchSeconds(searches: readonly PlannedSearch[], scale: 'pocket' | 'paper'): number | null {
  const seconds = searches.map(({ estimate }) => estimate.seconds);
  if (scale === 'pocket') return sumOf(seconds);
  const busy = new Map<string, number>();
  for (const { servers, estimate } of searches) {
    if (estimate.seconds === null) return null;
    for (const { server } of servers) {
      busy.set(server.id, (busy.get(server.id) ?? 0) + estimate.seconds);
    }
  }
  return Math.max(0, ...busy.values());
}
