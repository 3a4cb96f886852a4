import type { Recipe, TrainingSpec } from '../../../preload/contract';
import type { Machine } from '../../machines';
import type { TrainingWatchSources } from '../logic/watch/sources';

export type TrainingWatchOptions = {
  readonly machine: Machine;
  readonly spec: TrainingSpec;
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly sources: TrainingWatchSources;
  /** Of a training by a recipe: how its log is read, and what its names mean. */
  readonly recipe?: Recipe | undefined;
  /** Planned updates between two checkpoints; null or left out: known of pocket trainings alone. */
  readonly checkpointEvery?: number | null;
  /** Milliseconds since 1970. */
  readonly clock: { readonly now: () => number };
};
