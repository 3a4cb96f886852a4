/** The time over which a GPU's utilisation is averaged to decide whether it is idle, in seconds. */
export const IDLE_WINDOW_S = 600;
/** Below this mean use, in percent, a GPU counts as idle. */
export const IDLE_BELOW_PERCENT = 5;

/** The alarm of a job whose GPUs of these numbers (at least one) do nothing, as sentences. */
export function idleGpusText(gpus: readonly number[]): string {
  const before = gpus.slice(0, -1).join(', ');
  const names = gpus.length === 1 ? `GPU ${gpus[0]} was` : `GPUs ${before} and ${gpus.at(-1)} were`;
  return `${names} idle for ${IDLE_WINDOW_S / 60} minutes (used less than ${IDLE_BELOW_PERCENT} % on average). See the end of the log for what the job waits for.`;
}

/** The same in a table: "GPU 1 idle". */
export function idleGpusLabel(gpus: readonly number[]): string {
  return `${gpus.length === 1 ? 'GPU' : 'GPUs'} ${gpus.join(', ')} idle`;
}
