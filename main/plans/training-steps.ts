import {
  type Amount,
  jobHasEnded,
  type Refusal,
  type TrainingRequest,
  type TrainingView,
} from '../../preload/contract/index';
import { assertNever, orThrow, type Result } from '../base/index';
import type { TrainingService } from '../trainings/index';
import { addAmounts, NO_AMOUNT } from './logic/costs';
import { noteOf, notStarted, type Plan, type StepNote } from './logic/plan-record';
import { martiOutputNote } from './logic/reproductions/training-requests';
import { openSteps } from './logic/step-status';
import { type ExistingTraining, nextTrainingAction, type TrainingAction } from './logic/training-action';
import type { PlanStore } from './plan-store';

/** The step that a training is started for. */
type TrainingOrigin = NonNullable<Parameters<TrainingService['startMany']>[1]>;

/** What differs between kinds of plans, as far as their trainings go. */
export type TrainingKind<P extends Plan> = {
  readonly origin: (planId: string) => TrainingOrigin;
  /** A training that can stand for a planned step. */
  readonly existing: (
    plan: P,
    request: TrainingRequest,
    all: readonly TrainingView[],
  ) => ExistingTraining | null;
  /** Saves what the training measured, before the step counts as done. */
  readonly collect: (plan: P, stepId: string, training: TrainingView) => Promise<Result<null, Refusal>>;
  /** What a training took since it was last started or resumed. */
  readonly amountOf: (training: TrainingView) => Amount;
  /** How a failure is noted. refused: the trainings' service did not do it. */
  readonly failure: (
    cause: 'stopped' | 'failed' | 'refused',
    refusal: Refusal,
  ) => { readonly message: string; readonly hint: string | null };
  /** Records decisions; left out: they are not recorded. */
  readonly decide?: (planId: string, stepId: string, text: string) => Promise<void>;
};

export type TrainingSteps = {
  /** Does what is due for all training steps of a plan: follows those that were started, then starts others. */
  readonly reconcile: (planId: string) => Promise<void>;
  /** Stops what runs for this step alone, so that it can be done elsewhere. */
  readonly abandon: (planId: string, stepId: string) => Promise<void>;
};

type TrainingStep = {
  readonly id: string;
  readonly note: StepNote;
  readonly request: TrainingRequest;
};

/** What plans of both kinds need of trainings. */
export type PlanTrainings = Pick<
  TrainingService,
  'list' | 'plan' | 'startMany' | 'stop' | 'resume' | 'curves' | 'onChange' | 'onRemoved'
>;

export function createTrainingSteps<P extends Plan>(deps: {
  readonly kind: TrainingKind<P>;
  readonly store: Pick<PlanStore<P>, 'get' | 'note' | 'fail'>;
  readonly trainings: Pick<TrainingService, 'list' | 'startMany' | 'stop' | 'resume'>;
  /**
   * How many trainings on processors may run at once, whatever started them; trainings with GPUs wait for these as
   * jobs.
   */
  readonly slots: number;
  readonly clock: { readonly now: () => number };
}): TrainingSteps {
  const { kind, store, trainings, slots, clock } = deps;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  const since = isoNow();

  const decide = async (planId: string, stepId: string, text: string): Promise<void> =>
    kind.decide?.(planId, stepId, text);
  const fail = (
    planId: string,
    stepId: string,
    cause: Parameters<typeof kind.failure>[0],
    refusal: Refusal,
  ) => store.fail(planId, [stepId], kind.failure(cause, refusal));
  /** The same whether this plan or another had it trained. */
  const tookBy = (training: TrainingView, { shared, took }: StepNote): Amount =>
    addAmounts(shared ? NO_AMOUNT : took, kind.amountOf(training));

  const begin = async (
    planId: string,
    stepId: string,
    training: TrainingView,
    shared: boolean,
  ): Promise<void> => {
    const startedNote = { trainingId: training.id, state: { kind: 'begun' }, startedAt: isoNow() } as const;
    await store.note(planId, [stepId], { ...startedNote, shared });
    await decide(planId, stepId, startedText(training, shared));
  };
  const start = (planId: string, planned: readonly TrainingStep[]): Promise<void> =>
    startAll(planned, {
      startMany: (requests) => trainings.startMany(requests, kind.origin(planId)),
      begin: (stepId, training) => begin(planId, stepId, training, false),
      refuse: (stepId, refusal) => fail(planId, stepId, 'refused', refusal),
    });

  const run = async (plan: P, { id, note }: TrainingStep, action: TrainingAction): Promise<void> => {
    const planId = plan.record.id;
    switch (action.kind) {
      case 'nothing':
      // Started together with others.
      case 'start':
        return;
      case 'resume': {
        const took = tookBy(action.training, note);
        await store.note(planId, [id], { state: { kind: 'begun' }, took });
        await decide(planId, id, 'Resumed the training from its last checkpoint.');
        const resumed = await trainings.resume(action.training.id);
        if (!resumed.ok) await fail(planId, id, 'refused', resumed.error);
        return;
      }
      case 'adopt':
        return begin(planId, id, action.training, !action.own);
      case 'stop':
        if (note.state.kind !== 'halted') await store.note(planId, [id], { state: { kind: 'halted' } });
        if (!note.shared) orThrow(await trainings.stop(action.training.id));
        return;
      case 'collect': {
        const collected = await kind.collect(plan, id, action.training);
        if (!collected.ok) return fail(planId, id, 'refused', collected.error);
        const state = { kind: 'done', reused: note.shared } as const;
        const took = tookBy(action.training, note);
        return store.note(planId, [id], { state, endedAt: isoNow(), took });
      }
      case 'fail':
        return fail(planId, id, action.cause, { code: 'internal', message: action.message });
      case 'forget':
        await store.note(planId, [id], notStarted);
        return decide(planId, id, 'Its training was removed, so it is started again.');
      default:
        return assertNever(action);
    }
  };

  return {
    reconcile: async (planId) => {
      for (const isStart of [false, true]) {
        // Read again: the plan may have been paused or removed meanwhile.
        const plan = store.get(planId);
        if (plan === null) return;
        const all = trainings.list();
        const open = openTrainings(plan);
        let free = slots - busySlots(all, open);
        const due = open
          .map((step) => {
            const training = all.find(({ id }) => id === step.note.trainingId) ?? null;
            const isPlanned = step.note.state.kind === 'planned';
            const existing = isPlanned ? kind.existing(plan, step.request, all) : null;
            const observed = { training, existing, paused: plan.record.paused, since };
            return { step, action: nextTrainingAction(step.note, observed) };
          })
          .filter(({ action }) => (action.kind === 'start' || action.kind === 'resume') === isStart)
          .filter(({ step }) => !isStart || !isOnProcessors(step.request) || free-- > 0);
        await allSettled([
          start(
            planId,
            due.flatMap(({ step, action }) => (action.kind === 'start' ? [step] : [])),
          ),
          ...due.map(({ step, action }) => run(plan, step, action)),
        ]);
      }
    },
    abandon: async (planId, stepId) => {
      const plan = store.get(planId);
      if (plan === null) return;
      const { trainingId, shared, state } = noteOf(plan.record, stepId);
      const training = trainings.list().find(({ id }) => id === trainingId);
      if (training !== undefined && !shared && state.kind === 'begun') await trainings.stop(training.id);
      await store.note(planId, [stepId], (note) => {
        const hasBegun = training !== undefined && note.state.kind === 'begun';
        const reset = notStarted(note);
        return hasBegun && !note.shared ? { ...reset, took: tookBy(training, note) } : reset;
      });
    },
  };
}

