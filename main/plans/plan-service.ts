import type { Refusal } from '../../preload/contract/index';
import { type Disposable, Emitter, failed, ok, type Result } from '../base/index';
import { createReconciler, type Reconciler } from '../reconcile/index';
import { reasonOf } from '../storage/index';
import type { TrainingService } from '../trainings/index';
import { type Plan, type StepNote, withRetries } from './logic/plan-record';
import { planState } from './logic/step-status';
import type { OnProblem, PlanStore } from './plan-store';

/** A training's end is known from its job, which is probed every few seconds; so often plans look by themselves. */
const TICK_EVERY_MS = 5_000;

/** The commands of every kind of plan. `View`: a plan as people see it. */
export type PlanService<View> = {
  /** Oldest first. */
  readonly list: () => readonly View[];
  readonly view: (id: string) => Result<View, Refusal>;
  /** Answers when nothing of it runs any more. Results are saved; the rest resumes from its state. */
  readonly pause: (id: string) => Promise<Result<View, Refusal>>;
  /** Also tries again what had failed. */
  readonly resume: (id: string) => Promise<Result<View, Refusal>>;
  readonly onChange: (listener: (view: View) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
};

/** For the kind of plan itself. */
export type PlanDriver<View> = PlanService<View> &
  Pick<Reconciler, 'schedule' | 'between'> & {
    /** After a change of its record, or its addition to the store: does what is due. */
    readonly viewAndSchedule: (id: string, changed: Result<unknown, Refusal>) => Result<View, Refusal>;
    /** Goes on with these failed steps. */
    readonly retry: (
      id: string,
      isRetried: (stepId: string, note: StepNote) => boolean,
    ) => Promise<Result<View, Refusal>>;
    /** Does what is due; refused where not all of the plan could be `outcome`, e.g. "stopped". */
    readonly run: (id: string, outcome: string) => Promise<Result<null, Refusal>>;
    /** Schedules a tick when the state of something that plans wait for has changed; progress alone needs none. */
    readonly observe: (id: string, state: string) => void;
    readonly emitChangesSoon: () => void;
    /** Its record is gone. */
    readonly forget: (id: string) => void;
    /** Resolves when the last tick is over. */
    readonly dispose: () => Promise<void>;
  };

/**
 * Advances all plans of a kind, one after the other, and emits changes. Each step is recorded before its effect, so
 * that the next tick continues one that was cut off.
 */
export function createPlanDriver<P extends Plan, View extends { readonly id: string }>(deps: {
  readonly noun: 'experiment' | 'reproduction';
  readonly store: PlanStore<P>;
  readonly viewsOf: (plans: readonly P[]) => readonly View[];
  /** Does what is due for a plan. */
  readonly reconcile: (id: string) => Promise<void>;
  /** Changes are emitted no more often. */
  readonly emitEveryMs: number;
  readonly trainings: Pick<TrainingService, 'list' | 'onChange' | 'onRemoved'>;
  readonly clock: { readonly now: () => number };
  readonly onError: OnProblem;
}): PlanDriver<View> {
  const { noun, store, viewsOf, reconcile, emitEveryMs, trainings, clock, onError } = deps;
  const changes = new Emitter<View>();
  const removals = new Emitter<string>();
  const listed = (): P[] => store.list().filter(({ record }) => !record.removing);
  const view = (id: string): Result<View, Refusal> => {
    const plan = store.find(id);
    return plan.ok ? ok(viewsOf([plan.value])[0] as View) : plan;
  };
  const { emitChanges, emitChangesSoon, ...emission } = createViewEmission({
    ...{ listed, viewsOf, emitEveryMs, clock },
    emit: (now) => changes.emit(now),
  });

  const reconciler = createReconciler({
    name: `${noun}s`,
    tick: async (tick) => {
      for (const { record } of store.list()) {
        if (tick.isOpen()) await tick.attempt(record.id, () => reconcile(record.id));
      }
    },
    everyMs: () => TICK_EVERY_MS,
    onTick: emitChangesSoon,
    onError,
  });
  const seen = new Map<string, string>();
  const observe = (id: string, state: string): void => {
    if (seen.get(id) === state) return;
    seen.set(id, state);
    reconciler.schedule();
  };
  const listeners = [
    trainings.onChange(({ id, state }) => {
      observe(id, state.kind);
      emitChangesSoon();
    }),
    trainings.onRemoved((id) => {
      seen.delete(id);
      reconciler.schedule();
    }),
  ];

  const viewAndSchedule: PlanDriver<View>['viewAndSchedule'] = (id, changed) => {
    if (!changed.ok) return changed;
    emitChanges();
    reconciler.schedule();
    return view(id);
  };
  const retry: PlanDriver<View>['retry'] = async (id, isRetried) => {
    const trainingIds = new Set(trainings.list().map((training) => training.id));
    const retried = await store.change(id, (record) => {
      const plan = store.get(id);
      return plan === null
        ? record
        : { ...record, ...withRetries({ ...plan, record }, isRetried, trainingIds) };
    });
    return viewAndSchedule(id, retried);
  };
  const run: PlanDriver<View>['run'] = async (id, outcome) => {
    const problem = (await reconciler.run()).find(({ key }) => key === id);
    if (problem === undefined) return ok(null);
    const message = `Not all of it could be ${outcome} yet, which is tried again by itself. ${reasonOf(problem.error)}`;
    return failed({ code: 'unavailable', message });
  };

  reconciler.schedule();
  return {
    list: () => viewsOf(listed()),
    view,
    viewAndSchedule,
    pause: async (id) => {
      const paused = await store.change(id, (record) => ({ ...record, paused: true }));
      if (!paused.ok) return paused;
      emitChanges();
      const stopped = await run(id, 'stopped');
      return stopped.ok ? view(id) : stopped;
    },
    resume: async (id) => {
      const plan = store.find(id);
      if (!plan.ok) return plan;
      if (planState(plan.value).kind === 'done') {
        const message = `The ${noun} is done; there is nothing to resume.`;
        return failed({ code: 'conflict', message });
      }
      return retry(id, (_, { state }) => state.kind === 'failed');
    },
    retry,
    run,
    schedule: reconciler.schedule,
    between: reconciler.between,
    observe,
    emitChangesSoon,
    forget: (id) => {
      emission.forget(id);
      removals.emit(id);
    },
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    dispose: async () => {
      for (const listener of listeners) listener.dispose();
      emission.dispose();
      await reconciler.dispose();
    },
  };
}

/** Emits the views that have changed since they were emitted last. */
function createViewEmission<P extends Plan, View extends { readonly id: string }>(deps: {
  readonly listed: () => readonly P[];
  readonly viewsOf: (plans: readonly P[]) => readonly View[];
  /** Changes are emitted no more often. */
  readonly emitEveryMs: number;
  readonly clock: { readonly now: () => number };
  readonly emit: (view: View) => void;
}) {
  const { listed, viewsOf, emitEveryMs, clock, emit } = deps;
  const emitted = new Map<string, { readonly plan: P; readonly text: string }>();
  let timer: NodeJS.Timeout | null = null;
  let emittedAt = Number.NEGATIVE_INFINITY;
  let isOpen = true;
  const emitChanges = (): void => {
    timer = null;
    emittedAt = clock.now();
    // The view of an ended one changes only with its record.
    const due = listed().filter(
      (plan) => plan.record.endedAt === null || emitted.get(plan.record.id)?.plan !== plan,
    );
    for (const [at, now] of viewsOf(due).entries()) {
      const text = JSON.stringify(now);
      const isSame = emitted.get(now.id)?.text === text;
      emitted.set(now.id, { plan: due[at] as P, text });
      if (!isSame) emit(now);
    }
  };
  return {
    emitChanges,
    emitChangesSoon: (): void => {
      if (isOpen) timer ??= setTimeout(emitChanges, Math.max(0, emittedAt + emitEveryMs - clock.now()));
    },
    /** Its record is gone. */
    forget: (id: string): void => void emitted.delete(id),
    dispose: (): void => {
      isOpen = false;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
