import { setImmediate as breathe } from 'node:timers/promises';
import {
  type ExperimentRequest,
  type ExperimentResult,
  type ExperimentView,
  jobHasEnded,
  type Refusal,
  type TrainingCurve,
  type TrainingView,
} from '../../../preload/contract/index';
import { type CsvFile, failed, ok, orThrow, type Result } from '../../base/index';
import { type DoneTraining, experimentResultInSteps } from '../../metrics/index';
import type { TrainingService } from '../../trainings/index';
import { cellsCsv, pairsCsv } from '../logic/experiments/experiment-csv';
import {
  type Experiment,
  experimentRecordSchema,
  findProblem,
  newRecord,
  type Outcome,
  outcomeSchema,
  recordOfVersion1,
  rowTrainingOf,
  stepsOf,
  trainingRequestOf,
} from '../logic/experiments/experiment-record';
import { viewOfExperiment } from '../logic/experiments/experiment-view';
import { noteOf } from '../logic/plan-record';
import { isOver } from '../logic/step-status';
import { createPlanDriver, type PlanService } from '../plan-service';
import { type OnProblem, openPlanStore } from '../plan-store';
import { createTrainingSteps, type PlanTrainings } from '../training-steps';

/** Experiments: many trainings side by side. */
export type ExperimentService = PlanService<ExperimentView> & {
  readonly start: (request: ExperimentRequest) => Promise<Result<ExperimentView, Refusal>>;
  /** Also removes its trainings and their checkpoints. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** The result of the trainings that are done. */
  readonly result: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  readonly exportCsv: (id: string, kind: 'cells' | 'pairs') => Promise<Result<CsvFile, Refusal>>;
  /** Releases everything; running trainings go on, but no other one is started. */
  readonly dispose: () => Promise<void>;
};

type Trainings = PlanTrainings & Pick<TrainingService, 'remove' | 'evaluation'>;

/** Opens the records in `folder` and continues what was running. Rejects where the folder cannot be read. */
export async function createExperimentService(deps: {
  readonly trainings: Trainings;
  readonly folder: string;
  readonly clock: { readonly now: () => number };
  /** A word that no other experiment has; a plain file name. */
  readonly newId: () => string;
  /** Trainings without GPUs that may run at once. */
  readonly slots: number;
  readonly onError: OnProblem;
}): Promise<ExperimentService> {
  const { trainings, clock, slots, onError } = deps;
  const store = await openPlanStore<Experiment>({
    noun: 'experiment',
    folder: deps.folder,
    schema: experimentRecordSchema,
    version: 2,
    migrate: recordOfVersion1,
    nameOf: ({ order }) => order.name,
    readSteps: async ({ order }) => ok(stepsOf(order)),
    clock,
    onError,
  });
  /** The last result, with its number of finished trainings: these do not change any more. */
  const results = new Map<string, { readonly of: number; readonly result: Promise<ExperimentResult> }>();
  const elapsed = (training: TrainingView): number => elapsedSeconds(training, clock.now());

  const steps = createTrainingSteps<Experiment>({
    store,
    trainings,
    slots,
    clock,
    kind: {
      origin: (experimentId) => ({ experimentId }),
      existing: ({ record }, { name }, all) => {
        const noted = new Set(Object.values(record.notes).map(({ trainingId }) => trainingId));
        const training = all.find(
          (other) => other.experimentId === record.id && other.name === name && !noted.has(other.id),
        );
        return training === undefined ? null : { training, own: true };
      },
      collect: async ({ record }, stepId, training) => {
        const outcome = await readOutcome(trainings, training.id);
        return outcome.ok ? store.writeFile(record.id, outcomeFile(stepId), outcome.value) : outcome;
      },
      amountOf: (training) => ({ seconds: elapsed(training), gpuSeconds: 0, tokens: 0 }),
      failure: (cause, { message }) => {
        const hint = cause === 'stopped' ? ' Resume the experiment to continue it.' : '';
        return { message: `${message}${hint}`, hint: null };
      },
    },
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
    results.delete(id);
    plans.forget(id);
  };
  const reconcile = async (id: string): Promise<void> => {
    const record = store.get(id)?.record;
    if (record?.removing) return removeWithTrainings(id);
    if (record?.endedAt !== null) return;
    await steps.reconcile(id);
    const now = store.get(id);
    if (now !== null && isOver(now)) await store.end(id);
  };
  const plans = createPlanDriver<Experiment, ExperimentView>({
    noun: 'experiment',
    store,
    viewsOf: (experiments) => {
      const byId = new Map(trainings.list().map((training) => [training.id, training]));
      return experiments.map((experiment) => viewOfExperiment(experiment, byId, elapsed, slots));
    },
    reconcile,
    emitEveryMs: 0,
    trainings,
    clock,
    onError,
  });

  const doneOf = async ({ record, plan }: Experiment): Promise<DoneTraining[]> => {
    const done: DoneTraining[] = [];
    for (const { id, label, seed } of plan.steps) {
      const { state, took } = noteOf(record, id);
      const outcome =
        state.kind === 'done' ? await store.readFile(record.id, outcomeFile(id), outcomeSchema) : null;
      if (outcome !== null) done.push({ label, seed, ...outcome, seconds: took.seconds ?? 0 });
    }
    return done;
  };
  const result = async (id: string): Promise<Result<ExperimentResult, Refusal>> => {
    const experiment = store.find(id);
    if (!experiment.ok) return experiment;
    const { order: request } = experiment.value.record;
    const done = await doneOf(experiment.value);
    const earlier = results.get(id);
    if (earlier?.of === done.length) return ok(await earlier.result);
    const computed = experimentResultInSteps(
      {
        experimentId: id,
        request,
        done,
        trainingOf: (row) => rowTrainingOf(request, row, request.seeds[0] ?? 0),
      },
      () => breathe(),
    );
    results.set(id, { of: done.length, result: computed });
    return ok(await computed);
  };

  return {
    ...plans,
    start: async (request) => {
      const problem = findProblem(request) ?? (await findPlanProblem(trainings, request));
      if (problem !== null) return failed({ code: 'bad-input', message: problem });
      const record = newRecord(deps.newId(), request, new Date(clock.now()).toISOString());
      return plans.viewAndSchedule(record.id, await store.add({ record, ...stepsOf(request) }));
    },
    remove: async (id) => {
      const removing = await store.change(id, (record) => ({ ...record, removing: true }));
      if (!removing.ok) return removing;
      await plans.run(id, 'removed');
      return plans.run(id, 'removed');
    },
    result,
    exportCsv: async (id, part) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const computed = await result(id);
      if (!computed.ok) return computed;
      const csv = part === 'cells' ? cellsCsv : pairsCsv;
      return ok(csv(experiment.value.record.order, computed.value));
    },
    dispose: async () => {
      await plans.dispose();
      await store.close();
    },
  };
}

