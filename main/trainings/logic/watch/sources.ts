import type { CheckpointFolder } from './checkpoint-look';

/** Where a training's files are on its machine; paths are absolute or begin with "~/". */
export type TrainingWatchSources = {
  /** Folder of the pocket trainer's metrics.jsonl and its other files; null: another trainer. */
  readonly metrics: string | null;
  /** Console logs, oldest first. Absolute. */
  readonly logs: readonly string[];
  /** Folders with TensorBoard's event files, at most four folders deep. */
  readonly events: readonly string[];
  readonly checkpoints: readonly CheckpointFolder[];
  /** Folder of MARTI's workflow (`workflow_args.save_path`); null: none. */
  readonly workflow: string | null;
};
