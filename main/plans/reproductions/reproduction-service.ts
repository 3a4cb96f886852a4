import { isDeepStrictEqual } from 'node:util';
import type {
  Exhibit,
  ExhibitResult,
  Refusal,
  ReproductionDecision,
  ReproductionPlan,
  ReproductionRequest,
  ReproductionView,
} from '../../../preload/contract/index';
import { withEnteredOf } from '../../../preload/contract/plans/index';
import { failed, ok, orThrow, RefusalError, type Result } from '../../base/index';
import { failedTogether, noteOf, notStarted, type StepNote } from '../logic/plan-record';
import { movedPlan } from '../logic/reproductions/moved-plan';
import { planReproduction } from '../logic/reproductions/plan';
import { newRecord, type Reproduction } from '../logic/reproductions/record';
import { viewOfReproduction } from '../logic/reproductions/view';
import { createPlanDriver, type PlanService } from '../plan-service';
import type { ReproductionDeps } from './deps';
import { readPlanInputs } from './plan-inputs';
import { openProgramCosts } from './program-costs';
import { createReproductionResults, emptyResult } from './reproduction-result';
import { createReproductionSteps } from './reproduction-steps';
import { openReproductionStore } from './reproduction-store';
import { createRunProgress } from './run-views';
import { takenOverAmounts } from './taken-over-amounts';

/** Plans and runs reproductions of exhibits, continues them after restarts, and fills their tables. */
export type ReproductionService = PlanService<ReproductionView> & {
  /** Changes nothing. */
  readonly plan: (request: ReproductionRequest) => Promise<Result<ReproductionPlan, Refusal>>;
  /** Refused where something is missing. Continues by itself after a restart. */
  readonly start: (request: ReproductionRequest) => Promise<Result<ReproductionView, Refusal>>;
  readonly retry: (id: string, stepId: string) => Promise<Result<ReproductionView, Refusal>>;
  readonly move: (
    id: string,
    stepId: string,
    machineId: string,
  ) => Promise<Result<ReproductionView, Refusal>>;
  /** Its studies and trainings stay. Refused while it runs. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  readonly decisions: (id: string) => Promise<Result<ReproductionDecision[], Refusal>>;
  /** The exhibit filled by this reproduction, else by the newest one at this scale, else empty cells. */
  readonly result: (
    exhibitId: string,
    scale: ReproductionRequest['scale'],
    id?: string,
  ) => Promise<Result<ExhibitResult, Refusal>>;
  /** The exhibit as it was when this started; null: there is no such reproduction. */
  readonly exhibitOf: (id: string) => Exhibit | null;
  /** Moves another lab's reproduction here from the folder `from` and lists it, read-only. */
  readonly adopt: (id: string, from: string) => Promise<Result<null, Refusal>>;
  /** Releases everything; running trainings and servers go on and are found again at the next start. */
  readonly dispose: () => Promise<void>;
};

/** Changes are emitted no more often: a view of thousands of steps is heavy. */
const EMIT_EVERY_MS = 1_000;

