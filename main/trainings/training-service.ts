import { join } from 'node:path';
import {
  jobHasEnded,
  type Recipe,
  type Refusal,
  type TrainingRequest,
  type TrainingView,
} from '../../preload/contract';
import { isEvaluatedAtEnd, isOwnTraining } from '../../preload/contract/plans';
import { Emitter, failed, ok, orThrow, type Result } from '../base';
import { reportUnreadable } from '../reconcile';
import { openRecordStore } from '../storage';
import { exportCurves } from './export-curves';
import { launchTrainings, type ReadyTraining, TRAINING_NOTE, TRAINING_PURPOSE } from './launch-trainings';
import { estimatedSeconds } from './logic/estimate';
import { exportedRun } from './logic/export/exported-run';
import { exportedGpus, onCurveAxis } from './logic/gpu-curves';
import { outputConflicts } from './logic/marti/marti-paths';
import { TRAINING_RECORD_VERSION, type TrainingRecord, trainingRecordSchema } from './logic/training-record';
import { isDone, viewOfTraining } from './logic/training-view';
import { createOwnFiles } from './own-files';
import { readEvaluation, writeSpec } from './pocket-files';
import { preflightOf, prepareTraining } from './prepare-training';
import { problemsOfTraining } from './problem-files';
import { recipeRegistry } from './recipe-registry';
import { removeTrainingFiles } from './remove-files';
import { createRestarts } from './restarts';
import type { TrainingOrigin, TrainingService, TrainingServiceDeps } from './training-api';
import { PLANNED_ID, planOf, timedTrainings } from './training-plan';
import { createWatchManager } from './watch-manager';
import { createWatchedRuns } from './watched-runs';

/** How long a trainer may take to write its last checkpoint (pocket), or to pass a stop on to its cluster. */
const STOP_GRACE_MS = 60_000;

/** More than a series keeps. */
const MAX_EXPORTED_POINTS = 100_000;