/** The training service's objection to the first seed of each row; null: none. */
async function findPlanProblem(trainings: Trainings, request: ExperimentRequest): Promise<string | null> {
  for (const row of request.rows) {
    const plan = await trainings.plan(trainingRequestOf(request, row, request.seeds[0] ?? 0), false);
    const problem = plan.ok ? plan.value.problems[0] : plan.error.message;
    if (problem !== undefined) return `The row "${row.label}": ${problem}`;
  }
  return null;
}

function outcomeFile(stepId: string): string {
  return `outcomes/${stepId}.json`;
}

/** More than any training has updates. */
const ALL_POINTS = 100_000;

/** A finished training's measurements: those at its end, and the zero advantages of its samples. */
async function readOutcome(trainings: Trainings, trainingId: string): Promise<Result<Outcome, Refusal>> {
  const evaluation = await trainings.evaluation(trainingId);
  if (!evaluation.ok) return evaluation;
  if (evaluation.value === null) {
    return failed({ code: 'not-found', message: 'It ended without an evaluation. Its log may say why.' });
  }
  const curves = await trainings.curves(trainingId, ALL_POINTS);
  if (!curves.ok) return curves;
  return ok({ evaluation: evaluation.value, zeroAdvantage: zeroAdvantages(curves.value) });
}

/** All updates have equally many samples, so the mean over updates is the mean over samples. */
function zeroAdvantages(curves: readonly TrainingCurve[]): Outcome['zeroAdvantage'] {
  return curves.flatMap(({ agentId, key, part, values }) => {
    if (key !== 'zero-advantage' || part !== 'train' || agentId === null || values.length === 0) return [];
    return [{ agentId, share: values.reduce((sum, value) => sum + value, 0) / values.length }];
  });
}

/** Seconds since the training was last started, up to its end where it has ended. `now` in milliseconds. */
function elapsedSeconds({ startedAt, endedAt }: TrainingView, now: number): number {
  if (startedAt === null) return 0;
  const end = endedAt === null ? now : Date.parse(endedAt);
  return Math.max(0, (end - Date.parse(startedAt)) / 1_000);
}
