import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  jobHasEnded,
  type Recipe,
  type Refusal,
  type TrainingOrder,
  type TrainingView,
} from '../../preload/contract';
import { Emitter, failed, ok, type Result } from '../base';
import type { JobService } from '../jobs';
import type { Asked, Machine } from '../machines';
import { type KindSurroundings, prepareTraining, programsFolder, type TrainingPlace } from './kinds';
import { launchTrainings, type ReadyTraining, TRAINING_NOTE, TRAINING_PURPOSE } from './launch-trainings';
import { type EarlierTraining, estimatedSeconds } from './logic/estimate';
import { homePath } from './logic/home-words';
import type { TrainingRecord } from './logic/training-record';
import { isDone, viewOfTraining } from './logic/training-view';
import { type GpuLook, lookAtTraining } from './look-at-training';
import { readEvaluation, writeSpec } from './pocket-files';
import { recipeShelf } from './recipe-shelf';
import { removeTrainingFiles } from './remove-files';
import type { TrainingPart, TrainingService } from './training-api';
import { earlierTraining, PLANNED_ID, planOf } from './training-plan';
import { openTrainingRecords } from './training-records';
import { createWatchDesk } from './watch-desk';

/** How long a trainer may take to write its last checkpoint (pocket), or to pass a stop on to its cluster. */
const STOP_GRACE_MS = 60_000;

export type TrainingSurroundings = KindSurroundings & {
  readonly jobs: JobService;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly gpus: (machineId: string) => Asked<GpuLook>;
  readonly dataDir: string;
  readonly clock: { readonly now: () => number };
  /** A word that no other training has; a plain file name. */
  readonly newId: () => string;
};