/** Opens the records in `folder` and continues what was running. Rejects where the folder cannot be read. */
export async function createReproductionService(deps: ReproductionDeps): Promise<ReproductionService> {
  const { exhibits, trainings, machines, clock, slots, events } = deps;
  const store = await openReproductionStore(deps.folder, clock, deps.onError);
  const programCosts = await openProgramCosts(deps.folder, deps.onError);
  const results = createReproductionResults({ ...deps, store });
  const progress = createRunProgress(deps, () => plans.emitChangesSoon());

  const viewsOf = (all: readonly Reproduction[]): ReproductionView[] => {
    const live = {
      trainings: new Map(trainings.list().map((training) => [training.id, training])),
      runs: progress.now(),
      studiesAtWork: progress.studiesAtWork(),
      slots,
    };
    return all.map((reproduction) =>
      viewOfReproduction(reproduction, { ...live, waitsFor: steps.waitsFor(reproduction.record.id) }),
    );
  };
  const steps = createReproductionSteps({
    ...deps,
    store,
    programCosts,
    onChange: () => plans.schedule(),
  });
  const plans = createPlanDriver<Reproduction, ReproductionView>({
    ...deps,
    noun: 'reproduction',
    store,
    viewsOf,
    reconcile: steps.reconcile,
    emitEveryMs: EMIT_EVERY_MS,
  });
  const studies = events.on((event) => {
    if (event.kind === 'study-removed') plans.schedule();
    if (event.kind === 'study-changed') plans.observe(event.view.study.id, event.view.state.kind);
  });

  /** The paper's values that the lab has entered belong to tables that were measured before, and to their bundles. */
  const takeEntered = async (): Promise<void> => {
    const own = store.list().filter(({ record }) => !record.readOnly);
    const current = own.length === 0 ? [] : (await exhibits.list()).exhibits;
    for (const { record } of own) {
      const entry = current.find(({ exhibit }) => exhibit.id === record.order.exhibitId);
      const exhibit = entry === undefined ? record.exhibit : withEnteredOf(record.exhibit, entry.exhibit);
      if (isDeepStrictEqual(exhibit, record.exhibit)) continue;
      orThrow(await store.change(record.id, (latest) => ({ ...latest, exhibit })));
      results.forget(record.id);
      plans.emitChangesSoon();
    }
  };
  let taking = Promise.resolve();
  const takeEnteredNext = (): Promise<void> => {
    taking = taking.then(takeEntered).catch((error: unknown) => {
      // Tables then lack what was entered; nothing that was measured is lost.
      deps.onError({ name: 'reproductions', key: null, error, failures: 1, waitMs: 0 });
    });
    return taking;
  };
  await takeEnteredNext();
  const entered = exhibits.onChange(() => void takeEnteredNext());

  const makePlan = async (request: ReproductionRequest) => {
    const entry = await exhibits.get(request.exhibitId);
    if (!entry.ok) return entry;
    const { exhibit, digest } = entry.value;
    if (exhibit.scales[request.scale] === null) {
      const message = `"${exhibit.title}" has no settings for the ${request.scale} scale.`;
      return failed<Refusal>({ code: 'bad-input', message });
    }
    const inputs = await readPlanInputs(request, { ...deps, programCosts });
    return ok({ exhibit, ...planReproduction(exhibit, digest, request, inputs) });
  };
  const findOwn = (id: string): Result<Reproduction, Refusal> => {
    const reproduction = store.find(id);
    if (!reproduction.ok || !reproduction.value.record.readOnly) return reproduction;
    return failed({ code: 'conflict', message: 'It came with a bundle, so it is read-only.' });
  };

  return {
    ...plans,
    plan: async (request) => {
      const planned = await makePlan(request);
      return planned.ok ? ok(planned.value.plan) : planned;
    },
    start: async (request) => {
      const planned = await makePlan(request);
      if (!planned.ok) return planned;
      const { exhibit, plan, work, unmeasured } = planned.value;
      if (plan.missing.length > 0) return failed(missingThings(plan));
      if (plan.steps.length === 0) return failed(nothingToDo());
      const id = deps.newId();
      const createdAt = new Date(clock.now()).toISOString();
      const took = await takenOverAmounts({ plan, work }, store.list(), deps);
      const record = newRecord({ id, exhibit, request, createdAt }, plan, work, took);
      const added = await store.add({ record, plan, work, unmeasured });
      if (!added.ok) return added;
      for (const note of plan.notes) await store.decide(id, null, note);
      for (const step of plan.steps) if (step.reuse !== null) await store.decide(id, step.id, step.reuse);
      return plans.viewAndSchedule(id, added);
    },
    pause: async (id) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      await store.decide(id, null, 'Paused.');
      return plans.pause(id);
    },
    resume: async (id) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const resumed = await plans.resume(id);
      results.forget(id);
      if (resumed.ok) await store.decide(id, null, 'Resumed.');
      return resumed;
    },
    retry: async (id, stepId) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const step = noteOf(reproduction.value.record, stepId);
      if (step.state.kind !== 'failed') {
        return failed({ code: 'conflict', message: 'Only a failed step can be retried.' });
      }
      await store.decide(id, stepId, 'Tried again.');
      const isRetried = (other: string, note: StepNote) => other === stepId || failedTogether(note, step);
      const retried = await plans.retry(id, isRetried);
      results.forget(id);
      return retried;
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
      const text = `Moved to ${machineId}. ${MOVED[training === null ? 'serve' : 'train']}`;
      await store.decide(id, stepId, text);
      const restart = async (): Promise<Result<null, Refusal>> => {
        try {
          if (training !== null) await steps.abandonTraining(id, stepId);
          if (serves.length > 0) await steps.halt(id);
          await store.note(id, [...serves, ...searches], notStarted);
        } catch (error) {
          if (error instanceof RefusalError) return failed(error.refusal);
          throw error;
        }
        return store.replan(id, next);
      };
      const restarted = await plans.between(restart);
      results.forget(id);
      return plans.viewAndSchedule(id, restarted);
    },
    remove: async (id) => {
      const view = plans.view(id);
      if (!view.ok) return view;
      const { kind } = view.value.state;
      if (kind === 'running' || kind === 'pausing') {
        const message = 'A running reproduction cannot be removed.';
        return failed({ code: 'conflict', message, hint: 'Pause it first.' });
      }
      const removed = await store.remove(id);
      if (!removed.ok) return removed;
      results.forget(id);
      plans.forget(id);
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
      // The lab's own reproduction has priority over one from a bundle, even a newer one.
      const newest = fitting.findLast(({ record }) => !record.readOnly) ?? fitting.at(-1);
      const found = id === undefined ? ok(newest) : store.find(id);
      if (!found.ok) return found;
      if (found.value !== undefined) {
        return ok(await results.read(found.value, viewsOf([found.value])[0] as ReproductionView));
      }
      const entry = await exhibits.get(exhibitId);
      return entry.ok ? ok(emptyResult(entry.value.exhibit, scale)) : entry;
    },
    exhibitOf: (id) => store.get(id)?.record.exhibit ?? null,
    adopt: async (id, from) => {
      const added = await store.adopt(id, from, { paused: true, removing: false, readOnly: true });
      if (added.ok) plans.emitChangesSoon();
      return added;
    },
    dispose: async () => {
      entered.dispose();
      await taking;
      studies.dispose();
      progress.dispose();
      await plans.dispose();
      await steps.dispose();
      await store.close();
    },
  };
}

const MOVED = {
  train: 'It resumes from its checkpoints if both machines share its folder, else it starts again.',
  serve: 'Searches that name the machine of their servers start again there; others continue.',
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
