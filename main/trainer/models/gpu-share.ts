/**
 * GPUs of one agent, as a value of CUDA_VISIBLE_DEVICES: each agent has the same number, one after the other, of those
 * that the job may use. Where there are too few, agents share them. null: leave the environment as it is (no GPU is
 * used, or the one agent has them all).
 */
export function gpuShare(options: {
  /** CUDA_VISIBLE_DEVICES of the trainer: numbers or UUIDs with commas between them; undefined: all of the machine. */
  readonly visible: string | undefined;
  readonly device: 'auto' | 'cpu' | 'cuda';
  readonly agents: number;
  readonly agent: number;
  /** Of each agent. */
  readonly gpus: number;
}): string | null {
  const { visible, device, agents, agent, gpus } = options;
  if (device === 'cpu' || agents === 1) return null;
  const own = Array.from({ length: gpus }, (_, i) => agent * gpus + i);
  if (visible === undefined) return device === 'cuda' ? own.join(',') : null;
  const ids = visible.split(',').map((id) => id.trim());
  if (ids.includes('') || ids.includes('-1')) return null;
  return [...new Set(own.map((i) => ids[i % ids.length]))].join(',');
}
