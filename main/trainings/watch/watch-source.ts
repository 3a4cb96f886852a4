import type { ProblemsKept, Recipe, Refusal, Rollout, TrainingSpec } from '../../../preload/contract';
import type { Result } from '../../base';
import type { Machine } from '../../machines';
import type { TrainingPaths } from '../logic/training-paths';
import type { RolloutQuery } from './rollout-index';

/** Most that one call of `read` takes from a source, since a person waits for it. The next call continues. */
export const MAX_READ_BYTES = 64 * 1_048_576;

type SourceReading = {
  readonly bytes: number;
  /** There is more to read. */
  readonly isBehind: boolean;
};

/** A source of a training's rows, which it adds to the curve store. */
export type WatchSource = {
  readonly read: () => Promise<Result<SourceReading, Refusal>>;
  /** What the trainer is doing, in words; null: this source does not know. */
  readonly stage: () => string | null;
  /** The result of choosing problems; left out or null: no choice was made. */
  readonly problemsKept?: () => ProblemsKept | null;
  /** The end of what it has read of a log; left out: it reads none. */
  readonly logEnd?: () => string;
  /** Planned steps; null: this source does not know. */
  readonly steps: () => number | null;
  /** Newest first. */
  readonly rollouts: (query: RolloutQuery) => Promise<Result<readonly Rollout[], Refusal>>;
};

/** Reports what could not be read, as a sentence; repeated sentences are ignored. */
export type ReportProblem = (message: string) => void;

export type TrainingWatchOptions = {
  readonly machine: Machine;
  readonly spec: TrainingSpec;
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly paths: TrainingPaths;
  /** Set if the training uses a recipe: how to read its log, and what its names mean. */
  readonly recipe?: Recipe | undefined;
  /** Planned updates between two checkpoints; default: known for pocket trainings only. */
  readonly checkpointEvery?: number | null;
  /** Milliseconds since 1970. */
  readonly clock: { readonly now: () => number };
};
