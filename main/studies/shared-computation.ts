import type { Refusal } from '../../preload/contract/index';
import { failed, RecentMap, type Result } from '../base/index';

/** `activity`: e.g. "reading runs". */
export type ComputationProgress = {
  readonly activity: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'runs' | 'steps';
};
export type WaitOptions = {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: ComputationProgress) => void;
};
export type Compute<T> = (
  stop: { readonly aborted: boolean },
  report: (progress: ComputationProgress) => void,
) => Promise<Result<T, Refusal>>;

export const CANCELLED: Refusal = { code: 'cancelled', message: 'Cancelled; nothing was changed.' };

type Computation<T> = {
  readonly result: Promise<Result<T, Refusal>>;
  readonly listeners: Set<(progress: ComputationProgress) => void>;
  waiting: number;
  readonly stop: { aborted: boolean };
};

/**
 * Shares a computation between callers that request it at the same time, and keeps the results of the last `capacity` keys.
 * A computation runs as long as a caller waits for it; a caller that stops waiting is refused at once, and the others get
 * the result.
 */
export function createSharedComputation<T>(capacity: number): {
  /** Without a key the computation is for this caller alone. */
  readonly get: (
    key: string | null,
    compute: Compute<T>,
    options?: WaitOptions,
  ) => Promise<Result<T, Refusal>>;
} {
  const recent = new RecentMap<string, Computation<T>>(capacity);

  const begin = (compute: Compute<T>): Computation<T> => {
    const listeners = new Set<(progress: ComputationProgress) => void>();
    const stop = { aborted: false };
    const report = (progress: ComputationProgress): void => {
      for (const listener of listeners) listener(progress);
    };
    const result = compute(stop, report);
    // Callers that wait get the failure; without callers it is no unhandled rejection.
    result.catch(() => undefined);
    return { result, listeners, waiting: 0, stop };
  };

  const findOrBegin = (key: string, compute: Compute<T>): Computation<T> => {
    const before = recent.get(key);
    if (before !== undefined) return before;
    const computation = begin(compute);
    recent.set(key, computation);
    computation.result.catch(() => recent.delete(key));
    return computation;
  };

  return {
    get: async (key, compute, { signal, progress } = {}) => {
      if (signal?.aborted) return failed(CANCELLED);
      const computation = key === null ? begin(compute) : findOrBegin(key, compute);
      computation.waiting += 1;
      if (progress !== undefined) computation.listeners.add(progress);
      let left: () => void = () => undefined;
      try {
        if (signal === undefined) return await computation.result;
        const stopped = new Promise<Result<T, Refusal>>((resolve) => {
          left = () => resolve(failed(CANCELLED));
          signal.addEventListener('abort', left, { once: true });
        });
        return await Promise.race([computation.result, stopped]);
      } finally {
        signal?.removeEventListener('abort', left);
        if (progress !== undefined) computation.listeners.delete(progress);
        computation.waiting -= 1;
        if (signal?.aborted && computation.waiting === 0) {
          computation.stop.aborted = true;
          if (key !== null && recent.get(key) === computation) recent.delete(key);
        }
      }
    },
  };
}