/** Pocket trainings of anybody, and the plan's own of language models without GPUs. */
function busySlots(all: readonly TrainingView[], open: readonly TrainingStep[]): number {
  const isRunningModel = ({ note, request }: TrainingStep): boolean =>
    request.spec.kind === 'model' &&
    isOnProcessors(request) &&
    all.some(({ id, state }) => id === note.trainingId && !jobHasEnded(state));
  return all.filter(isRunningPocket).length + open.filter(isRunningModel).length;
}

/** It takes cores, which no queue divides: pocket policies, and language models without GPUs. */
function isOnProcessors({ spec, resources }: TrainingRequest): boolean {
  const hasNoGpus = resources.gpus === 0 && resources.gpuIds === null;
  return spec.kind === 'pocket' || (spec.kind === 'model' && spec.device !== 'cuda' && hasNoGpus);
}

/** All at once, so that a cluster gets those with equal resources as one array. */
async function startAll(
  planned: readonly TrainingStep[],
  options: {
    readonly startMany: (requests: readonly TrainingRequest[]) => ReturnType<TrainingService['startMany']>;
    readonly begin: (stepId: string, training: TrainingView) => Promise<void>;
    readonly refuse: (stepId: string, refusal: Refusal) => Promise<void>;
  },
): Promise<void> {
  // An older plan may contain MARTI trainings that are now known to train another method. Refuse them: they take days
  // of GPU time.
  const otherMethodNote = ({ request: { spec } }: TrainingStep) =>
    spec.kind === 'marti' ? martiOutputNote(spec) : null;
  for (const step of planned) {
    const note = otherMethodNote(step);
    if (note === null) continue;
    const hint = 'Name checkpoints of the method in a new plan.';
    const message = `It is not started. ${note}`;
    await options.refuse(step.id, { code: 'unavailable', message, hint });
  }
  const steps = planned.filter((step) => otherMethodNote(step) === null);
  if (steps.length === 0) return;
  // The trainings' service notes them before they run; one whose start is cut off here is found again (`existing`).
  const started = await options.startMany(steps.map(({ request }) => request));
  for (const [at, { id }] of steps.entries()) {
    const training = started[at];
    if (training?.ok) await options.begin(id, training.value);
    else if (training !== undefined) await options.refuse(id, training.error);
  }
}

function startedText({ name, machineId, createdAt }: TrainingView, shared: boolean): string {
  return shared
    ? `Shares the training "${name}" of ${createdAt}: the same settings and seed, so it is not run twice.`
    : `Started "${name}" on ${machineId}.`;
}

const isRunningPocket = ({ spec, state }: TrainingView): boolean =>
  spec.kind === 'pocket' && !jobHasEnded(state);

function openTrainings(plan: Plan): TrainingStep[] {
  return openSteps(plan, 'train').flatMap(({ id }) => {
    const work = plan.work.get(id);
    return work?.kind === 'train' ? [{ id, note: noteOf(plan.record, id), request: work.order }] : [];
  });
}

/** Waits for all of them, so that none overlaps with the next tick; then rejects as the first that did. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
