import type { PlanStep, Refusal, TrainingView } from '../../../preload/contract/index';
import type { Result } from '../../base/index';
import { addAmounts } from '../logic/reproductions/costs';
import { noteOf, notStarted, type Reproduction } from '../logic/reproductions/record';
import { openSteps } from '../logic/reproductions/step-status';
import { equalTraining, type TrainingDeed, trainingDeed } from '../logic/reproductions/training-deed';
import { whatMartiMade } from '../logic/reproductions/training-requests';
import type { TrainWork } from '../logic/reproductions/work';
import type { ReproductionDeps } from './deps';
import { jobAmount } from './job-amount';
import type { ReproductionBook } from './reproduction-book';

/** Trainings of a reproduction: begun where there is room, gone on with, handed over when they are done. */
export type TrainingTurns = {
  /** One pass over all that go on, then over all that could begin. `free`: pocket trainings that may be begun. */
  readonly turn: (id: string, free: number) => Promise<void>;
  /** Stops what runs for this step alone, so that it can be done elsewhere. */
  readonly abandon: (id: string, stepId: string) => Promise<void>;
};

export function createTrainingTurns(
  around: Pick<ReproductionDeps, 'trainings' | 'jobs' | 'clock'> & {
    readonly book: ReproductionBook;
    /** When this workbench was opened, ISO date. */
    readonly since: string;
    /** Keeps what the training measured, before the step counts as done. */
    readonly onDone: (id: string, step: PlanStep, training: TrainingView) => Promise<Result<null, Refusal>>;
  },
): TrainingTurns {
  const { trainings, jobs, clock, book, since } = around;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  const workOf = (one: Reproduction, stepId: string): TrainWork | null => {
    const work = one.work.get(stepId);
    return work?.kind === 'train' ? work : null;
  };

  const fail = (id: string, stepId: string, message: string, hint: string | null = null) =>
    book.note(id, [stepId], { state: { kind: 'failed', message, hint }, endedAt: isoNow() });
  /** What this life of its job took; nothing where another plan answers for it. */
  const lifeOf = (training: TrainingView, shared: boolean) =>
    jobAmount(shared ? null : jobs.list().find(({ id }) => id === training.jobId)?.view, clock.now());

  /** In one go, so that a cluster gets those that ask for the same as one array. */
  const startAll = async (one: Reproduction, steps: readonly PlanStep[]): Promise<void> => {
    const { id } = one.record;
    const asked = steps.flatMap((step) => {
      const work = workOf(one, step.id);
      return work === null ? [] : [{ step, order: work.order }];
    });
    // Ordered before it was known what MARTI makes of it: days of GPUs are not spent on something else than the cell says.
    for (const { step, order } of asked) {
      const made = order.spec.kind === 'marti' ? whatMartiMade(order.spec) : null;
      if (made !== null)
        await fail(id, step.id, `It is not started. ${made}`, 'Name checkpoints in a new order.');
    }
    const works = asked.filter(
      ({ order }) => order.spec.kind !== 'marti' || whatMartiMade(order.spec) === null,
    );
    if (works.length === 0) return;
    // Noted by the trainings' service before they run; one whose start is cut off here is found by its settings.
    const all = await trainings.startMany(
      works.map(({ order }) => order),
      { reproductionId: id },
    );
    for (const [at, { step, order }] of works.entries()) {
      const started = all[at];
      if (started === undefined) continue;
      if (!started.ok) {
        await fail(id, step.id, started.error.message, started.error.hint ?? null);
        continue;
      }
      await book.note(id, [step.id], {
        trainingId: started.value.id,
        attempts: 1,
        state: { kind: 'begun' },
        startedAt: isoNow(),
      });
      await book.decide(id, step.id, `Began "${order.name}" on ${order.machineId}.`);
    }
  };
  const resume = async (id: string, step: PlanStep, training: TrainingView): Promise<void> => {
    const noted = await book.note(id, [step.id], (note) => ({
      attempts: note.attempts + 1,
      state: { kind: 'begun' },
      took: addAmounts(note.took, lifeOf(training, note.shared)),
    }));
    if (!noted.ok) return;
    const resumed = await trainings.resume(training.id);
    if (!resumed.ok) await fail(id, step.id, resumed.error.message, resumed.error.hint ?? null);
    else await book.decide(id, step.id, 'Went on with the training from its last checkpoint.');
  };
  const collect = async (id: string, step: PlanStep, training: TrainingView): Promise<void> => {
    const kept = await around.onDone(id, step, training);
    if (!kept.ok) {
      await fail(id, step.id, kept.error.message, kept.error.hint ?? null);
      return;
    }
    await book.note(id, [step.id], (note) => ({
      state: { kind: 'done', reused: note.shared },
      endedAt: isoNow(),
      took: addAmounts(note.took, lifeOf(training, note.shared)),
    }));
  };

  const deedOf = (one: Reproduction, step: PlanStep, all: readonly TrainingView[]): TrainingDeed => {
    const note = noteOf(one.record, step.id);
    const work = workOf(one, step.id);
    if (work === null) return { kind: 'nothing' };
    const training = all.find(({ id }) => id === note.trainingId) ?? null;
    const equal =
      note.state.kind === 'planned' ? equalTraining(work.order.spec, work.order.machineId, all) : null;
    return trainingDeed(
      note,
      training,
      equal === null ? null : { training: equal, own: equal.reproductionId === one.record.id },
      { paused: one.record.paused, since },
    );
  };
  const isPocket = (one: Reproduction, step: PlanStep): boolean =>
    workOf(one, step.id)?.order.spec.kind === 'pocket';

  const doDeed = async (one: Reproduction, step: PlanStep, deed: TrainingDeed): Promise<void> => {
    const { id } = one.record;
    switch (deed.kind) {
      case 'nothing':
      case 'wait':
        return;
      case 'start':
        await startAll(one, [step]);
        return;
      case 'resume': {
        const training = trainings.list().find((known) => known.id === deed.trainingId);
        if (training !== undefined) await resume(id, step, training);
        return;
      }
      case 'adopt':
        await book.note(id, [step.id], {
          trainingId: deed.training.id,
          attempts: 1,
          shared: !deed.own,
          state: { kind: 'begun' },
          startedAt: isoNow(),
        });
        if (!deed.own) {
          const text = `Shares the training "${deed.training.name}" of ${deed.training.createdAt}: the same settings and seed, so it is not run twice.`;
          await book.decide(id, step.id, text);
        }
        return;
      case 'halt': {
        const { shared } = noteOf(one.record, step.id);
        const noted = await book.note(id, [step.id], { state: { kind: 'halted' } });
        if (noted.ok && !shared) await trainings.stop(deed.trainingId);
        return;
      }
      case 'collect':
        await collect(id, step, deed.training);
        return;
      case 'fail':
        await fail(id, step.id, deed.message, 'Retry the step once its cause is gone.');
        return;
      case 'forget':
        await book.note(id, [step.id], notStarted);
        await book.decide(id, step.id, 'Its training was removed, so it is begun anew.');
        return;
    }
  };

  return {
    turn: async (id, free) => {
      for (const begins of [false, true]) {
        const one = book.get(id);
        if (one === null) return;
        const all = trainings.list();
        const deeds = openSteps(one, 'train').map((step) => ({ step, deed: deedOf(one, step, all) }));
        const due = deeds.filter(
          ({ deed }) =>
            (deed.kind === 'start' || deed.kind === 'resume') === begins && deed.kind !== 'nothing',
        );
        let left = free;
        const fitting = due.filter(({ step }) => !begins || !isPocket(one, step) || left-- > 0);
        const starts = fitting.filter(({ deed }) => deed.kind === 'start');
        const others = fitting.filter(({ deed }) => deed.kind !== 'start');
        await Promise.all([
          startAll(
            one,
            starts.map(({ step }) => step),
          ),
          ...others.map(({ step, deed }) => doDeed(one, step, deed)),
        ]);
      }
    },
    abandon: async (id, stepId) => {
      const one = book.get(id);
      if (one === null) return;
      const note = noteOf(one.record, stepId);
      const training = trainings.list().find((known) => known.id === note.trainingId);
      if (training !== undefined && !note.shared && note.state.kind === 'begun') {
        await trainings.stop(training.id);
      }
      await book.note(id, [stepId], (now) => ({
        ...notStarted(now),
        took:
          training === undefined || now.state.kind !== 'begun'
            ? now.took
            : addAmounts(now.took, lifeOf(training, now.shared)),
      }));
    },
  };
}
