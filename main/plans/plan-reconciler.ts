import { createReconciler, type ReconcileProblem, type Reconciler } from '../reconcile/index';
import type { TrainingService } from '../trainings/index';

/** A training's end is known from its job, which is probed every few seconds; so often plans look by themselves. */
const TICK_EVERY_MS = 5_000;

export type OnProblem = (problem: ReconcileProblem) => void;

/**
 * Brings all plans of a kind forward, one after the other. Whatever is done is noted first, so that a tick that was cut
 * off is taken up by the next one.
 */
export function createPlanReconciler(options: {
  /** Of the kind of plan, for reports, e.g. "experiments". */
  readonly name: string;
  /** Oldest first: older plans are served first. */
  readonly ids: () => readonly string[];
  readonly reconcile: (id: string) => Promise<void>;
  readonly trainings: Pick<TrainingService, 'onChange' | 'onRemoved'>;
  readonly onTick: () => void;
  readonly onError: OnProblem;
}): Reconciler & {
  /** Schedules a tick when the state of something that plans wait for has changed; progress alone needs none. */
  readonly observe: (id: string, state: string) => void;
} {
  const reconciler = createReconciler({
    name: options.name,
    tick: async ({ isOpen, attempt }) => {
      for (const id of options.ids()) if (isOpen()) await attempt(id, () => options.reconcile(id));
    },
    everyMs: () => TICK_EVERY_MS,
    onTick: options.onTick,
    onError: options.onError,
  });
  const seen = new Map<string, string>();
  const observe = (id: string, state: string): void => {
    if (seen.get(id) === state) return;
    seen.set(id, state);
    reconciler.schedule();
  };
  const listeners = [
    options.trainings.onChange(({ id, state }) => observe(id, state.kind)),
    options.trainings.onRemoved((id) => {
      seen.delete(id);
      reconciler.schedule();
    }),
  ];
  return {
    ...reconciler,
    observe,
    dispose: async () => {
      for (const listener of listeners) listener.dispose();
      await reconciler.dispose();
    },
  };
}
