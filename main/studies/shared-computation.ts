import type { Refusal } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';

/** How far something is that takes a while. `what`: in words, e.g. "reading runs". */
export type ComputationProgress = {
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'runs' | 'steps';
};
/** Whoever waits may listen, and may stop waiting. */
export type WaitOptions = {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: ComputationProgress) => void;
};
export type Compute<T> = (
  stop: { readonly aborted: boolean },
  tell: (progress: ComputationProgress) => void,
) => Promise<Result<T, Refusal>>;

export const CANCELLED: Refusal = { code: 'cancelled', message: 'Cancelled; nothing was changed.' };

type Computation<T> = {
  readonly result: Promise<Result<T, Refusal>>;
  readonly listeners: Set<(progress: ComputationProgress) => void>;
  waiting: number;
  readonly stop: { aborted: boolean };
};

/**
 * What several may ask for at once is made once, and the last `kept` stay by their key. It goes on for as long as somebody
 * waits for it: one who stops waiting gets a refusal at once, and takes it from nobody else.
 */
export function createSharedComputation<T>(kept: number): {
  /** Without a key it is made for this asker alone. */
  readonly get: (key: string | null, make: Compute<T>, waiting?: WaitOptions) => Promise<Result<T, Refusal>>;
} {
  /** In order of use. */
  const known = new Map<string, Computation<T>>();

  const begun = (make: Compute<T>): Computation<T> => {
    const listeners = new Set<(progress: ComputationProgress) => void>();
    const stop = { aborted: false };
    const tell = (progress: ComputationProgress): void => {
      for (const listener of listeners) listener(progress);
    };
    const result = make(stop, tell);
    // Whoever waits hears of a failure; that nobody waits any more is none.
    result.catch(() => undefined);
    return { result, listeners, waiting: 0, stop };
  };

  const remembered = (key: string, make: Compute<T>): Computation<T> => {
    const making = known.get(key) ?? begun(make);
    known.delete(key);
    known.set(key, making);
    making.result.catch(() => known.delete(key));
    for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
    return making;
  };

  return {
    get: async (key, make, { signal, progress } = {}) => {
      if (signal?.aborted) return failed(CANCELLED);
      const making = key === null ? begun(make) : remembered(key, make);
      making.waiting += 1;
      if (progress !== undefined) making.listeners.add(progress);
      let left: () => void = () => undefined;
      try {
        if (signal === undefined) return await making.result;
        const stopped = new Promise<Result<T, Refusal>>((resolve) => {
          left = () => resolve(failed(CANCELLED));
          signal.addEventListener('abort', left, { once: true });
        });
        return await Promise.race([making.result, stopped]);
      } finally {
        signal?.removeEventListener('abort', left);
        if (progress !== undefined) making.listeners.delete(progress);
        making.waiting -= 1;
        if (signal?.aborted && making.waiting === 0) {
          making.stop.aborted = true;
          if (key !== null && known.get(key) === making) known.delete(key);
        }
      }
    },
  };
}
