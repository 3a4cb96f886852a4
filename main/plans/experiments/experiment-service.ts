import { setImmediate as breathe } from 'node:timers/promises';
import {
  type ExperimentOrder,
  type ExperimentResult,
  type ExperimentView,
  jobHasEnded,
  type Refusal,
  type TrainingView,
} from '../../../preload/contract/index';
import { type CsvFile, type Disposable, Emitter, failed, ok, orThrow, type Result } from '../../base/index';
import { type DoneTraining, experimentResultInSteps } from '../../metrics/index';
import { reportUnreadable } from '../../reconcile/index';
import { reasonOf } from '../../storage/index';
import { cellsCsv, pairsCsv } from '../logic/experiments/experiment-csv';
import {
  isDone,
  newRecord,
  pocketTrainingOf,
  trainingRequestOf,
} from '../logic/experiments/experiment-record';
import { viewOfExperiment } from '../logic/experiments/experiment-view';
import { findProblem } from '../logic/experiments/find-problem';
import { createPlanReconciler, type OnProblem } from '../plan-reconciler';
import { createTrainingSteps } from '../training-steps';
import { openExperimentStore } from './experiment-store';
import { experimentTrainings } from './experiment-trainings';
import { elapsedSeconds, type Trainings } from './training-results';

/** Experiments: many trainings side by side. */
export type ExperimentService = {
  /** Oldest first. */
  readonly list: () => readonly ExperimentView[];
  readonly start: (order: ExperimentOrder) => Promise<Result<ExperimentView, Refusal>>;
  /** Answers when nothing of it runs any more. What is done is saved; the rest resumes from its checkpoints. */
  readonly pause: (id: string) => Promise<Result<ExperimentView, Refusal>>;
  /** Also tries again what had failed. */
  readonly resume: (id: string) => Promise<Result<ExperimentView, Refusal>>;
  /** With its trainings and their checkpoints. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Of the trainings that are done. */
  readonly result: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  readonly exportCsv: (id: string, what: 'cells' | 'pairs') => Promise<Result<CsvFile, Refusal>>;
  readonly onChange: (listener: (view: ExperimentView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Releases everything; running trainings go on, but no other one is started. */
  readonly dispose: () => Promise<void>;
};

/** Opens the records in `folder` and continues what was running. Rejects where the folder cannot be read. */
export async function createExperimentService(deps: {
  readonly trainings: Trainings;
  readonly folder: string;
  readonly clock: { readonly now: () => number };
  /** A word that no other experiment has; a plain file name. */
  readonly newId: () => string;
  /** Pocket trainings that may run at once. */
  readonly slots: number;
  readonly onError: OnProblem;
}): Promise<ExperimentService> {
  const { trainings, clock, slots, onError } = deps;
  const store = await openExperimentStore(deps.folder);
  reportUnreadable('experiments', 'experiment', store, onError);
  const changes = new Emitter<ExperimentView>();
  const removals = new Emitter<string>();
  /** What was emitted last of each: what looks the same is not emitted again. */
  const emitted = new Map<string, string>();
  /** What was computed last, of so many trainings: what is done stays as it is. */
  const results = new Map<string, { readonly of: number; readonly result: Promise<ExperimentResult> }>();
  const isoNow = (): string => new Date(clock.now()).toISOString();

  const views = (): ExperimentView[] => {
    const byId = new Map<string, TrainingView>(trainings.list().map((training) => [training.id, training]));
    return store
      .list()
      .filter(({ removing }) => !removing)
      .map((record) =>
        viewOfExperiment(record, byId, (training) => elapsedSeconds(training, clock.now()), slots),
      );
  };
  const emitChanges = (): void => {
    for (const view of views()) {
      const text = JSON.stringify(view);
      if (emitted.get(view.id) === text) continue;
      emitted.set(view.id, text);
      changes.emit(view);
    }
  };
  const viewOf = (id: string): Result<ExperimentView, Refusal> => {
    const record = store.find(id);
    if (!record.ok) return record;
    return ok(views().find((view) => view.id === id) as ExperimentView);
  };

  const steps = createTrainingSteps({
    plans: experimentTrainings({ store, trainings, clock }),
    trainings,
    slots,
    since: isoNow(),
  });
  const removeWithTrainings = async (id: string): Promise<void> => {
    const own = trainings.list().filter(({ experimentId }) => experimentId === id);
    const removed = await Promise.all(
      own.map(async (training) => {
        if (!jobHasEnded(training.state)) await trainings.stop(training.id);
        return trainings.remove(training.id, { checkpoints: true });
      }),
    );
    for (const removal of removed) orThrow(removal);
    orThrow(await store.remove(id));
    emitted.delete(id);
    results.delete(id);
    removals.emit(id);
  };
  const reconciler = createPlanReconciler({
    name: 'experiments',
    ids: () => store.list().map(({ id }) => id),
    reconcile: (id) => (store.get(id)?.removing ? removeWithTrainings(id) : steps.reconcile(id)),
    trainings,
    onTick: emitChanges,
    onError,
  });
  /** Trainings report progress several times a second: what comes together is emitted together. */
  let emitting: NodeJS.Immediate | null = null;
  const progress = trainings.onChange(() => {
    emitting ??= setImmediate(() => {
      emitting = null;
      emitChanges();
    });
  });

  const doneOf = async (id: string): Promise<DoneTraining[]> => {
    const done: DoneTraining[] = [];
    for (const [at, { label, seed, state }] of (store.get(id)?.members ?? []).entries()) {
      const outcome = state.kind === 'done' ? await store.readOutcome(id, at) : null;
      if (state.kind === 'done' && outcome !== null)
        done.push({ label, seed, ...outcome, seconds: state.seconds });
    }
    return done;
  };
  const result = async (id: string): Promise<Result<ExperimentResult, Refusal>> => {
    const record = store.find(id);
    if (!record.ok) return record;
    const { order } = record.value;
    const done = await doneOf(id);
    const known = results.get(id);
    if (known?.of === done.length) return ok(await known.result);
    const counted = experimentResultInSteps(
      {
        experimentId: id,
        order,
        done,
        trainingOf: (row) => pocketTrainingOf(order, row, order.seeds[0] ?? 0),
      },
      () => breathe(),
    );
    results.set(id, { of: done.length, result: counted });
    return ok(await counted);
  };

  reconciler.schedule();
  return {
    list: views,
    start: async (order) => {
      const problem = findProblem(order) ?? (await findPlanProblem(trainings, order));
      if (problem !== null) return failed({ code: 'bad-input', message: problem });
      const id = deps.newId();
      const added = await store.put(newRecord(id, order, isoNow()));
      if (!added.ok) return added;
      emitChanges();
      reconciler.schedule();
      return viewOf(id);
    },
    pause: async (id) => {
      const paused = await store.change(id, (record) => ({ ...record, paused: true }));
      if (!paused.ok) return paused;
      const problem = (await reconciler.run()).find(({ key }) => key === id);
      if (problem === undefined) return viewOf(id);
      const message = `Not all of it could be stopped yet, which is tried again by itself. ${reasonOf(problem.error)}`;
      return failed({ code: 'unavailable', message });
    },
    resume: async (id) => {
      if (store.get(id)?.members.every(isDone)) {
        return failed({ code: 'conflict', message: 'The experiment is done; there is nothing to resume.' });
      }
      const resumed = await store.change(id, (record) => ({
        ...record,
        paused: false,
        endedAt: null,
        members: record.members.map((member) => ({
          ...member,
          attempts: 0,
          // Halted: it is resumed however it ended.
          state:
            member.state.kind !== 'failed'
              ? member.state
              : ({ kind: member.trainingId === null ? 'planned' : 'halted' } as const),
        })),
      }));
      if (!resumed.ok) return resumed;
      emitChanges();
      reconciler.schedule();
      return viewOf(id);
    },
    remove: async (id) => {
      const removing = await store.change(id, (record) => ({ ...record, removing: true }));
      if (!removing.ok) return removing;
      await reconciler.run();
      const problem = (await reconciler.run()).find(({ key }) => key === id);
      if (problem === undefined) return ok(null);
      const message = `Not all of it could be removed yet, which is tried again by itself. ${reasonOf(problem.error)}`;
      return failed({ code: 'unavailable', message });
    },
    result,
    exportCsv: async (id, what) => {
      const record = store.find(id);
      if (!record.ok) return record;
      const computed = await result(id);
      if (!computed.ok) return computed;
      const csv = what === 'cells' ? cellsCsv : pairsCsv;
      return ok(csv(record.value.order, computed.value));
    },
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    dispose: async () => {
      progress.dispose();
      if (emitting !== null) clearImmediate(emitting);
      await reconciler.dispose();
      await store.close();
    },
  };
}

/** What the trainings' service says against the first seed of each row; null: nothing. */
async function findPlanProblem(trainings: Trainings, order: ExperimentOrder): Promise<string | null> {
  for (const row of order.rows) {
    const plan = await trainings.plan(trainingRequestOf(order, row, order.seeds[0] ?? 0), false);
    const problem = plan.ok ? plan.value.problems[0] : plan.error.message;
    if (problem !== undefined) return `The row "${row.label}": ${problem}`;
  }
  return null;
}
