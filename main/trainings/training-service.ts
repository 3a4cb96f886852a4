import { join } from 'node:path';
import type { Refusal, TrainingView } from '../../preload/contract';
import { Emitter, failed, ok, type Result } from '../base';
import { reportUnreadable } from '../reconcile';
import { openRecordStore, type RecordStore } from '../storage';
import { jobOfTraining } from './launch-trainings';
import { estimatedSeconds } from './logic/estimate';
import { TRAINING_RECORD_VERSION, type TrainingRecord, trainingRecordSchema } from './logic/training-record';
import { createOwnFiles } from './own-files';
import { readTrainings } from './read-trainings';
import { recipeRegistry } from './recipe-registry';
import { inTrash, noTraining, watchedElsewhere } from './refusals';
import { createRestarts } from './restarts';
import { createTrainingStarter } from './start-trainings';
import type { TrainingService, TrainingServiceDeps } from './training-api';
import { PLANNED_ID, planOf, timedTrainings } from './training-plan';
import { createTrainingTrash } from './training-trash';
import { createWatchSaving } from './watching';

/** How long a trainer may take to write its last checkpoint (pocket), or to pass a stop on to its cluster. */
const STOP_GRACE_MS = 60_000;

/** Opens the records in dataDir/trainings and watches what runs. Rejects if the folder cannot be read. */
export async function createTrainingService(deps: TrainingServiceDeps): Promise<TrainingService> {
  const { jobs, machines, dataDir } = deps;
  const records = await openTrainingRecords(dataDir);
  reportUnreadable('trainings', 'training', records, deps.onError);
  const recipeFiles = recipeRegistry([join(deps.resourcesDir, 'recipes'), join(dataDir, 'recipes')]);
  const changes = new Emitter<TrainingView>();
  const removals = new Emitter<string>();
  let beforeRemoval = async (_training: TrainingView): Promise<void> => undefined;

  const jobOf = (record: TrainingRecord) => jobOfTraining(jobs, record);
  const folderThere = (id: string): string => records.get(id)?.remoteFolder ?? records.folderOf(id);
  const watching = createWatchSaving({
    ...{ deps, records, jobOf, folderOf: folderThere },
    // Its job may still change, as by being removed.
    onChange: (view) => records.get(view.id)?.removedAt === undefined && changes.emit(view),
  });
  const { watches, viewOf } = watching;
  const recordOf = (id: string): Result<TrainingRecord, Refusal> => {
    const record = records.find(id);
    return record.ok && record.value.removedAt !== undefined ? failed(inTrash(record.value)) : record;
  };
  const restarts = createRestarts({
    machines,
    recordOf: records.get,
    folderOf: folderThere,
    save: (id, startedFrom) => records.change(id, (record) => ({ ...record, startedFrom })),
  });
  jobs.gateRetries(restarts.gate);
  const ownFiles = createOwnFiles({ ...deps, folderOf: records.folderOf });
  const starts = createTrainingStarter({
    ...{ deps, records, ownFiles, recipeFiles, restarts, watches, jobOf, viewOf },
    emit: (view) => changes.emit(view),
  });
  const timed = () =>
    timedTrainings(
      records.list().map((record) => {
        const { spec, machineId } = record.order;
        return { spec, machineId, job: jobOf(record)?.view ?? null };
      }),
    );

  watches.follow();
  return {
    list: () =>
      records
        .list()
        .filter(({ removedAt }) => removedAt === undefined)
        .map(viewOf),
    view: (id) => {
      const record = recordOf(id);
      return record.ok ? ok(viewOf(record.value)) : record;
    },
    plan: async (request, askMachine) => {
      const recipe = await recipeFiles.of(request.spec);
      const training = await starts.prepare(request, PLANNED_ID, recipe);
      if (!training.ok) return training;
      const machine = machines.get(request.machineId);
      if (!machine.ok) return machine;
      return planOf(request, training.value, {
        ...{ askMachine, machine: machine.value, recipe, jobs, deps },
        conflicts: starts.folderConflicts(request, ''),
        timed: timed(),
        earlier: records.list().map(viewOf),
      });
    },
    start: async (request, origin) =>
      (await starts.startMany([request], origin))[0] ?? failed(noTraining(request.name)),
    startMany: starts.startMany,
    watch: (request) => watching.watch(request, deps.newId()),
    stop: async (id) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      if (record.value.watched !== undefined) return failed(watchedElsewhere(record.value, 'stopped'));
      const job = jobOf(record.value);
      if (job === null) return ok(viewOf(record.value));
      const stopped = await jobs.stop(job.id, STOP_GRACE_MS);
      return stopped.ok ? ok(viewOf(record.value)) : stopped;
    },
    resume: async (id) => {
      const record = recordOf(id);
      return record.ok ? starts.resume(id) : record;
    },
    ...createTrainingTrash({
      ...{ records, jobs, machines, watches, jobOf, now: deps.clock.now },
      beforeRemoval: (record) => beforeRemoval(viewOf(record)),
      onRestored: (record) => changes.emit(viewOf(record)),
      onRemoved: (id) => removals.emit(id),
    }),
    leaveReproduction: async (reproductionId) => {
      for (const { id } of records.list().filter((record) => record.reproductionId === reproductionId)) {
        const left = await records.change(id, ({ reproductionId: _, ...record }) => record);
        if (left.ok) changes.emit(viewOf(left.value));
      }
    },
    estimate: (spec) => estimatedSeconds(spec, timed()),
    recipes: async () => {
      const { recipes, problems } = await recipeFiles.load();
      return { recipes: [...recipes], problems: [...problems] };
    },
    ...readTrainings({ jobs, records, watches, ownFiles, jobOf, viewOf }),
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    beforeRemoval: (work) => {
      beforeRemoval = work;
    },
    folderOf: records.folderOf,
    dispose: async () => {
      await watching.dispose();
      await records.close();
    },
  };
}

function openTrainingRecords(dataDir: string): Promise<RecordStore<TrainingRecord>> {
  return openRecordStore<TrainingRecord>({
    folder: join(dataDir, 'trainings'),
    fileName: 'training.json',
    schema: trainingRecordSchema,
    version: TRAINING_RECORD_VERSION,
    noun: 'training',
    nameOf: ({ order }) => order.name,
    indent: 1,
  });
}
