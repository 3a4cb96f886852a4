import { type JobState, jobHasEnded, LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { ok, type Result } from '../base';
import type { Job } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { createReconciler, type ReconcileProblem } from '../reconcile';
import { type ProgressRate, secondsLeft, updateRate } from './logic/estimate';
import { martiValues } from './logic/marti/marti-values';
import { trainingAgents } from './logic/titles';
import { trainingPaths } from './logic/training-paths';
import type { TrainingRecord, TrainingSeen } from './logic/training-record';
import { openTrainingWatch, type TrainingWatch } from './watch';

/** How often the files of running trainings are read: on this computer, and over a connection. */
const LOCAL_INTERVAL_MS = 2_000;
const REMOTE_INTERVAL_MS = 10_000;
/** Of runs that are only watched, while their machine does not answer. */
const SILENT_INTERVAL_MS = 60_000;
/** Watches of ended trainings that stay open, so that comparing curves needs no reading; each holds its points. */
const MAX_ENDED_OPEN = 12;

export type WatchStatus = {
  readonly seen: TrainingSeen | null;
  readonly steps: number | null;
  readonly secondsLeft: number | null;
};

/** The watches of all trainings: running ones are read regularly, the others on request. */
export type WatchManager = {
  readonly seen: (id: string) => WatchStatus;
  /** The training's watch after a read; if its machine does not answer, with the data read before. */
  readonly read: (record: Result<TrainingRecord, Refusal>) => AsyncResult<TrainingWatch>;
  /** Reads and saves the last output of an ended training soon, unless that is done already. */
  readonly readFinal: (record: TrainingRecord) => void;
  /** Reads running trainings soon, and continues while any runs. */
  readonly follow: () => void;
  readonly forget: (id: string) => void;
  /** Resolves once no read or save is in progress. */
  readonly dispose: () => Promise<void>;
};

type OpenWatch = {
  readonly watch: TrainingWatch;
  /** Path of the log that it reads; null before the job has a folder. */
  readonly log: string | null;
  rate: ProgressRate | null;
  readAt: number;
  /** The alarms last reported: a stall alarm comes without new data. */
  alarms: string;
};

export function createWatchManager(deps: {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly clock: { readonly now: () => number };
  readonly folderOf: (id: string) => string;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly records: () => readonly TrainingRecord[];
  /** New data was read. */
  readonly onRead: (id: string) => void;
  readonly save: (id: string, seen: TrainingSeen) => Promise<void>;
  /** The files of a run that is only watched were read; `problem`: why they could not be. */
  readonly observe: (record: TrainingRecord, problem: Refusal | null) => Promise<void>;
  readonly onError: (problem: ReconcileProblem) => void;
}): WatchManager {
  const { clock, jobOf } = deps;
  /** Least recently used first. */
  const open = new Map<string, OpenWatch>();
  /** Ended trainings whose last output is to be read. */
  const ended = new Set<string>();
  let disposed = false;

  const stateOf = (record: TrainingRecord): JobState | null =>
    jobOf(record)?.view.state ?? record.watched?.state ?? null;
  const isActive = (record: TrainingRecord): boolean => {
    const state = stateOf(record);
    return state !== null && !jobHasEnded(state);
  };
  /** Queued trainings have nothing to read, and unreachable machines are already polled by the job service. */
  const isRead = (record: TrainingRecord): boolean =>
    record.watched === undefined ? stateOf(record)?.kind === 'running' : isActive(record);
  /** null: there is no process. Of a run that is only watched: since when it is. */
  const startedMs = (record: TrainingRecord): number | null => {
    if (stateOf(record)?.kind !== 'running') return null;
    const startedAt = record.watched === undefined ? jobOf(record)?.view.startedAt : record.createdAt;
    return startedAt == null ? null : Date.parse(startedAt);
  };
  const recordOf = (id: string) => deps.records().find((record) => record.id === id);
  const close = (id: string) => {
    open.get(id)?.watch.dispose();
    open.delete(id);
  };
  const closeOldest = () => {
    const inactive = [...open.keys()].filter((id) => {
      const record = recordOf(id);
      return record === undefined || !isActive(record);
    });
    for (const id of inactive.slice(0, -MAX_ENDED_OPEN)) close(id);
  };
  const openWatch = (record: TrainingRecord): Result<OpenWatch, Refusal> => {
    const folder = jobOf(record)?.folder ?? null;
    const log = folder === null ? null : `${folder}/output.log`;
    const existing = open.get(record.id);
    if (existing !== undefined && existing.log === log) {
      open.delete(record.id);
      open.set(record.id, existing);
      return ok(existing);
    }
    close(record.id);
    const machine = deps.machines.get(record.order.machineId);
    if (!machine.ok) return machine;
    const watch = openTrainingWatch({
      machine: machine.value,
      spec: record.order.spec,
      agents: trainingAgents(record.order.spec),
      paths: trainingPaths(record, { folder: deps.folderOf(record.id), log }),
      ...(record.recipe === null ? {} : { recipe: record.recipe }),
      checkpointEvery: checkpointEvery(record),
      clock,
    });
    const watched: OpenWatch = { watch, log, rate: null, readAt: 0, alarms: '' };
    open.set(record.id, watched);
    closeOldest();
    return ok(watched);
  };
  const summaryOf = (record: TrainingRecord, { watch }: OpenWatch): TrainingSeen => {
    const problemsKept = watch.problemsKept();
    return {
      step: watch.step(),
      stage: watch.stage(),
      latest: watch.latest(),
      alarms: watch.alarms(clock.now(), startedMs(record)),
      endedAt: jobOf(record)?.view.endedAt ?? null,
      ...(problemsKept === null ? {} : { problemsKept }),
    };
  };
  /** Reads until it is up to date; `changed`: there was new data. */
  const readAll = async (watched: OpenWatch): AsyncResult<{ readonly changed: boolean }> => {
    let changed = false;
    for (;;) {
      const read = await watched.watch.read();
      watched.readAt = clock.now();
      if (!read.ok) return read;
      changed ||= read.value.changed;
      if (!read.value.isBehind || disposed) break;
    }
    watched.rate = updateRate(watched.rate, clock.now(), watched.watch.step());
    return ok({ changed });
  };

  const saveFinal = async (record: TrainingRecord): Promise<void> => {
    const watched = openWatch(record);
    if (!watched.ok) return;
    const read = await readAll(watched.value);
    if (!read.ok || disposed) return;
    await deps.save(record.id, summaryOf(record, watched.value));
    deps.onRead(record.id);
    closeOldest();
  };
  const readFinal = (record: TrainingRecord): void => {
    const { endedAt = null } = jobOf(record)?.view ?? {};
    if (disposed || endedAt === null || record.seen?.endedAt === endedAt) return;
    ended.add(record.id);
    reconciler.schedule();
  };
  const refresh = async (record: TrainingRecord): Promise<void> => {
    const watched = openWatch(record);
    if (!watched.ok) return;
    const read = await readAll(watched.value);
    if (disposed) return;
    if (record.watched !== undefined) await deps.observe(record, read.ok ? null : read.error);
    if (!read.ok) return;
    const alarms = summaryOf(record, watched.value).alarms.map(({ kind, agentId }) => `${kind} ${agentId}`);
    const isNew = alarms.join() !== watched.value.alarms;
    watched.value.alarms = alarms.join();
    if (read.value.changed || isNew) deps.onRead(record.id);
  };
  const intervalOf = ({ order, watched }: TrainingRecord) => {
    if (watched?.state.kind === 'unknown') return SILENT_INTERVAL_MS;
    return order.machineId === LOCAL_MACHINE ? LOCAL_INTERVAL_MS : REMOTE_INTERVAL_MS;
  };
  const isDue = (record: TrainingRecord): boolean => {
    const { readAt = 0 } = open.get(record.id) ?? {};
    return clock.now() - readAt >= intervalOf(record) * 0.9;
  };
  /** An unreachable machine is no error: the final output is then read when somebody asks for it. */
  const finish = async (id: string): Promise<void> => {
    const record = recordOf(id);
    if (record !== undefined && !isActive(record)) await saveFinal(record);
    ended.delete(id);
  };
  const reconciler = createReconciler({
    name: 'trainings',
    tick: async ({ attempt }) => {
      const due = deps.records().filter((record) => isRead(record) && isDue(record));
      await Promise.all([
        ...due.map((record) => attempt(record.id, () => refresh(record))),
        ...[...ended].map((id) => attempt(id, () => finish(id))),
      ]);
    },
    everyMs: () => (deps.records().some(isActive) ? LOCAL_INTERVAL_MS : null),
    onError: deps.onError,
  });

  return {
    seen: (id) => {
      const watched = open.get(id);
      const record = recordOf(id);
      if (watched === undefined || watched.readAt === 0 || record === undefined) {
        return { seen: null, steps: null, secondsLeft: null };
      }
      const steps = stepsOf(record, watched.watch);
      return {
        seen: summaryOf(record, watched),
        steps,
        secondsLeft: secondsLeft(watched.rate, clock.now(), steps),
      };
    },
    read: async (record) => {
      if (!record.ok) return record;
      const watched = openWatch(record.value);
      if (!watched.ok) return watched;
      const read = await readAll(watched.value);
      // Older data is still worth showing; if the machine never answered, there is none.
      if (!read.ok && watched.value.rate === null) return read;
      return ok(watched.value.watch);
    },
    readFinal,
    follow: () => {
      // On other machines only on request: an ended training is no reason to log in there.
      const here = deps.records().filter(({ order }) => order.machineId === LOCAL_MACHINE);
      for (const record of here) if (!isActive(record)) readFinal(record);
      reconciler.schedule();
    },
    forget: close,
    dispose: async () => {
      disposed = true;
      for (const id of [...open.keys()]) close(id);
      await reconciler.dispose();
    },
  };
}

function stepsOf({ order: { spec } }: TrainingRecord, watch: TrainingWatch): number | null {
  return isOwnTraining(spec) ? spec.updates : watch.steps();
}

/** Planned steps between checkpoints, to detect a checkpoint that is overdue. */
function checkpointEvery({ order: { spec } }: TrainingRecord): number | null {
  if (isOwnTraining(spec)) return spec.checkpointEvery;
  const steps = spec.kind === 'marti' ? martiValues(spec).number('save_steps', -1) : -1;
  return steps > 0 ? steps : null;
}
