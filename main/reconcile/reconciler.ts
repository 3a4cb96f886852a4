import { nextRetry, type RetryPolicy } from '../base';

/** Ticks one after the other, never two at once. */
export type TickLoop = {
  /** Resolves when a tick that began after the call is over; after `close`, when the last one is over. */
  readonly next: () => Promise<void>;
  /** Does this between two ticks. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isOpen: () => boolean;
  /** Begins no further tick; resolves when the last one is over, failed or not. */
  readonly close: () => Promise<void>;
};

/**
 * At most one tick waits; it sees everything that happens before it begins. A tick that throws rejects for its callers.
 */
export function createTickLoop(tick: () => Promise<void>): TickLoop {
  let open = true;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  /** Whoever asked for that tick gets its error. */
  const lastEnded = (): Promise<void> => last.catch(() => undefined);
  return {
    next: () => {
      if (!open) return lastEnded();
      waiting ??= last = lastEnded().then(() => {
        waiting = null;
        return tick();
      });
      return waiting;
    },
    between: (work) => {
      const done = lastEnded().then(work);
      last = done.then(() => undefined);
      last.catch(() => undefined); // the caller gets it from `done`
      return done;
    },
    isOpen: () => open,
    close: () => {
      open = false;
      return lastEnded();
    },
  };
}

/** An error of a tick. The work is retried automatically. */
export type ReconcileProblem = {
  /** Of the reconciler, e.g. "experiments". */
  readonly name: string;
  /** The work that failed, e.g. a record's id; null: the tick as a whole. */
  readonly key: string | null;
  readonly error: unknown;
  /** Failures in a row, from 1: show the first, log all. */
  readonly failures: number;
  readonly waitMs: number;
};

/** One pass over everything. */
export type Tick = {
  /** False once the reconciler is disposed: nothing new is begun then. */
  readonly isOpen: () => boolean;
  /**
   * Does the work of one record. An error is reported and does not stop the work of other records; the record is
   * skipped until its back-off is over. Resolves to true if the work was done without an error.
   */
  readonly attempt: (key: string, work: () => Promise<void>) => Promise<boolean>;
};

export type ReconcilerOptions = {
  /** For reports of errors. */
  readonly name: string;
  readonly tick: (tick: Tick) => Promise<void>;
  /** Milliseconds until the next tick at the latest, evaluated after each tick; null: only scheduled ticks. */
  readonly everyMs: () => number | null;
  /** Called for every error. */
  readonly onError: (problem: ReconcileProblem) => void;
  /** Called after each tick, also after one that failed. */
  readonly onTick?: () => void;
  readonly backOff?: RetryPolicy<'error'>;
  /** True: the timer of the next tick keeps the process running; default: false. */
  readonly keepsProcessAlive?: boolean;
  readonly now?: () => number;
};

/** Ticks that never overlap. */
export type Reconciler = {
  /** A tick begins soon, or when the back-off after a failed tick is over. */
  readonly schedule: () => void;
  /** Ticks at once and ignores back-offs, because a person asked for it. Resolves with the problems that remain. */
  readonly run: () => Promise<readonly ReconcileProblem[]>;
  /** Does this between two ticks. Its error is the caller's. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  /** Evaluates `everyMs` again, e.g. because somebody has opened a screen of it. */
  readonly rearm: () => void;
  /** Current problems; a success removes its problem. */
  readonly problems: () => readonly ReconcileProblem[];
  /** Begins no further tick; resolves when the running one is over. */
  readonly dispose: () => Promise<void>;
};

const BACK_OFF: RetryPolicy<'error'> = {
  maxRetries: { error: Number.POSITIVE_INFINITY },
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
};

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { name, everyMs, backOff = BACK_OFF, now = () => performance.now() } = options;
  /** By key; null: the tick as a whole. */
  const failing = new Map<string | null, { readonly problem: ReconcileProblem; readonly untilMs: number }>();
  let timer: NodeJS.Timeout | null = null;
  let ignoresBackOff = false;

  const noteFailure = (key: string | null, error: unknown): void => {
    const made = failing.get(key)?.problem.failures ?? 0;
    const waitMs = nextRetry(backOff, 'error', made)?.waitMs ?? backOff.longestWaitMs;
    const problem = { name, key, error, failures: made + 1, waitMs };
    failing.set(key, { problem, untilMs: now() + waitMs });
    try {
      options.onError(problem);
    } catch (broken) {
      process.emitWarning(broken instanceof Error ? broken : String(broken));
    }
  };
  const isBackingOff = (key: string | null): boolean => {
    const failure = failing.get(key);
    return failure !== undefined && now() < failure.untilMs;
  };

  const loop = createTickLoop(async () => {
    const skipsBackOff = ignoresBackOff;
    ignoresBackOff = false;
    const seen = new Set<string>();
    try {
      await options.tick({
        isOpen: loop.isOpen,
        attempt: async (key, work) => {
          seen.add(key);
          if (!skipsBackOff && isBackingOff(key)) return false;
          try {
            await work();
          } catch (error) {
            noteFailure(key, error);
            return false;
          }
          failing.delete(key);
          return true;
        },
      });
      failing.delete(null);
      // Forgets the problems of removed records.
      for (const key of failing.keys()) if (key !== null && !seen.has(key)) failing.delete(key);
    } catch (error) {
      noteFailure(null, error);
    }
    try {
      options.onTick?.();
    } catch (error) {
      noteFailure(null, error);
    }
    rearm();
  });

  const rearm = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (!loop.isOpen()) return;
    const waits = [...failing.values()].map(({ untilMs }) => untilMs - now());
    const every = everyMs();
    // After a tick has failed as a whole, only its back-off counts.
    const wait = isBackingOff(null)
      ? (failing.get(null)?.untilMs ?? 0) - now()
      : Math.min(every ?? Number.POSITIVE_INFINITY, ...waits);
    if (!Number.isFinite(wait)) return;
    timer = setTimeout(() => void loop.next(), Math.max(0, wait));
    if (options.keepsProcessAlive !== true) timer.unref();
  };

  return {
    schedule: () => {
      if (isBackingOff(null)) rearm();
      else void loop.next();
    },
    run: async () => {
      ignoresBackOff = true;
      await loop.next();
      return [...failing.values()].map(({ problem }) => problem);
    },
    between: loop.between,
    rearm,
    problems: () => [...failing.values()].map(({ problem }) => problem),
    dispose: () => {
      const over = loop.close();
      rearm();
      return over;
    },
  };
}

/** Reports records that could not be read, one problem each. */
export function reportUnreadable(
  name: string,
  noun: string,
  store: {
    readonly unreadable: () => readonly {
      readonly id: string;
      readonly path: string;
      readonly why: string;
    }[];
  },
  onError: (problem: ReconcileProblem) => void,
): void {
  for (const { id, path, why } of store.unreadable()) {
    const error = new Error(`The ${noun} "${id}" cannot be read (${why}). Its file is ${path}.`);
    onError({ name, key: id, error, failures: 1, waitMs: 0 });
  }
}
