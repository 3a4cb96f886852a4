import type { Gpu } from '../../../preload/contract';

/** What drivers keep for themselves stays below this. */
const IDLE_MIB = 2_048;

/** What still holds these GPUs, in sentences; null when they are free. */
export function gpuLeftovers(gpus: readonly Gpu[], gpuIds: readonly string[]): string | null {
  const words = gpus.filter(({ id }) => gpuIds.includes(id)).flatMap(wordsOf);
  return words.length === 0 ? null : words.join(' ');
}

function wordsOf(gpu: Gpu): readonly string[] {
  const name = gpu.index === null ? gpu.id : `GPU ${gpu.index}`;
  if (gpu.processes.length > 0) {
    const holders = gpu.processes.map(({ pid, user, command }) => {
      const whose = user === null ? '' : ` of ${user}`;
      return `${command ?? 'a process'} (${pid})${whose}`;
    });
    return [`${name} is still used by ${holders.join(', ')}.`];
  }
  const used = gpu.memoryUsedMib ?? 0;
  return used > IDLE_MIB
    ? [`${name} still holds ${Math.round(used)} MiB, and the machine names no process that does.`]
    : [];
}
