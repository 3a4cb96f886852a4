import { setTimeout as sleep } from 'node:timers/promises';
import type { Gpu } from '../../preload/contract';
import { isoAt, type JobContext } from './job-context';
import { holdsGpus, withTimelineEntry } from './logic/job-record';

/** Drivers release memory within a second or two of a process's end. */
const CHECKS = 4;
const CHECK_EVERY_MS = 1_500;

/**
 * Checks for a few seconds whether the GPUs of an ended job are released, and records in its timeline what still holds
 * those that were not reassigned. `keepsProcessAlive` false: the timers do not keep the process running.
 */
export async function watchGpuMemory(
  { store, gpus, clock }: JobContext,
  id: string,
  keepsProcessAlive: boolean,
): Promise<void> {
  for (let checks = 0; checks < CHECKS; checks++) {
    if (checks > 0) await sleep(CHECK_EVERY_MS, undefined, { ref: keepsProcessAlive });
    const record = store.get(id);
    if (record === null || record.phase !== 'ended' || record.spec.resources.gpuMemoryMib !== null) return;
    const { machineId } = record.spec;
    const reassigned = new Set(
      store
        .records()
        .filter((other) => other.spec.machineId === machineId && holdsGpus(other))
        .flatMap(({ gpuIds }) => gpuIds),
    );
    const ours = record.gpuIds.filter((gpuId) => !reassigned.has(gpuId));
    if (ours.length === 0) return;
    const use = await gpus(machineId);
    const leftovers = use.ok ? describeGpuLeftovers(use.value.gpus, ours) : null;
    if (leftovers === null) return;
    const now = store.get(id);
    if (checks < CHECKS - 1 || now?.phase !== 'ended') continue;
    const hint = now.stopGraceMs === null ? ' Stopping the job again ends its remaining processes.' : '';
    await store.put(
      withTimelineEntry(now, { at: isoAt(clock.now()), what: 'GPU memory', why: leftovers + hint }),
    );
  }
}

/** Drivers themselves use less than this. */
const IDLE_MIB = 2_048;

/** What still holds these GPUs, in sentences; null: they are free. */
function describeGpuLeftovers(gpus: readonly Gpu[], gpuIds: readonly string[]): string | null {
  const descriptions = gpus.filter(({ id }) => gpuIds.includes(id)).flatMap(describeGpu);
  return descriptions.length === 0 ? null : descriptions.join(' ');
}

function describeGpu(gpu: Gpu): readonly string[] {
  const name = gpu.index === null ? gpu.id : `GPU ${gpu.index}`;
  if (gpu.processes.length > 0) {
    const holders = gpu.processes.map(({ pid, user, command }) => {
      const owner = user === null ? '' : ` of ${user}`;
      return `${command ?? 'a process'} (${pid})${owner}`;
    });
    return [`${name} is still used by ${holders.join(', ')}.`];
  }
  const used = gpu.memoryUsedMib ?? 0;
  return used > IDLE_MIB
    ? [`${name} still holds ${Math.round(used)} MiB, but the machine lists no process that uses it.`]
    : [];
}
