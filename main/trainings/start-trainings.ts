import {
  jobHasEnded,
  type Recipe,
  type Refusal,
  type TrainingRequest,
  type TrainingView,
} from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import type { Job } from '../jobs';
import type { RecordStore } from '../storage';
import { launchTrainings, type ReadyTraining } from './launch-trainings';
import { outputConflicts } from './logic/marti/marti-paths';
import { TRAINING_RECORD_VERSION, type TrainingRecord } from './logic/training-record';
import { isDone } from './logic/training-view';
import type { createOwnFiles } from './own-files';
import { writeSpec } from './pocket-files';
import { preflightOf, prepareTraining } from './prepare-training';
import { problemsOfTraining } from './problem-files';
import type { recipeRegistry } from './recipe-registry';
import { conflict, noTraining, watchedElsewhere } from './refusals';
import type { createRestarts } from './restarts';
import type { TrainingOrigin, TrainingService, TrainingServiceDeps } from './training-api';
import type { WatchManager } from './watch-manager';

/** Prepares trainings, starts them, and resumes those that have ended. */
export function createTrainingStarter(parts: {
  readonly deps: TrainingServiceDeps;
  readonly records: RecordStore<TrainingRecord>;
  readonly ownFiles: ReturnType<typeof createOwnFiles>;
  readonly recipeFiles: ReturnType<typeof recipeRegistry>;
  readonly restarts: ReturnType<typeof createRestarts>;
  readonly watches: WatchManager;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly viewOf: (record: TrainingRecord) => TrainingView;
  readonly emit: (view: TrainingView) => void;
}) {
  const { deps, records, ownFiles, recipeFiles, restarts, watches, jobOf, viewOf, emit } = parts;
  const { jobs, machines, clock } = deps;
  const prepare = async (request: TrainingRequest, id: string, recipe: Recipe | null) => {
    const machine = machines.get(request.machineId);
    if (!machine.ok) return machine;
    const { spec } = request;
    const preflight = await preflightOf(spec, deps.resourcesDir);
    const chosen = spec.kind === 'model' ? await problemsOfTraining(spec, deps.benchmarks) : null;
    if (chosen !== null && !chosen.ok) return chosen;
    const benchmarkProblems = chosen?.value.problems ?? [];
    const paths = await ownFiles.pathsOf(request, id);
    if (!paths.ok) return paths;
    return prepareTraining(request, { id, paths: paths.value, preflight, benchmarkProblems }, recipe, deps);
  };
  const folderConflicts = (request: TrainingRequest, exceptId: string): string[] => {
    const others = records.list().filter(({ id }) => id !== exceptId);
    const running = others.filter((record) => !jobHasEnded(viewOf(record).state));
    return outputConflicts(request, running);
  };
  const launchAndSave = async (
    all: readonly ReadyTraining[],
  ): Promise<readonly Result<TrainingView, Refusal>[]> => {
    const launched = await launchTrainings(all, jobs);
    const views = launched.map(async (record): Promise<Result<TrainingView, Refusal>> => {
      if (!record.ok) return record;
      const saved = await records.put(record.value);
      if (!saved.ok) return saved;
      const view = viewOf(record.value);
      emit(view);
      return ok(view);
    });
    const answers = await Promise.all(views);
    watches.follow();
    return answers;
  };
  /** Writes its record; its job is not started yet. */
  const prepareAndSave = async (
    request: TrainingRequest,
    origin: TrainingOrigin | undefined,
  ): Promise<Result<ReadyTraining, Refusal>> => {
    const id = deps.newId();
    const recipe = await recipeFiles.of(request.spec);
    const training = await prepare(request, id, recipe);
    if (!training.ok) return training;
    const problems = [...training.value.problems, ...folderConflicts(request, id)];
    if (problems.length > 0) return failed({ code: 'bad-input', message: problems.join(' ') });
    const { remoteFolder } = training.value;
    const createdAt = new Date(clock.now()).toISOString();
    const record = newRecord({ id, request, recipe, remoteFolder, createdAt }, origin);
    const written = await writeSpec(records.folderOf(id), request, deps.benchmarks);
    if (!written.ok) return written;
    const shipped = await ownFiles.ship(record);
    if (!shipped.ok) return shipped;
    const saved = await records.put(record);
    if (!saved.ok) return saved;
    // Another trainer's output folder may hold checkpoints of an earlier start.
    if (!isOwnTraining(request.spec)) await restarts.noteStart(record, 1);
    return ok({ record: records.get(id) ?? record, training: training.value });
  };
  const startMany: TrainingService['startMany'] = async (requests, origin) => {
    const prepared: Result<ReadyTraining, Refusal>[] = [];
    // One after the other, so that each sees the output folders of those before it.
    for (const request of requests) prepared.push(await prepareAndSave(request, origin));
    const ready = prepared.flatMap((training) => (training.ok ? training.value : []));
    const launched = await launchAndSave(ready);
    return Promise.all(
      prepared.map(async (training) => {
        if (!training.ok) return training;
        const { id } = training.value.record;
        const view = launched[ready.indexOf(training.value)] ?? failed(noTraining(id));
        if (!view.ok) await records.remove(id);
        return view;
      }),
    );
  };
  const resume: TrainingService['resume'] = async (id) => {
    const record = records.find(id);
    if (!record.ok) return record;
    if (record.value.watched !== undefined) return failed(watchedElsewhere(record.value, 'resumed'));
    const { state } = viewOf(record.value);
    const { name } = record.value.order;
    if (!jobHasEnded(state)) return failed(conflict(`The training "${name}" has not ended.`));
    if (isDone(state)) return failed(conflict(`The training "${name}" is done: there is nothing to resume.`));
    const training = await prepare(record.value.order, id, record.value.recipe);
    if (!training.ok) return training;
    const others = folderConflicts(record.value.order, id);
    if (others.length > 0) return failed(conflict(others.join(' ')));
    const job = jobOf(record.value);
    await restarts.noteStart(record.value, (job?.view.attempts ?? 0) + 1);
    if (job === null) {
      const shipped = await ownFiles.ship(record.value);
      if (!shipped.ok) return shipped;
      const [view] = await launchAndSave([
        { record: records.get(id) ?? record.value, training: training.value },
      ]);
      return view ?? failed(noTraining(id));
    }
    const again = await jobs.relaunch(job.id);
    if (!again.ok) return again;
    watches.follow();
    return ok(viewOf(record.value));
  };

  return { prepare, folderConflicts, startMany, resume };
}

function newRecord(
  training: {
    readonly id: string;
    readonly request: TrainingRequest;
    readonly recipe: Recipe | null;
    readonly remoteFolder: string | undefined;
    readonly createdAt: string;
  },
  origin: TrainingOrigin | undefined,
): TrainingRecord {
  const { request, remoteFolder, ...own } = training;
  return {
    version: TRAINING_RECORD_VERSION,
    ...own,
    order: request,
    jobId: null,
    ...(remoteFolder === undefined ? {} : { remoteFolder }),
    experimentId: origin?.experimentId ?? null,
    ...(origin?.reproductionId === undefined ? {} : { reproductionId: origin.reproductionId }),
    seen: null,
  };
}