/** Opens the records in dataDir/trainings and follows what runs. Rejects where the folder can not be read. */
export async function createTrainingService(around: TrainingSurroundings): Promise<TrainingService> {
  const { jobs, machines, clock, dataDir } = around;
  const records = await openTrainingRecords(join(dataDir, 'trainings'));
  const shelf = recipeShelf([join(around.resourcesDir, 'recipes'), join(dataDir, 'recipes')]);
  const changes = new Emitter<TrainingView>();
  const removals = new Emitter<string>();

  const jobOf = ({ id, jobId }: TrainingRecord) => {
    const known = jobId === null ? undefined : jobs.list().find((job) => job.id === jobId);
    // The app may have ended between the launch and the note of it.
    return known ?? jobs.list().findLast(({ spec }) => spec.notes[TRAINING_NOTE] === id) ?? null;
  };
  const viewOf = (record: TrainingRecord): TrainingView =>
    viewOfTraining(record, jobOf(record)?.view ?? null, desk.seen(record.id));
  const desk = createWatchDesk({
    machines,
    clock,
    folderOf: records.folder,
    jobOf,
    records: records.all,
    onRead: (id) => {
      const record = records.get(id);
      if (record !== null) changes.emit(viewOf(record));
    },
    keep: async (id, seen) => {
      const record = records.get(id);
      if (record !== null) await records.put({ ...record, seen });
    },
  });
  const recordOf = (id: string): Result<TrainingRecord, Refusal> => {
    const record = records.get(id);
    return record === null ? failed(noTraining(id)) : ok(record);
  };
  const ofJob = (jobId: string) => records.all().find((record) => jobOf(record)?.id === jobId);
  const listening = [
    jobs.onChange(({ id, purpose, state }) => {
      const record = purpose === TRAINING_PURPOSE ? ofJob(id) : undefined;
      if (record === undefined) return;
      changes.emit(viewOf(record));
      if (jobHasEnded(state)) desk.lastLook(record);
    }),
    jobs.onRemoved((jobId) => {
      const record = records.all().find((one) => one.jobId === jobId);
      if (record !== undefined) changes.emit(viewOf(record));
    }),
  ];

  const recipeOf = async ({ spec }: TrainingOrder): Promise<Recipe | null> => {
    if (spec.kind !== 'recipe') return null;
    const { recipes } = await shelf.read();
    return recipes.find(({ id }) => id === spec.recipeId) ?? null;
  };
  const prepared = async (order: TrainingOrder, id: string, recipe: Recipe | null) => {
    const machine = machines.get(order.machineId);
    if (!machine.ok) return machine;
    const program = join(programsFolder(around.resourcesDir), 'marti_preflight.py');
    const preflight = order.spec.kind === 'marti' ? await readFile(program, 'utf8') : '';
    const place: TrainingPlace = { id, folder: records.folder(id), preflight };
    return prepareTraining(order, place, recipe, around);
  };
  /** Two trainings that write into one folder would take each other's checkpoints for their own. */
  const occupied = ({ machineId, spec }: TrainingOrder, exceptId: string): string[] => {
    if (spec.kind !== 'marti') return [];
    const other = records.all().find(({ id, order }) => {
      const isSame =
        id !== exceptId &&
        order.machineId === machineId &&
        order.spec.kind === 'marti' &&
        homePath(order.spec.output) === homePath(spec.output);
      const record = isSame ? records.get(id) : null;
      return record !== null && !jobHasEnded(viewOf(record).state);
    });
    return other === undefined
      ? []
      : [
          `The training "${other.order.name}" runs and writes to ${spec.output} as well. Choose another folder.`,
        ];
  };
  const launchAll = async (
    all: readonly ReadyTraining[],
  ): Promise<readonly Result<TrainingView, Refusal>[]> => {
    const launched = await launchTrainings(all, jobs);
    const views = launched.map(async (record): Promise<Result<TrainingView, Refusal>> => {
      if (!record.ok) return record;
      const noted = await records.put(record.value);
      if (!noted.ok) return noted;
      const view = viewOf(record.value);
      changes.emit(view);
      return ok(view);
    });
    const answers = await Promise.all(views);
    desk.follow();
    return answers;
  };
  /** Its record is written, its job is not started. */
  const madeReady = async (
    order: TrainingOrder,
    part: TrainingPart | undefined,
  ): Promise<Result<ReadyTraining, Refusal>> => {
    const id = around.newId();
    const recipe = await recipeOf(order);
    const training = await prepared(order, id, recipe);
    if (!training.ok) return training;
    const problems = [...training.value.problems, ...occupied(order, id)];
    if (problems.length > 0) return failed({ code: 'bad-input', message: problems.join(' ') });
    const record: TrainingRecord = {
      version: 1,
      id,
      order,
      recipe,
      jobId: null,
      createdAt: new Date(clock.now()).toISOString(),
      experimentId: part?.experimentId ?? null,
      ...(part?.reproductionId === undefined ? {} : { reproductionId: part.reproductionId }),
      seen: null,
    };
    const written = await writeSpec(records.folder(id), order);
    if (!written.ok) return written;
    const noted = await records.put(record);
    return noted.ok ? ok({ record, training: training.value }) : noted;
  };
  const startMany: TrainingService['startMany'] = async (orders, part) => {
    const made: Result<ReadyTraining, Refusal>[] = [];
    // One after the other: each has to see what the ones before it write to.
    for (const order of orders) made.push(await madeReady(order, part));
    const ready = made.flatMap((one) => (one.ok ? one.value : []));
    const launched = await launchAll(ready);
    return Promise.all(
      made.map(async (one) => {
        if (!one.ok) return one;
        const view = launched[ready.indexOf(one.value)] ?? failed(noTraining(one.value.record.id));
        if (!view.ok) await records.remove(one.value.record.id, []);
        return view;
      }),
    );
  };

  const earlierOnes = (): EarlierTraining[] =>
    records.all().flatMap((record) => {
      const took = earlierTraining(record.order.spec, jobOf(record)?.view ?? null);
      return took === null ? [] : [took];
    });

  desk.follow();
  return {
    list: () => records.all().map(viewOf),
    view: (id) => {
      const record = recordOf(id);
      return record.ok ? ok(viewOf(record.value)) : record;
    },
    plan: async (order, look) => {
      const recipe = await recipeOf(order);
      const training = await prepared(order, PLANNED_ID, recipe);
      if (!training.ok) return training;
      const machine = machines.get(order.machineId);
      if (!machine.ok) return machine;
      return planOf(order, training.value, {
        checks: () =>
          lookAtTraining({ order, gpus: training.value.gpus, machine: machine.value, around, jobs }),
        look,
        occupied: occupied(order, ''),
        earlier: earlierOnes(),
      });
    },
    start: async (order, part) => (await startMany([order], part))[0] ?? failed(noTraining(order.name)),
    startMany,
    stop: async (id) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      const job = jobOf(record.value);
      if (job === null) return ok(viewOf(record.value));
      const stopped = await jobs.stop(job.id, STOP_GRACE_MS);
      return stopped.ok ? ok(viewOf(record.value)) : stopped;
    },
    resume: async (id) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      const { state } = viewOf(record.value);
      const { name } = record.value.order;
      if (!jobHasEnded(state)) return failed(conflict(`The training "${name}" has not ended.`));
      if (isDone(state))
        return failed(conflict(`The training "${name}" is done; there is nothing to resume.`));
      const training = await prepared(record.value.order, id, record.value.recipe);
      if (!training.ok) return training;
      const others = occupied(record.value.order, id);
      if (others.length > 0) return failed(conflict(others.join(' ')));
      const job = jobOf(record.value);
      if (job === null) {
        const [view] = await launchAll([{ record: record.value, training: training.value }]);
        return view ?? failed(noTraining(id));
      }
      const again = await jobs.launchAgain(job.id);
      if (!again.ok) return again;
      desk.follow();
      return ok(viewOf(record.value));
    },
    remove: async (id, options) => {
      const record = recordOf(id);
      if (!record.ok) return record;
      const job = jobOf(record.value);
      if (job !== null && !jobHasEnded(job.view.state)) {
        const message = `The training "${record.value.order.name}" has not ended, so it stays.`;
        return failed({ ...conflict(message), hint: 'Stop it first.' });
      }
      const others = records.all().filter((other) => other.id !== id);
      const machine = machines.get(record.value.order.machineId);
      const removed = await removeTrainingFiles(record.value, { ...options, others, machine });
      if (!removed.ok) return removed;
      if (job !== null) {
        const gone = await jobs.remove(job.id);
        if (!gone.ok) return gone;
      }
      desk.forget(id);
      await records.remove(id, options.checkpoints ? [] : ['checkpoints']);
      removals.emit(id);
      return ok(null);
    },
    curves: async (id, points) => {
      const watch = await desk.read(recordOf(id));
      return watch.ok ? ok(watch.value.curves(points)) : watch;
    },
    rollouts: async (id, query) => {
      const watch = await desk.read(recordOf(id));
      return watch.ok ? watch.value.rollouts(query) : watch;
    },
    checkpoints: async (id) => {
      const watch = await desk.read(recordOf(id));
      return watch.ok ? watch.value.checkpoints() : watch;
    },
    evaluation: async (id) => {
      const record = recordOf(id);
      return record.ok ? readEvaluation(records.folder(id)) : record;
    },
    estimate: (spec) => estimatedSeconds(spec, earlierOnes()),
    recipes: async () => {
      const { recipes, problems } = await shelf.read();
      return { recipes: [...recipes], problems: [...problems] };
    },
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    folderOf: records.folder,
    dispose: async () => {
      for (const one of listening) one.dispose();
      await desk.dispose();
    },
  };
}

function noTraining(id: string): Refusal {
  return { code: 'not-found', message: `There is no training "${id}" in this list.` };
}

function conflict(message: string): Refusal {
  return { code: 'conflict', message };
}
