import {
  jobHasEnded,
  type Refusal,
  type TrainingRequest,
  type TrainingView,
} from '../../preload/contract/index';
import { assertNever, orThrow, type Result } from '../base/index';
import type { TrainingService } from '../trainings/index';
import { whatMartiMade } from './logic/reproductions/training-requests';
import {
  type ExistingTraining,
  nextTrainingAction,
  type TrainingAction,
  type TrainingStepRecord,
} from './logic/training-action';

/** What a training is started for. */
type TrainingOrigin = NonNullable<Parameters<TrainingService['startMany']>[1]>;

/** A training step that is not settled. */
export type TrainingStep = {
  readonly id: string;
  readonly record: TrainingStepRecord;
  readonly request: TrainingRequest;
};

/** What became of a step, for the plan's record. */
export type TrainingStepChange =
  | { readonly kind: 'begun'; readonly training: TrainingView; readonly shared: boolean }
  | { readonly kind: 'resumed'; readonly training: TrainingView }
  | { readonly kind: 'halted' }
  | { readonly kind: 'done'; readonly training: TrainingView }
  | {
      readonly kind: 'failed';
      /** refused: the trainings' service did not do it. */
      readonly cause: 'stopped' | 'failed' | 'cut-off' | 'refused';
      readonly refusal: Refusal;
    }
  | { readonly kind: 'forgotten' };

/** A kind of plan, as far as its trainings go. */
export type TrainingPlans = {
  /** In the order in which they are started; null: there is no such plan, or its trainings are not to be touched. */
  readonly open: (
    planId: string,
  ) => { readonly paused: boolean; readonly steps: readonly TrainingStep[] } | null;
  readonly origin: (planId: string) => TrainingOrigin;
  /** A training that can stand for this planned step. */
  readonly existing: (
    planId: string,
    step: TrainingStep,
    all: readonly TrainingView[],
  ) => ExistingTraining | null;
  /** Rejects where it cannot be written. */
  readonly note: (planId: string, stepId: string, change: TrainingStepChange) => Promise<void>;
  /** Saves what the training measured, before the step counts as done. */
  readonly collect: (
    planId: string,
    stepId: string,
    training: TrainingView,
  ) => Promise<Result<null, Refusal>>;
};

export type TrainingSteps = {
  /** Does what is due for all training steps of a plan: follows those that were started, then starts others. */
  readonly reconcile: (planId: string) => Promise<void>;
};

export function createTrainingSteps(deps: {
  readonly plans: TrainingPlans;
  readonly trainings: Pick<TrainingService, 'list' | 'startMany' | 'stop' | 'resume'>;
  /** Pocket trainings that may run at once, whoever started them. */
  readonly slots: number;
  /** When this workbench was opened, ISO date. */
  readonly since: string;
}): TrainingSteps {
  const { plans, trainings, slots, since } = deps;

  const refused = (planId: string, stepId: string, refusal: Refusal): Promise<void> =>
    plans.note(planId, stepId, { kind: 'failed', cause: 'refused', refusal });

  /** Together, so that a cluster gets those that ask for the same as one array. */
  const start = async (planId: string, planned: readonly TrainingStep[]): Promise<void> => {
    // A plan may be older than what is known of MARTI: days of GPUs are not spent on something else than it says.
    const whyNot = ({ request: { spec } }: TrainingStep) =>
      spec.kind === 'marti' ? whatMartiMade(spec) : null;
    for (const step of planned) {
      const made = whyNot(step);
      if (made === null) continue;
      const hint = 'Name checkpoints of the method in a new plan.';
      await refused(planId, step.id, { code: 'unavailable', message: `It is not started. ${made}`, hint });
    }
    const steps = planned.filter((step) => whyNot(step) === null);
    if (steps.length === 0) return;
    // The trainings' service notes them before they run; one whose start is cut off here is found again (`existing`).
    const started = await trainings.startMany(
      steps.map(({ request }) => request),
      plans.origin(planId),
    );
    for (const [at, { id }] of steps.entries()) {
      const training = started[at];
      if (training?.ok)
        await plans.note(planId, id, { kind: 'begun', training: training.value, shared: false });
      else if (training !== undefined) await refused(planId, id, training.error);
    }
  };

  const run = async (planId: string, step: TrainingStep, action: TrainingAction): Promise<void> => {
    const { id, record } = step;
    switch (action.kind) {
      case 'nothing':
        return;
      case 'start':
        return start(planId, [step]);
      case 'resume': {
        await plans.note(planId, id, { kind: 'resumed', training: action.training });
        const resumed = await trainings.resume(action.training.id);
        if (!resumed.ok) await refused(planId, id, resumed.error);
        return;
      }
      case 'adopt':
        return plans.note(planId, id, { kind: 'begun', training: action.training, shared: !action.own });
      case 'stop':
        if (record.state.kind !== 'halted') await plans.note(planId, id, { kind: 'halted' });
        if (!record.shared) orThrow(await trainings.stop(action.training.id));
        return;
      case 'collect': {
        const collected = await plans.collect(planId, id, action.training);
        if (collected.ok) await plans.note(planId, id, { kind: 'done', training: action.training });
        else await refused(planId, id, collected.error);
        return;
      }
      case 'fail': {
        const refusal: Refusal = { code: 'internal', message: action.message };
        return plans.note(planId, id, { kind: 'failed', cause: action.cause, refusal });
      }
      case 'forget':
        return plans.note(planId, id, { kind: 'forgotten' });
      default:
        return assertNever(action);
    }
  };

  const isRunningPocket = ({ spec, state }: TrainingView): boolean =>
    spec.kind === 'pocket' && !jobHasEnded(state);

  return {
    reconcile: async (planId) => {
      for (const isStart of [false, true]) {
        // Read again: the plan may have been paused or removed meanwhile.
        const plan = plans.open(planId);
        if (plan === null) return;
        const all = trainings.list();
        let free = slots - all.filter(isRunningPocket).length;
        const due = plan.steps
          .map((step) => {
            const { record } = step;
            const training = all.find(({ id }) => id === record.trainingId) ?? null;
            const existing = record.state.kind === 'planned' ? plans.existing(planId, step, all) : null;
            const observed = { training, existing, paused: plan.paused, since };
            return { step, action: nextTrainingAction(record, observed) };
          })
          .filter(({ action }) => (action.kind === 'start' || action.kind === 'resume') === isStart)
          .filter(({ step }) => !isStart || step.request.spec.kind !== 'pocket' || free-- > 0);
        const starts = due.flatMap(({ step, action }) => (action.kind === 'start' ? [step] : []));
        const others = due.filter(({ action }) => action.kind !== 'start');
        await allSettled([
          start(planId, starts),
          ...others.map(({ step, action }) => run(planId, step, action)),
        ]);
      }
    },
  };
}

/** Waits for all of them, so that none overlaps with the next tick; then rejects as the first that did. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
