import type {
  Exhibit,
  ExhibitResult,
  Refusal,
  ReproductionDecision,
  ReproductionPlan,
  ReproductionRequest,
  ReproductionView,
  WorkbenchEvent,
} from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { OutcomeFile } from '../../storage/index';
import { failedInOneStudy, noteOf, type StepNote } from '../logic/plan-record';
import { planReproduction } from '../logic/reproductions/plan';
import { newRecord, type Reproduction } from '../logic/reproductions/record';
import { viewOfReproduction } from '../logic/reproductions/view';
import { createPlanDriver, type PlanDriver, type PlanService } from '../plan-service';
import type { ReproductionDeps } from './deps';
import { takeEnteredValues } from './entered-values';
import { outcomeFilesOf } from './metric-steps';
import { moveStep } from './move-step';
import { readPlanInputs } from './plan-inputs';
import { openProgramCosts, type ProgramCosts } from './program-costs';
import { createReproductionResults, emptyResult } from './reproduction-result';
import { createReproductionSteps } from './reproduction-steps';
import { openReproductionStore, type ReproductionStore } from './reproduction-store';
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
  /** Files beside the runs' journals that its cells and lines are made from. */
  readonly outcomeFiles: (id: string) => Promise<readonly OutcomeFile[]>;
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
    const byId = new Map(trainings.list().map((training) => [training.id, training]));
    const live = { trainings: byId, runs: progress.now(), studiesAtWork: progress.studiesAtWork(), slots };
    return all.map((plan) => viewOfReproduction(plan, { ...live, waitsFor: steps.waitsFor(plan.record.id) }));
  };
  const steps = createReproductionSteps({ ...deps, store, programCosts, onChange: () => plans.schedule() });
  const plans = createPlanDriver<Reproduction, ReproductionView>({
    ...deps,
    noun: 'reproduction',
    store,
    viewsOf,
    reconcile: steps.reconcile,
    emitEveryMs: EMIT_EVERY_MS,
  });
  const studies = events.on((event) => followStudies(event, plans));

  const entered = takeEnteredValues({ ...deps, store }, (id) => {
    results.forget(id);
    plans.emitChangesSoon();
  });
  await entered.isTaken();

  const makePlan = (request: ReproductionRequest) => planFor(request, { ...deps, programCosts });
  const findOwn = (id: string) => ownReproduction(store, id);
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
      if (plan.missing.length > 0) return failed(missingRefusal(plan));
      if (plan.steps.length === 0) return failed(nothingToDo());
      const id = deps.newId();
      const createdAt = new Date(clock.now()).toISOString();
      const took = await takenOverAmounts({ plan, work }, store.list(), deps);
      const record = newRecord({ id, exhibit, request, createdAt }, plan, work, took);
      const added = await addPlanned(store, { record, plan, work, unmeasured });
      return added.ok ? plans.viewAndSchedule(id, added) : added;
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
      const retried = await retryStep({ store, plans }, reproduction.value, stepId);
      if (retried.ok) results.forget(id);
      return retried;
    },
    move: async (id, stepId, machineId) => {
      const reproduction = findOwn(id);
      if (!reproduction.ok) return reproduction;
      const moved = await moveStep({ store, steps, plans, trainings, machines }, reproduction.value, {
        stepId,
        machineId,
      });
      if (!moved.ok) return moved;
      results.forget(id);
      return plans.viewAndSchedule(id, moved.value);
    },
    remove: async (id) => {
      const removed = await removeStopped({ store, plans, trainings }, id);
      if (removed.ok) results.forget(id);
      return removed;
    },
    decisions: async (id) => {
      const reproduction = store.find(id);
      return reproduction.ok ? ok(await store.decisions(id)) : reproduction;
    },
    result: async (exhibitId, scale, id) => {
      const reproduction = reproductionFor(store, exhibitId, scale, id);
      if (!reproduction.ok) return reproduction;
      if (reproduction.value !== undefined) {
        const [view] = viewsOf([reproduction.value]);
        return ok(await results.read(reproduction.value, view as ReproductionView));
      }
      const entry = await exhibits.get(exhibitId);
      return entry.ok ? ok(emptyResult(entry.value.exhibit, scale)) : entry;
    },
    outcomeFiles: (id) => outcomeFilesOf(store, store.get(id)),
    exhibitOf: (id) => store.get(id)?.record.exhibit ?? null,
    adopt: async (id, from) => {
      const added = await store.adopt(id, from, { paused: true, removing: false, readOnly: true });
      if (added.ok) plans.emitChangesSoon();
      return added;
    },
    dispose: async () => {
      entered.dispose();
      await entered.isTaken();
      studies.dispose();
      progress.dispose();
      await plans.dispose();
      await steps.dispose();
      await store.close();
    },
  };
}

