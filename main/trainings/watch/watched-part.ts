import type { Refusal, Rollout } from '../../../preload/contract';
import type { Result } from '../../base';
import type { RolloutQuery } from './rollout-index';

/** What a call of `read` takes from one source: a person waits for it. The next call goes on from there. */
export const MOST_BYTES = 64 * 1_048_576;

type PartReading = {
  readonly bytes: number;
  /** There is more than was read. */
  readonly isBehind: boolean;
};

/** One source of a training's rows: it puts them into the book. */
export type WatchedPart = {
  readonly read: () => Promise<Result<PartReading, Refusal>>;
  /** What the trainer does now, in words; null: this source does not tell. */
  readonly stage: () => string | null;
  /** Planned steps; null: this source does not tell. */
  readonly steps: () => number | null;
  /** Newest first. */
  readonly rollouts: (query: RolloutQuery) => Promise<Result<readonly Rollout[], Refusal>>;
};

/** Takes a sentence on what could not be read; the same one again says nothing new. */
export type Notice = (words: string) => void;
