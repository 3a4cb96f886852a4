import type {
  Exhibit,
  ExhibitResult,
  Refusal,
  ReproductionDecision,
  ReproductionOrder,
  ReproductionPlan,
  ReproductionView,
} from '../../../preload/contract/index';
import { type Disposable, Emitter, failed, ok, RefusalError, type Result } from '../../base/index';
import { movedPlan } from '../logic/reproductions/moved-plan';
import { planReproduction } from '../logic/reproductions/plan';
import {
  newRecord,
  noteOf,
  notStarted,
  type Reproduction,
  type StepNote,
} from '../logic/reproductions/record';
import { failedTogether, withRetries } from '../logic/reproductions/retry-steps';
import type { ReproductionDeps } from './deps';
import { readPlanInputs } from './plan-inputs';
import { openProgramCosts } from './program-costs';
import { createReproductionReconciler } from './reproduction-reconciler';
import { createReproductionResults, emptyResult } from './reproduction-result';
import { openReproductionStore } from './reproduction-store';
import { createReproductionViews } from './reproduction-views';

/** Reproductions of exhibits: planned, done, survived, folded into tables. */
export type ReproductionService = {
  /** Oldest first. */
  readonly list: () => readonly ReproductionView[];
  /** Changes nothing. */
  readonly plan: (order: ReproductionOrder) => Promise<Result<ReproductionPlan, Refusal>>;
  /** Refused where something is missing. Continues by itself after a restart. */
  readonly start: (order: ReproductionOrder) => Promise<Result<ReproductionView, Refusal>>;
  /** Answers when nothing of it runs any more. What is done is saved; the rest resumes where it was. */
  readonly pause: (id: string) => Promise<Result<ReproductionView, Refusal>>;
  /** Also tries again what had failed. */
  readonly resume: (id: string) => Promise<Result<ReproductionView, Refusal>>;
  readonly retry: (id: string, stepId: string) => Promise<Result<ReproductionView, Refusal>>;
  readonly move: (
    id: string,
    stepId: string,
    machineId: string,
  ) => Promise<Result<ReproductionView, Refusal>>;
  /** Its studies and trainings stay. Refused while it runs. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  readonly decisions: (id: string) => Promise<Result<ReproductionDecision[], Refusal>>;
  /** Of this reproduction, else of the newest one of the exhibit at this scale, else empty cells. */
  readonly result: (
    exhibitId: string,
    scale: ReproductionOrder['scale'],
    id?: string,
  ) => Promise<Result<ExhibitResult, Refusal>>;
  /** As it was when this was ordered; null: there is no such reproduction. */
  readonly exhibitOf: (id: string) => Exhibit | null;
  /** Takes the store of another lab's from the folder `from` and lists it, to be looked at alone. */
  readonly adopt: (id: string, from: string) => Promise<Result<null, Refusal>>;
  readonly onChange: (listener: (view: ReproductionView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Releases everything; running trainings and servers go on and are found again at the next start. */
  readonly dispose: () => Promise<void>;
};

/** Opens the records in `folder` and continues what was running. Rejects where the folder cannot be read. */
export async function createReproductionService(deps: ReproductionDeps): Promise<ReproductionService> {
  const { exhibits, trainings, machines, clock } = deps;
  const store = await openReproductionStore(deps.folder, clock, deps.onError);
  const programCosts = await openProgramCosts(deps.folder, deps.onError);
  const results = createReproductionResults({ ...deps, store });
  const removals = new Emitter<string>();
  const isoNow = (): string => new Date(clock.now()).toISOString();

  const views = createReproductionViews({ ...deps, store, waitsFor: (id) => reconciler.waitsFor(id) });
  const reconciler = createReproductionReconciler({
    ...deps,
    store,
    programCosts,
    onTick: views.emitChangesSoon,
  });

  const makePlan = async (order: ReproductionOrder) => {
    const entry = await exhibits.get(order.exhibitId);
    if (!entry.ok) return entry;
    const { exhibit, digest } = entry.value;
    if (exhibit.scales[order.scale] === null) {
      const message = `"${exhibit.title}" says nothing of how it is measured at ${order.scale} scale.`;
      return failed<Refusal>({ code: 'bad-input', message });
    }
    const inputs = await readPlanInputs(order, { ...deps, programCosts });
    return ok({ exhibit, ...planReproduction(exhibit, digest, order, inputs) });
  };
  /** After a change: schedules a tick and answers the view. */
  const continueAfter = async (
    id: string,
    change: Promise<Result<unknown, Refusal>>,
  ): Promise<Result<ReproductionView, Refusal>> => {
    const result = await change;
    if (!result.ok) return result;
    results.forget(id);
    reconciler.schedule();
    return views.view(id);
  };
  const findOwn = (id: string): Result<Reproduction, Refusal> => {
    const reproduction = store.find(id);
    if (!reproduction.ok || !reproduction.value.record.readOnly) return reproduction;
    return failed({ code: 'conflict', message: 'It came with a bundle, so it is read-only.' });
  };
  const retryWhere = (id: string, isRetried: (stepId: string, note: StepNote) => boolean) =>
    store.change(id, (record) => {
      const known = new Set(trainings.list().map((training) => training.id));
      const reproduction = store.get(id);
      return reproduction === null ? record : withRetries({ ...reproduction, record }, isRetried, known);
    });

  reconciler.schedule();
  return {
    list: views.all,
    plan: async (order) => {
      const planned = await makePlan(order);
      return planned.ok ? ok(planned.value.plan) : planned;
    },
    start: async (order) => {
      const planned = await makePlan(order);
      if (!planned.ok) return planned;
      const { exhibit, plan, work, unmeasured } = planned.value;
      if (plan.missing.length > 0) return failed(missingThings(plan));
      if (plan.steps.length === 0) return failed(nothingToDo());
      const id = deps.newId();
      const record = newRecord({ id, exhibit, order, createdAt: isoNow() }, plan, work);
      const added = await store.add({ record, plan, work, unmeasured });
      if (!added.ok) return added;
      for (const note of plan.notes) await store.decide(id, null, note);
      for (const step of plan.steps) if (step.reuse !== null) await store.decide(id, step.id, step.reuse);
      views.emitChanges();
      reconciler.schedule();
      return views.view(id);
    },
    pause: async (id) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const paused = await store.change(id, (record) => ({ ...record, paused: true }));
      if (!paused.ok) return paused;
      await store.decide(id, null, 'Paused.');
      views.emitChanges();
      await reconciler.run();
      return views.view(id);
    },
    resume: async (id) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const view = views.view(id);
      if (view.ok && view.value.state.kind === 'done') {
        return failed({ code: 'conflict', message: 'It is done; there is nothing to resume.' });
      }
      await store.decide(id, null, 'Resumed.');
      return continueAfter(
        id,
        retryWhere(id, (_, { state }) => state.kind === 'failed'),
      );
    },
    retry: async (id, stepId) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const step = noteOf(reproduction.value.record, stepId);
      if (step.state.kind !== 'failed') {
        return failed({ code: 'conflict', message: 'Only a failed step can be retried.' });
      }
      await store.decide(id, stepId, 'Tried again.');
      return continueAfter(
        id,
        retryWhere(id, (other, note) => other === stepId || failedTogether(note, step)),
      );
    },
    move: async (id, stepId, machineId) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      const moved = movedPlan(reproduction.value, stepId, machineId);
      if (!moved.ok) return moved;
      const { planned: next, training, serves, searches } = moved.value;
      if (training !== null) {
        const fits = await trainings.plan(training, false);
        if (!fits.ok) return fits;
        const [problem] = fits.value.problems;
        if (problem !== undefined) return failed({ code: 'bad-input', message: problem });
      }
      await store.decide(
        id,
        stepId,
        `Moved to ${machineId}. ${MOVED[training === null ? 'serve' : 'train']}`,
      );
      const restart = async (): Promise<Result<null, Refusal>> => {
        try {
          if (training !== null) await reconciler.abandonTraining(id, stepId);
          if (serves.length > 0) await reconciler.halt(id);
          await store.note(id, [...serves, ...searches], notStarted);
        } catch (error) {
          if (error instanceof RefusalError) return failed(error.refusal);
          throw error;
        }
        return store.replan(id, next);
      };
      return continueAfter(id, reconciler.between(restart));
    },
    remove: async (id) => {
      const view = views.view(id);
      if (!view.ok) return view;
      const { kind } = view.value.state;
      if (kind === 'running' || kind === 'pausing') {
        const message = 'A running reproduction cannot be removed.';
        return failed({ code: 'conflict', message, hint: 'Pause it first.' });
      }
      const removed = await store.remove(id);
      if (!removed.ok) return removed;
      views.forget(id);
      results.forget(id);
      removals.emit(id);
      return ok(null);
    },
    decisions: async (id) => {
      const reproduction = store.find(id);
      return reproduction.ok ? ok(await store.decisions(id)) : reproduction;
    },
    result: async (exhibitId, scale, id) => {
      const fitting = store
        .list()
        .filter(({ record }) => record.order.exhibitId === exhibitId && record.order.scale === scale);
      // A lab's own goes before what came with a bundle, however new that is.
      const newest = fitting.findLast(({ record }) => !record.readOnly) ?? fitting.at(-1);
      const wanted = id === undefined ? ok(newest) : store.find(id);
      if (!wanted.ok) return wanted;
      if (wanted.value !== undefined) return ok(await results.read(wanted.value, views.of(wanted.value)));
      const entry = await exhibits.get(exhibitId);
      return entry.ok ? ok(emptyResult(entry.value.exhibit, scale)) : entry;
    },
    exhibitOf: (id) => store.get(id)?.record.exhibit ?? null,
    adopt: async (id, from) => {
      const added = await store.adopt(id, from, { paused: true, removing: false, readOnly: true });
      if (added.ok) views.emitChanges();
      return added;
    },
    onChange: views.onChange,
    onRemoved: (listener) => removals.on(listener),
    dispose: async () => {
      views.dispose();
      await reconciler.dispose();
      await store.close();
    },
  };
}

const MOVED = {
  train: 'It resumes from its checkpoints where both machines share its folder, or else starts again.',
  serve: 'Searches that name the machine of their servers start again there; others go on.',
} as const;

function missingThings({ missing }: ReproductionPlan): Refusal {
  const message = missing.map(({ what }) => what).join(' ');
  const todo = [...new Set(missing.map(({ todo }) => todo))].join(' ');
  return { code: 'unavailable', message, hint: todo };
}

function nothingToDo(): Refusal {
  return {
    code: 'bad-input',
    message: 'Nothing of the requested cells can be measured at this scale.',
    hint: 'See the plan for why.',
  };
}