/** Notes what its plan decided. */
async function addPlanned(
  store: ReproductionStore,
  reproduction: Reproduction,
): Promise<ReturnType<ReproductionStore['add']>> {
  const { record, plan } = reproduction;
  const added = await store.add(reproduction);
  if (!added.ok) return added;
  for (const note of plan.notes) await store.decide(record.id, null, note);
  for (const step of plan.steps) if (step.reuse !== null) await store.decide(record.id, step.id, step.reuse);
  return added;
}

function followStudies(event: WorkbenchEvent, plans: PlanDriver<ReproductionView>): void {
  if (event.kind === 'study-removed') plans.schedule();
  if (event.kind === 'study-changed') plans.observe(event.view.study.id, event.view.state.kind);
}

/** Refused for one that came with a bundle. */
function ownReproduction(store: ReproductionStore, id: string): Result<Reproduction, Refusal> {
  const reproduction = store.find(id);
  if (!reproduction.ok || !reproduction.value.record.readOnly) return reproduction;
  return failed({ code: 'conflict', message: 'It came with a bundle, so it is read-only.' });
}

type PlanParts = {
  readonly store: ReproductionStore;
  readonly plans: PlanDriver<ReproductionView>;
};

async function retryStep(
  { store, plans }: PlanParts,
  { record }: Reproduction,
  stepId: string,
): Promise<Result<ReproductionView, Refusal>> {
  const step = noteOf(record, stepId);
  if (step.state.kind !== 'failed') {
    return failed({ code: 'conflict', message: 'Only a failed step can be retried.' });
  }
  await store.decide(record.id, stepId, 'Tried again.');
  const isRetried = (other: string, note: StepNote) => other === stepId || failedInOneStudy(note, step);
  return plans.retry(record.id, isRetried);
}

async function removeStopped(
  { store, plans, trainings }: PlanParts & Pick<ReproductionDeps, 'trainings'>,
  id: string,
): Promise<Result<null, Refusal>> {
  const view = plans.view(id);
  if (!view.ok) return view;
  const { kind } = view.value.state;
  if (kind === 'running' || kind === 'pausing') {
    const message = 'A running reproduction cannot be removed.';
    return failed({ code: 'conflict', message, hint: 'Pause it first.' });
  }
  const removed = await store.remove(id);
  if (!removed.ok) return removed;
  plans.forget(id);
  await trainings.leaveReproduction(id);
  return ok(null);
}

async function planFor(
  request: ReproductionRequest,
  deps: ReproductionDeps & { readonly programCosts: ProgramCosts },
) {
  const entry = await deps.exhibits.get(request.exhibitId);
  if (!entry.ok) return entry;
  const { exhibit, digest } = entry.value;
  if (exhibit.scales[request.scale] === null) {
    const message = `"${exhibit.title}" has no settings for the ${request.scale} scale.`;
    return failed<Refusal>({ code: 'bad-input', message });
  }
  const inputs = await readPlanInputs(request, deps);
  return ok({ exhibit, ...planReproduction(exhibit, digest, request, inputs) });
}

/** With this id, else the newest of the exhibit at this scale: the lab's own before one from a bundle, even a newer one. */
function reproductionFor(
  store: ReproductionStore,
  exhibitId: string,
  scale: ReproductionRequest['scale'],
  id: string | undefined,
): Result<Reproduction | undefined, Refusal> {
  if (id !== undefined) return store.find(id);
  const fitting = store
    .list()
    .filter(({ record }) => record.order.exhibitId === exhibitId && record.order.scale === scale);
  return ok(fitting.findLast(({ record }) => !record.readOnly) ?? fitting.at(-1));
}

function missingRefusal({ missing }: ReproductionPlan): Refusal {
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