/** Opens the records in dataDir/trainings and watches what runs. Rejects if the folder cannot be read. */
export async function createTrainingService(deps: TrainingServiceDeps): Promise<TrainingService> {
  const { jobs, machines, clock, dataDir } = deps;
  const records = await openRecordStore<TrainingRecord>({
    folder: join(dataDir, 'trainings'),
    fileName: 'training.json',
    schema: trainingRecordSchema,
    version: TRAINING_RECORD_VERSION,
    noun: 'training',
    nameOf: ({ order }) => order.name,
    indent: 1,
  });
  reportUnreadable('trainings', 'training', records, deps.onError);
  const recipeFiles = recipeRegistry([join(deps.resourcesDir, 'recipes'), join(dataDir, 'recipes')]);
  const changes = new Emitter<TrainingView>();
  const removals = new Emitter<string>();

  const jobOf = ({ id, jobId }: TrainingRecord) => {
    const job = jobId === null ? undefined : jobs.list().find((job) => job.id === jobId);
    // The app may have quit after the launch, before the job's id was saved.
    return job ?? jobs.list().findLast(({ spec }) => spec.notes[TRAINING_NOTE] === id) ?? null;
  };
  const viewOf = (record: TrainingRecord): TrainingView =>
    viewOfTraining(record, jobOf(record)?.view ?? null, watches.seen(record.id));
  const watches = createWatchManager({
    machines,
    clock,
    folderOf: (id) => folderThere(id),
    jobOf,
    records: records.list,
    onError: deps.onError,
    onRead: (id) => {
      const record = records.get(id);
      if (record !== null) changes.emit(viewOf(record));
    },
    save: async (id, seen) => {
      orThrow(await records.change(id, (record) => ({ ...record, seen })));
    },
    observe: async (record, problem) => {
      const state = await watchedRuns.stateOf(record, problem);
      const before = records.get(record.id);
      const { seen } = watches.seen(record.id);
      if (before?.watched === undefined) return;
      if (before.watched.state.kind === state.kind && !watchedRuns.isSaveDue(record.id)) return;
      orThrow(
        await records.change(record.id, (now) => ({ ...now, seen: seen ?? now.seen, watched: { state } })),
      );
      const after = records.get(record.id);
      if (after !== null) changes.emit(viewOf(after));
    },
  });
  const recordOf = records.find;
  const recordOfJob = (jobId: string) => records.list().find((record) => jobOf(record)?.id === jobId);
  const listeners = [
    jobs.onChange(({ id, purpose, state }) => {
      const record = purpose === TRAINING_PURPOSE ? recordOfJob(id) : undefined;
      if (record === undefined) return;
      changes.emit(viewOf(record));
      if (jobHasEnded(state)) watches.readFinal(record);
    }),
    jobs.onRemoved((jobId) => {
      const record = records.list().find((record) => record.jobId === jobId);
      if (record !== undefined) changes.emit(viewOf(record));
    }),
  ];

  const watchedRuns = createWatchedRuns({ machines, clock });
  const folderThere = (id: string): string => records.get(id)?.remoteFolder ?? records.folderOf(id);
  const restarts = createRestarts({
    machines,
    recordOf: records.get,
    folderOf: folderThere,
    save: (id, startedFrom) => records.change(id, (record) => ({ ...record, startedFrom })),
  });
  jobs.gateRetries(restarts.gate);
  const ownFiles = createOwnFiles({ ...deps, folderOf: records.folderOf });
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
      changes.emit(view);
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
    const record: TrainingRecord = {
      version: TRAINING_RECORD_VERSION,
      id,
      order: request,
      recipe,
      jobId: null,
      ...(training.value.remoteFolder === undefined ? {} : { remoteFolder: training.value.remoteFolder }),
      createdAt: new Date(clock.now()).toISOString(),
      experimentId: origin?.experimentId ?? null,
      ...(origin?.reproductionId === undefined ? {} : { reproductionId: origin.reproductionId }),
      seen: null,
    };
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

  const checkpoints: TrainingService['checkpoints'] = async (id) => {
    const record = recordOf(id);
    const watch = await watches.read(record);
    if (!record.ok) return record;
    if (!watch.ok) return watch;
    const listed = await watch.value.checkpoints();
    return listed.ok ? ownFiles.fetchCheckpoints(record.value, listed.value) : listed;
  };
  const curvesOf: TrainingService['curves'] = async (id, points) => {
    const watch = await watches.read(recordOf(id));
    if (!watch.ok) return watch;
    const curves = watch.value.curves(points);
    const spec = records.get(id)?.order.spec;
    const isEvaluated = spec === undefined || isEvaluatedAtEnd(spec);
    return ok(isEvaluated ? curves : curves.filter(({ part }) => part !== 'evaluation'));
  };
  const gpusOf: TrainingService['gpus'] = async (id, points) => {
    const record = recordOf(id);
    if (!record.ok) return record;
    const watch = await watches.read(record);
    if (!watch.ok) return watch;
    const job = jobOf(record.value);
    const seen = job === null ? ok({ fromMs: null, gpus: [] }) : await jobs.gpus(job.id, points);
    return seen.ok ? ok(onCurveAxis(seen.value, watch.value.clock())) : seen;
  };
  const timed = () =>
    timedTrainings(records.list().map((one) => ({ spec: one.order.spec, job: jobOf(one)?.view ?? null })));

  watches.follow();
  return {
    list: () => records.list().map(viewOf),
    view: (id) => {
      const record = recordOf(id);
      return record.ok ? ok(viewOf(record.value)) : record;
    },
    plan: async (request, askMachine) => {
      const recipe = await recipeFiles.of(request.spec);
      const training = await prepare(request, PLANNED_ID, recipe);
      if (!training.ok) return training;
      const machine = machines.get(request.machineId);
      if (!machine.ok) return machine;
      return planOf(request, training.value, {
        ...{ askMachine, machine: machine.value, recipe, jobs, deps },
        conflicts: folderConflicts(request, ''),
        timed: timed(),
        earlier: records.list().map(viewOf),
      });
    },
    start: async (request, origin) =>
      (await startMany([request], origin))[0] ?? failed(noTraining(request.name)),
    startMany,
    watch: async (request) => {
      const found = await watchedRuns.find(request, { id: deps.newId(), known: records.list() });
      if (!found.ok) return found;
      const saved = await records.put(found.value);
      if (!saved.ok) return saved;
      const { id } = found.value;
      await watches.read(ok(found.value));
      await records.change(id, (record) => ({ ...record, seen: watches.seen(id).seen }));
      watches.follow();
      const view = viewOf(records.get(id) ?? found.value);
      changes.emit(view);
      return ok(view);
    },
    stop: async (id) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      if (record.value.watched !== undefined) return failed(onlyWatched(record.value, 'stopped'));
      const job = jobOf(record.value);
      if (job === null) return ok(viewOf(record.value));
      const stopped = await jobs.stop(job.id, STOP_GRACE_MS);
      return stopped.ok ? ok(viewOf(record.value)) : stopped;
    },
    resume: async (id) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      if (record.value.watched !== undefined) return failed(onlyWatched(record.value, 'resumed'));
      const { state } = viewOf(record.value);
      const { name } = record.value.order;
      if (!jobHasEnded(state)) return failed(conflict(`The training "${name}" has not ended.`));
      if (isDone(state))
        return failed(conflict(`The training "${name}" is done: there is nothing to resume.`));
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
    },
    remove: async (id, options) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      const job = jobOf(record.value);
      if (job !== null && !jobHasEnded(job.view.state)) {
        const message = `The training "${record.value.order.name}" has not ended, so it cannot be removed.`;
        return failed({ ...conflict(message), hint: 'Stop it first.' });
      }
      const others = records.list().filter((other) => other.id !== id);
      const machine = machines.get(record.value.order.machineId);
      const removed = await removeTrainingFiles(record.value, { ...options, others, machine });
      if (!removed.ok) return removed;
      if (job !== null) {
        const gone = await jobs.remove(job.id);
        if (!gone.ok) return gone;
      }
      watches.forget(id);
      const forgotten = await records.remove(id, options.checkpoints ? [] : ['checkpoints']);
      if (records.get(id) === null) removals.emit(id);
      return forgotten;
    },
    curves: curvesOf,
    gpus: gpusOf,
    exportCurves: async (id, format, folder) => {
      const curves = await curvesOf(id, MAX_EXPORTED_POINTS);
      if (!curves.ok) return curves;
      const record = recordOf(id);
      if (!record.ok) return record;
      const gpus = await gpusOf(id, MAX_EXPORTED_POINTS);
      // Without them the curves are still worth exporting, as where the job was removed.
      const all = gpus.ok ? [...curves.value, ...exportedGpus(gpus.value)] : curves.value;
      const view = viewOf(record.value);
      const startedAtS = Math.floor(Date.parse(view.createdAt) / 1_000);
      return exportCurves(exportedRun(view, all, startedAtS), format, folder);
    },
    rollouts: async (id, query) => {
      const watch = await watches.read(recordOf(id));
      return watch.ok ? watch.value.rollouts(query) : watch;
    },
    checkpoints,
    fetchCheckpoint: async (id, checkpointId) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      const all = await checkpoints(id);
      return all.ok ? ownFiles.fetchCheckpoint(record.value, checkpointId, all.value) : all;
    },
    evaluation: async (id) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      const fetched = await ownFiles.fetchEvaluation(record.value);
      return fetched.ok ? readEvaluation(records.folderOf(id), record.value.order.spec) : fetched;
    },
    estimate: (spec) => estimatedSeconds(spec, timed()),
    recipes: async () => {
      const { recipes, problems } = await recipeFiles.load();
      return { recipes: [...recipes], problems: [...problems] };
    },
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    folderOf: records.folderOf,
    dispose: async () => {
      for (const listener of listeners) listener.dispose();
      await watches.dispose();
      await records.close();
    },
  };
}

function noTraining(id: string): Refusal {
  return { code: 'not-found', message: `There is no training "${id}".` };
}

function onlyWatched({ order }: TrainingRecord, done: string): Refusal {
  const message = `"${order.name}" was started by others and is only watched, so it cannot be ${done} here.`;
  return {
    ...conflict(message),
    hint: 'Remove it from the list to end the watching; its files stay as they are.',
  };
}

function conflict(message: string): Refusal {
  return { code: 'conflict', message };
}
