import type { TrainingCheckpoint, TrainingView } from '../../preload/contract/training';

/** The newest first; those of one step in the order of the agents. */
export function newestCheckpointsFirst(
  checkpoints: readonly TrainingCheckpoint[],
  agents: TrainingView['agents'],
): readonly TrainingCheckpoint[] {
  const place = ({ agentId }: TrainingCheckpoint): number => agents.findIndex(({ id }) => id === agentId);
  return [...checkpoints].sort((a, b) => b.step - a.step || place(a) - place(b));
}

/** The last checkpoint of every agent that a server can load, in the order in which they come. */
export function lastOfEach(checkpoints: readonly TrainingCheckpoint[]): readonly TrainingCheckpoint[] {
  const last = new Map<string, TrainingCheckpoint>();
  for (const checkpoint of checkpoints.filter(({ canServe }) => canServe)) {
    const known = last.get(checkpoint.agentId);
    if (known === undefined || known.step <= checkpoint.step) last.set(checkpoint.agentId, checkpoint);
  }
  return [...last.values()];
}
