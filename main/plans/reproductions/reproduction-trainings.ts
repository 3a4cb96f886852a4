import type { Refusal, TrainingView } from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import { addAmounts } from '../logic/reproductions/costs';
import { NO_AMOUNT } from '../logic/reproductions/plan-inputs';
import { noteOf, notStarted, type Reproduction, type StepNote } from '../logic/reproductions/record';
import { openSteps } from '../logic/reproductions/step-status';
import type { TrainWork } from '../logic/reproductions/work';
import { equalTraining } from '../logic/training-action';
import type { TrainingPlans, TrainingStepChange } from '../training-steps';
import type { ReproductionDeps } from './deps';
import { jobAmount } from './job-amount';
import type { ReproductionStore } from './reproduction-store';

export type ReproductionTrainings = TrainingPlans & {
  /** Stops what runs for this step alone, so that it can be done elsewhere. */
  readonly abandon: (id: string, stepId: string) => Promise<void>;
};

/** The training steps of reproductions. A training of the same settings, whoever began it, is not run twice. */
export function createReproductionTrainings(
  deps: Pick<ReproductionDeps, 'trainings' | 'jobs' | 'clock'> & {
    readonly store: ReproductionStore;
    /** Saves the learning curves of a training where the exhibit shows them. */
    readonly saveCurves: (
      reproduction: Reproduction,
      stepId: string,
      training: TrainingView,
    ) => Promise<Result<null, Refusal>>;
  },
): ReproductionTrainings {
  const { trainings, jobs, clock, store } = deps;

  const workOf = (reproduction: Reproduction, stepId: string): TrainWork | null => {
    const work = reproduction.work.get(stepId);
    return work?.kind === 'train' ? work : null;
  };
  /** What the last run of its job took; nothing where another plan counts its cost. */
  const tookBy = (training: TrainingView, { shared, took }: StepNote) => {
    const job = shared ? undefined : jobs.list().find(({ id }) => id === training.jobId);
    return addAmounts(took, job === undefined ? NO_AMOUNT : jobAmount(job.view, clock.now()));
  };
  const noteAfter = (change: TrainingStepChange, note: StepNote, at: string): Partial<StepNote> => {
    switch (change.kind) {
      case 'begun': {
        const { training, shared } = change;
        const trainingId = training.id;
        return { trainingId, attempts: 1, shared, state: { kind: 'begun' }, startedAt: at };
      }
      case 'resumed':
        return {
          attempts: note.attempts + 1,
          state: { kind: 'begun' },
          took: tookBy(change.training, note),
        };
      case 'halted':
        return { state: { kind: 'halted' } };
      case 'done':
        return {
          state: { kind: 'done', reused: note.shared },
          endedAt: at,
          took: tookBy(change.training, note),
        };
      case 'failed': {
        const { message, hint = null } = change.refusal;
        return { state: { kind: 'failed', message, hint: hint ?? hintAfter(change.cause) }, endedAt: at };
      }
      case 'forgotten':
        return notStarted(note);
    }
  };
  const decisionAfter = (change: TrainingStepChange, work: TrainWork | null): string | null => {
    switch (change.kind) {
      case 'begun': {
        const { name, createdAt } = change.training;
        return change.shared
          ? `Shares the training "${name}" of ${createdAt}: the same settings and seed, so it is not run twice.`
          : `Started "${name}" on ${work?.order.machineId}.`;
      }
      case 'resumed':
        return 'Resumed the training from its last checkpoint.';
      case 'forgotten':
        return 'Its training was removed, so it is started again.';
      default:
        return null;
    }
  };

  return {
    open: (id) => {
      const reproduction = store.get(id);
      if (reproduction === null) return null;
      const steps = openSteps(reproduction, 'train').flatMap((step) => {
        const work = workOf(reproduction, step.id);
        if (work === null) return [];
        return [{ id: step.id, record: noteOf(reproduction.record, step.id), request: work.order }];
      });
      return { paused: reproduction.record.paused, steps };
    },
    origin: (reproductionId) => ({ reproductionId }),
    existing: (id, { request }, all) => {
      const training = equalTraining(request.spec, request.machineId, all);
      return training === null ? null : { training, own: training.reproductionId === id };
    },
    note: async (id, stepId, change) => {
      const at = new Date(clock.now()).toISOString();
      const reproduction = store.get(id);
      await store.note(id, [stepId], (note) => noteAfter(change, note, at));
      const decision = decisionAfter(change, reproduction === null ? null : workOf(reproduction, stepId));
      if (decision !== null) await store.decide(id, stepId, decision);
    },
    collect: async (id, stepId, training) => {
      const reproduction = store.get(id);
      return reproduction === null ? ok(null) : deps.saveCurves(reproduction, stepId, training);
    },
    abandon: async (id, stepId) => {
      const reproduction = store.get(id);
      if (reproduction === null) return;
      const note = noteOf(reproduction.record, stepId);
      const training = trainings.list().find((known) => known.id === note.trainingId);
      if (training !== undefined && !note.shared && note.state.kind === 'begun') {
        await trainings.stop(training.id);
      }
      await store.note(id, [stepId], (now) => {
        const isBegun = training !== undefined && now.state.kind === 'begun';
        return { ...notStarted(now), took: isBegun ? tookBy(training, now) : now.took };
      });
    },
  };
}

/** What to do about a step that failed. */
function hintAfter(cause: 'stopped' | 'failed' | 'cut-off' | 'refused'): string | null {
  if (cause === 'refused') return null;
  if (cause === 'stopped') return 'Retry the step to continue it.';
  return 'Retry the step once its cause is gone.';
}
