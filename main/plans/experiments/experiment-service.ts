import {
  type ExperimentDetails,
  type ExperimentLine,
  type ExperimentRequest,
  type ExperimentResult,
  type ExperimentView,
  jobHasEnded,
  type Refusal,
  type TrainingView,
} from '../../../preload/contract/index';
import { type CsvFile, failed, ok, orThrow, type Result } from '../../base/index';
import { damageRefusal, type OutcomeFile } from '../../storage/index';
import type { TrainingService } from '../../trainings/index';
import { cellsCsv, pairsCsv } from '../logic/experiments/experiment-csv';
import {
  type Experiment,
  experimentRecordSchema,
  findProblem,
  newRecord,
  recordOfVersion1,
  stepsOf,
  trainingRequestOf,
} from '../logic/experiments/experiment-record';
import { viewOfExperiment } from '../logic/experiments/experiment-view';
import { isOver } from '../logic/step-status';
import { createPlanDriver, type PlanService } from '../plan-service';
import { type OnProblem, openPlanStore, type PlanStore } from '../plan-store';
import { createTrainingSteps, type PlanTrainings, type TrainingKind } from '../training-steps';
import { adoptExperiment } from './adopt-experiment';
import { linesOf, outcomeFile, outcomeFilesOf, readOutcome, readOutcomes } from './experiment-outcomes';
import { createExperimentResults, type HeldOutProblems } from './experiment-results';

/** Experiments: many trainings side by side. */
export type ExperimentService = PlanService<ExperimentView> & {
  readonly start: (request: ExperimentRequest) => Promise<Result<ExperimentView, Refusal>>;
  /** Also removes its trainings and their checkpoints. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** The result of the trainings that are done. */
  readonly result: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  /** What exports have beside the result. */
  readonly details: (id: string) => Promise<Result<ExperimentDetails, Refusal>>;
  /** Its learning curves so far. */
  readonly lines: (id: string) => Promise<Result<readonly ExperimentLine[], Refusal>>;
  /** What its tables are made from: a file of each training that is done. */
  readonly outcomeFiles: (id: string) => Promise<readonly OutcomeFile[]>;
  readonly folderOf: (id: string) => string;
  /** Moves the folder of an experiment of another lab into place and lists it, read-only. */
  readonly adopt: (id: string, from: string, bundle: string) => Promise<Result<null, Refusal>>;
  readonly exportCsv: (id: string, kind: 'cells' | 'pairs') => Promise<Result<CsvFile, Refusal>>;
  /** Releases everything; running trainings go on, but no other one is started. */
  readonly dispose: () => Promise<void>;
};

type Trainings = PlanTrainings & Pick<TrainingService, 'erase' | 'evaluation'>;

/** Opens the records in `folder` and continues what was running. Rejects where the folder cannot be read. */
export async function createExperimentService(deps: {
  readonly trainings: Trainings;
  readonly heldOutProblems: HeldOutProblems;
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
  const results = createExperimentResults(store, deps.heldOutProblems);
  const elapsed = (training: TrainingView): number => elapsedSeconds(training, clock.now());

  const steps = createTrainingSteps<Experiment>({
    store,
    trainings,
    slots,
    clock,
    kind: experimentTrainings(store, trainings, elapsed),
  });
  const removeWithTrainings = async (id: string): Promise<void> => {
    await removeTrainings(trainings, id);
    orThrow(await store.remove(id));
    results.forget(id);
    plans.forget(id);
  };
  const reconcile = async (id: string): Promise<void> => {
    const record = store.get(id)?.record;
    if (record?.removing) return removeWithTrainings(id);
    if (record?.endedAt !== null || record.fromBundle !== undefined) return;
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

  return {
    ...plans,
    pause: async (id) => {
      const own = refuseForeign(store, id);
      return own.ok ? plans.pause(id) : own;
    },
    resume: async (id) => {
      const own = refuseForeign(store, id);
      return own.ok ? plans.resume(id) : own;
    },
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
    result: results.read,
    details: results.details,
    lines: async (id) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      return ok(await linesOf(store, trainings, experiment.value));
    },
    outcomeFiles: (id) => outcomeFilesOf(store, store.get(id)),
    folderOf: store.folderOf,
    adopt: async (id, from, bundle) => {
      const added = await adoptExperiment(store, deps.folder, { id, from, bundle });
      if (added.ok) plans.emitChangesSoon();
      return added;
    },
    exportCsv: async (id, part) => {
      const experiment = store.find(id);
      if (!experiment.ok) return experiment;
      const { done, files } = await readOutcomes(store, experiment.value);
      const damage = damageRefusal(files);
      if (damage !== null) return failed(damage);
      const computed = await results.read(id);
      if (!computed.ok) return computed;
      const csv = part === 'cells' ? cellsCsv : pairsCsv;
      return ok(csv(experiment.value.record.order, computed.value, done));
    },
    dispose: async () => {
      await plans.dispose();
      await store.close();
    },
  };
}

function refuseForeign(store: PlanStore<Experiment>, id: string): Result<null, Refusal> {
  return store.get(id)?.record.fromBundle === undefined
    ? ok(null)
    : failed({ code: 'conflict', message: 'It came with a bundle of another lab, so it is read-only.' });
}

/** What differs from the trainings of other plans. */
function experimentTrainings(
  store: PlanStore<Experiment>,
  trainings: Trainings,
  elapsed: (training: TrainingView) => number,
): TrainingKind<Experiment> {
  return {
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
      return outcome.ok ? store.writeOutcome(record.id, outcomeFile(stepId), outcome.value) : outcome;
    },
    amountOf: (training) => ({ seconds: elapsed(training), gpuSeconds: 0, tokens: 0 }),
    failure: (cause, { message }) => {
      const hint = cause === 'stopped' ? ' Resume the experiment to continue it.' : '';
      return { message: `${message}${hint}`, hint: null };
    },
  };
}

/** With their checkpoints. */
async function removeTrainings(trainings: Trainings, id: string): Promise<void> {
  const own = trainings.list().filter(({ experimentId }) => experimentId === id);
  const removed = await Promise.all(
    own.map(async (training) => {
      if (!jobHasEnded(training.state)) await trainings.stop(training.id);
      return trainings.erase(training.id, { checkpoints: true });
    }),
  );
  for (const removal of removed) orThrow(removal);
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

/** Seconds since the training was last started, up to its end where it has ended. `now` in milliseconds. */
function elapsedSeconds({ startedAt, endedAt }: TrainingView, now: number): number {
  if (startedAt === null) return 0;
  const end = endedAt === null ? now : Date.parse(endedAt);
  return Math.max(0, (end - Date.parse(startedAt)) / 1_000);
}
