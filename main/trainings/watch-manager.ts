import { type JobState, jobHasEnded, LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { ok, type Result } from '../base';
import type { Job } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { createReconciler, type ReconcileProblem } from '../reconcile';
import { evaluationSteps, rateSince, secondsLeft } from './logic/estimate';
import type { SavedWatch, TrainingRecord } from './logic/training-record';
import { type OpenWatch, OpenWatches, savedWatchOf } from './open-watches';
import type { TrainingWatch } from './watch';

/** How often the files of running trainings are read: on this computer, and over a connection. */
const LOCAL_INTERVAL_MS = 2_000;
const REMOTE_INTERVAL_MS = 10_000;
/** Of runs that are only watched, while their machine does not answer. */
const SILENT_INTERVAL_MS = 60_000;
export type WatchStatus = {
  readonly seen: SavedWatch | null;
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

export function createWatchManager(deps: {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly clock: { readonly now: () => number };
  readonly folderOf: (id: string) => string;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly records: () => readonly TrainingRecord[];
  /** New data was read. */
  readonly onRead: (id: string) => void;
  readonly save: (id: string, seen: SavedWatch) => Promise<void>;
  /** The files of a run that is only watched were read; `problem`: why they could not be. */
  readonly observe: (record: TrainingRecord, problem: Refusal | null) => Promise<void>;
  readonly onError: (problem: ReconcileProblem) => void;
}): WatchManager {
  const { clock, jobOf } = deps;
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
  const watches = new OpenWatches({ ...deps, isActive });
  const summaryOf = (record: TrainingRecord, { watch }: OpenWatch): SavedWatch =>
    savedWatchOf(watch, { nowMs: clock.now(), startedMs: startedMs(record), job: jobOf(record) });

  const saveFinal = async (record: TrainingRecord): Promise<void> => {
    const watched = watches.open(record);
    if (!watched.ok) return;
    const read = await watches.readAll(watched.value, startedMs(record));
    if (!read.ok || disposed) return;
    const failure = await watches.failureOf(record, watched.value);
    await deps.save(record.id, { ...summaryOf(record, watched.value), ...failure });
    deps.onRead(record.id);
    watches.closeOldest();
  };
  const readFinal = (record: TrainingRecord): void => {
    const { endedAt = null } = jobOf(record)?.view ?? {};
    if (disposed || endedAt === null || record.seen?.endedAt === endedAt) return;
    ended.add(record.id);
    reconciler.schedule();
  };
  const refresh = async (record: TrainingRecord): Promise<void> => {
    const watched = watches.open(record);
    if (!watched.ok) return;
    const read = await watches.readAll(watched.value, startedMs(record));
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
    const { readAt = 0 } = watches.get(record.id) ?? {};
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
      const watched = watches.get(id);
      const record = recordOf(id);
      if (watched === undefined || watched.readAt === 0 || record === undefined) {
        return { seen: null, steps: null, secondsLeft: null };
      }
      const steps = stepsOf(record, watched.watch);
      const rate = rateSince(watched.rate, startedMs(record));
      const left = secondsLeft(rate, clock.now(), steps, evaluationSteps(record.order.spec));
      return { seen: summaryOf(record, watched), steps, secondsLeft: left };
    },
    read: async (record) => {
      if (!record.ok) return record;
      const watched = watches.open(record.value);
      if (!watched.ok) return watched;
      const read = await watches.readAll(watched.value, startedMs(record.value));
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
    forget: (id) => watches.close(id),
    dispose: async () => {
      disposed = true;
      watches.dispose();
      await reconciler.dispose();
    },
  };
}

function stepsOf({ order: { spec } }: TrainingRecord, watch: TrainingWatch): number | null {
  return isOwnTraining(spec) ? spec.updates : watch.steps();
}
