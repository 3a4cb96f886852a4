import { jobHasEnded, LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { Job } from '../jobs';
import type { Asked, Machine } from '../machines';
import { martiValues } from './logic/marti/marti-values';
import { nextPace, type Pace, secondsLeft } from './logic/pace';
import { trainingAgents } from './logic/titles';
import type { TrainingRecord, TrainingSeen } from './logic/training-record';
import { watchSources } from './logic/watch-sources';
import { openTrainingWatch, type TrainingWatch } from './watch';

/** How often the files of what runs are read: here, and over a connection. */
const LOOK_HERE_MS = 2_000;
const LOOK_THERE_MS = 10_000;
/** Watches of ended trainings that are kept open for whoever compares their curves; each holds its points. */
const MOST_ENDED = 12;

export type WatchedNow = {
  readonly seen: TrainingSeen | null;
  readonly steps: number | null;
  readonly secondsLeft: number | null;
};

/** The watches of all trainings: those of running ones are read by and by, the others when somebody asks. */
export type WatchDesk = {
  readonly seen: (id: string) => WatchedNow;
  /** The training's watch after a reading; where its machine does not answer, with what was read before. */
  readonly read: (record: Result<TrainingRecord, Refusal>) => Asked<TrainingWatch>;
  /** It has ended: what it wrote last is read and kept, unless that was done already. */
  readonly lastLook: (record: TrainingRecord) => void;
  /** Looks soon, and again as long as anything runs. */
  readonly follow: () => void;
  readonly forget: (id: string) => void;
  /** Resolves once nothing is read or kept any more. */
  readonly dispose: () => Promise<void>;
};

type Watched = {
  readonly watch: TrainingWatch;
  /** Path of the log that it reads: there is none before the job has a folder. */
  readonly log: string | null;
  pace: Pace | null;
  readAt: number;
  /** What was told of alarms last: a stall comes without anything new. */
  alarms: string;
};

export function createWatchDesk(around: {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly clock: { readonly now: () => number };
  readonly folderOf: (id: string) => string;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly records: () => readonly TrainingRecord[];
  /** Something new was read. */
  readonly onRead: (id: string) => void;
  readonly keep: (id: string, seen: TrainingSeen) => Promise<void>;
}): WatchDesk {
  const { clock, jobOf } = around;
  /** Least recently used first. */
  const open = new Map<string, Watched>();
  const keeping = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let disposed = false;

  const isAlive = (record: TrainingRecord): boolean => {
    const job = jobOf(record);
    return job !== null && !jobHasEnded(job.view.state);
  };
  /** Waiting ones have nothing to read, and a silent machine is asked by the jobs already. */
  const isRunning = (record: TrainingRecord): boolean => jobOf(record)?.view.state.kind === 'running';
  /** Null where no process is there. */
  const startedMs = (record: TrainingRecord): number | null => {
    const startedAt = isRunning(record) ? jobOf(record)?.view.startedAt : null;
    return startedAt == null ? null : Date.parse(startedAt);
  };
  const close = (id: string) => {
    open.get(id)?.watch.dispose();
    open.delete(id);
  };
  const closeOldest = () => {
    const ended = [...open.keys()].filter((id) => {
      const record = around.records().find((one) => one.id === id);
      return record === undefined || !isAlive(record);
    });
    for (const id of ended.slice(0, -MOST_ENDED)) close(id);
  };
  const opened = (record: TrainingRecord): Result<Watched, Refusal> => {
    const folder = jobOf(record)?.folder ?? null;
    const log = folder === null ? null : `${folder}/output.log`;
    const known = open.get(record.id);
    if (known !== undefined && known.log === log) {
      open.delete(record.id);
      open.set(record.id, known);
      return ok(known);
    }
    close(record.id);
    const machine = around.machines.get(record.order.machineId);
    if (!machine.ok) return machine;
    const watch = openTrainingWatch({
      machine: machine.value,
      spec: record.order.spec,
      agents: trainingAgents(record.order.spec),
      sources: watchSources(record, { folder: around.folderOf(record.id), log }),
      ...(record.recipe === null ? {} : { recipe: record.recipe }),
      checkpointEvery: checkpointEvery(record),
      clock,
    });
    const watched: Watched = { watch, log, pace: null, readAt: 0, alarms: '' };
    open.set(record.id, watched);
    closeOldest();
    return ok(watched);
  };
  const seenOf = (record: TrainingRecord, { watch }: Watched): TrainingSeen => ({
    step: watch.step(),
    stage: watch.stage(),
    latest: watch.latest(),
    alarms: watch.alarms(clock.now(), startedMs(record)),
    endedAt: jobOf(record)?.view.endedAt ?? null,
  });
  /** Until nothing is left over; `changed` when anything was new. */
  const readAll = async (watched: Watched): Asked<{ readonly changed: boolean }> => {
    let changed = false;
    for (;;) {
      const read = await watched.watch.read();
      watched.readAt = clock.now();
      if (!read.ok) return read;
      changed ||= read.value.changed;
      if (!read.value.isBehind || disposed) break;
    }
    watched.pace = nextPace(watched.pace, clock.now(), watched.watch.step());
    return ok({ changed });
  };

  const keepLast = async (record: TrainingRecord): Promise<void> => {
    const watched = opened(record);
    if (!watched.ok) return;
    const read = await readAll(watched.value);
    if (!read.ok || disposed) return;
    await around.keep(record.id, seenOf(record, watched.value));
    around.onRead(record.id);
    closeOldest();
  };
  const lastLook = (record: TrainingRecord): void => {
    const { endedAt = null } = jobOf(record)?.view ?? {};
    if (disposed || endedAt === null || record.seen?.endedAt === endedAt || keeping.has(record.id)) return;
    keeping.set(
      record.id,
      keepLast(record).finally(() => keeping.delete(record.id)),
    );
  };
  const lookAt = async (record: TrainingRecord): Promise<void> => {
    const watched = opened(record);
    if (!watched.ok) return;
    const read = await readAll(watched.value);
    if (!read.ok || disposed) return;
    const alarms = seenOf(record, watched.value).alarms.map(({ kind, agentId }) => `${kind} ${agentId}`);
    const isNew = alarms.join() !== watched.value.alarms;
    watched.value.alarms = alarms.join();
    if (read.value.changed || isNew) around.onRead(record.id);
  };
  const lookEvery = ({ order }: TrainingRecord) =>
    order.machineId === LOCAL_MACHINE ? LOOK_HERE_MS : LOOK_THERE_MS;
  const isDue = (record: TrainingRecord): boolean => {
    const { readAt = 0 } = open.get(record.id) ?? {};
    return clock.now() - readAt >= lookEvery(record) * 0.9;
  };
  const pass = async (): Promise<void> => {
    const alive = around.records().filter(isAlive);
    await Promise.all(alive.filter((record) => isRunning(record) && isDue(record)).map(lookAt));
    if (!disposed && alive.length > 0) schedule(LOOK_HERE_MS);
  };
  const schedule = (ms: number) => {
    if (timer !== null || disposed) return;
    timer = setTimeout(() => {
      timer = null;
      void pass();
    }, ms);
    timer.unref();
  };

  return {
    seen: (id) => {
      const watched = open.get(id);
      const record = around.records().find((one) => one.id === id);
      if (watched === undefined || watched.readAt === 0 || record === undefined) {
        return { seen: null, steps: null, secondsLeft: null };
      }
      const steps = stepsOf(record, watched.watch);
      return {
        seen: seenOf(record, watched),
        steps,
        secondsLeft: secondsLeft(watched.pace, clock.now(), steps),
      };
    },
    read: async (record) => {
      if (!record.ok) return record;
      const watched = opened(record.value);
      if (!watched.ok) return watched;
      const read = await readAll(watched.value);
      // What was read before is worth showing; a machine that never answered has nothing to show.
      if (!read.ok && watched.value.pace === null) return read;
      return ok(watched.value.watch);
    },
    lastLook,
    follow: () => {
      // Of another machine when it is asked for: an ended training is no reason to log in somewhere.
      const here = around.records().filter(({ order }) => order.machineId === LOCAL_MACHINE);
      for (const record of here) if (!isAlive(record)) lastLook(record);
      schedule(0);
    },
    forget: close,
    dispose: async () => {
      disposed = true;
      if (timer !== null) clearTimeout(timer);
      for (const id of [...open.keys()]) close(id);
      await Promise.all(keeping.values());
    },
  };
}

function stepsOf({ order: { spec } }: TrainingRecord, watch: TrainingWatch): number | null {
  return spec.kind === 'pocket' ? spec.updates : watch.steps();
}

/** Of MARTI as ordered, so that an old checkpoint is noticed. */
function checkpointEvery({ order: { spec } }: TrainingRecord): number | null {
  if (spec.kind === 'pocket') return spec.checkpointEvery;
  const steps = spec.kind === 'marti' ? martiValues(spec).number('save_steps', -1) : -1;
  return steps > 0 ? steps : null;
}
