import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { createKeyedQueue, failed, ok, type Result } from '../base';
import type { AsyncResult } from '../machines';
import { createReconciler, type Reconciler, type Tick } from '../reconcile';
import { reasonOf } from '../storage';
import { admitWaiting } from './admit-waiting';
import { coalesced, runForAll } from './concurrency';
import { type JobContext, probeTimes, saveAndNotify } from './job-context';
import { applyRefusal } from './logic/apply-probe';
import type { JobRecord } from './logic/job-record';
import { probeInterval } from './logic/probe-interval';
import { probeJobs } from './probe-jobs';
import { startAttempts } from './start-attempt';
import { stopAttempt, stopLeftovers, withStopRequested } from './stop-attempt';

/** How long a probe in progress may delay quitting the app. */
const DISPOSE_TIMEOUT_MS = 2_000;
/** Minimum wait between two scheduled probes. */
const MIN_WAIT_MS = 200;

/** Starts, stops and probes the jobs of one machine. */
export type MachineQueue = {
  /**
   * Starts a waiting job now, if possible. On a refusal nothing was started and its record was left `starting`. A job
   * that must wait, or whose machine does not answer, is not refused: it starts as soon as it can.
   */
  readonly start: (id: string) => Promise<Result<null, Refusal>>;
  /**
   * Starts many together; results in order. `save` writes their records, after the queue has marked them as being
   * launched, so that a reconcile does not start one of them meanwhile.
   */
  readonly startMany: (
    ids: readonly string[],
    save: () => Promise<void>,
  ) => Promise<readonly Result<null, Refusal>[]>;
  readonly stop: (id: string, graceMs: number, why?: string) => AsyncResult<null>;
  /** Runs `work` exclusively for a job: it waits for a start or stop of that job in progress. */
  readonly exclusive: <T>(id: string, work: () => Promise<T>) => Promise<T>;
  /** Probes the started jobs. On failure the machine gave no result. */
  readonly probe: () => AsyncResult<null>;
  /** Probes, starts waiting jobs, and repeats starts and stops that failed while the machine did not answer. */
  readonly reconcile: () => AsyncResult<null>;
  /** The same, without waiting for it. */
  readonly probeSoon: () => void;
  /** Somebody is viewing its jobs: they are probed more often for a while. */
  readonly noteInterest: () => void;
  readonly dispose: () => Promise<void>;
};

export function createMachineQueue(context: JobContext, machineId: string): MachineQueue {
  const { store, clock } = context;
  const queue = createKeyedQueue();
  /** Jobs whose first start a caller awaits. */
  const launching = new Set<string>();
  let isReachable = true;
  let interestMs: number | null = null;
  let lastProbe: Result<null, Refusal> = ok(null);

  const machineJobs = () => store.records().filter(({ spec }) => spec.machineId === machineId);

  const probeNow = coalesced(async () => {
    const probed = await probeJobs(context, machineId);
    isReachable = probed.ok;
    return probed;
  });
  const admit = coalesced(() => admitWaiting(context, machineId));

  const startTogether = (ids: readonly string[]) =>
    runForAll(queue, ids, async () => {
      const started = await startAttempts(context, machineId, ids);
      if (started.some((result) => !result.ok)) isReachable = false;
      return started;
    });

  const stop = (id: string) => queue.run(id, () => stopAttempt(context, id));

  /** Repeats starts and stops whose result was lost, or that had to wait. */
  const resumePending = async ({ isOpen, attempt }: Tick) => {
    for (const record of machineJobs()) {
      if (!isOpen() || !isReachable) return;
      if (record.stopGraceMs === null || record.phase === 'ended') continue;
      await attempt(record.id, async () => void (await stop(record.id)));
    }
    const ids = machineJobs()
      .filter(
        ({ id, phase, stopGraceMs }) => phase === 'starting' && stopGraceMs === null && !launching.has(id),
      )
      .map(({ id }) => id);
    if (!isOpen() || !isReachable || ids.length === 0) return;
    const started = await startTogether(ids);
    for (const [index, id] of ids.entries()) await recordRefusal(context, id, started[index]);
  };

  const tick = async (current: Tick): Promise<void> => {
    // Only asking shows whether it answers again.
    isReachable = true;
    lastProbe = await probeNow();
    if (!current.isOpen() || !lastProbe.ok) return;
    await admit();
    await resumePending(current);
    if (isReachable && machineJobs().some(awaitsFirstProbe)) await probeNow();
  };

  const nextTickMs = (): number | null => {
    const nowMs = clock.now();
    const interestAgeMs = interestMs === null ? null : nowMs - interestMs;
    const isLocal = machineId === LOCAL_MACHINE;
    return waitForTick(machineJobs(), nowMs, { isLocal, isReachable, interestAgeMs });
  };

  const reconciler = createReconciler({
    name: `jobs on ${machineId}`,
    tick,
    everyMs: nextTickMs,
    onError: context.onError,
    keepsProcessAlive: true,
  });

  const startMany: MachineQueue['startMany'] = async (ids, save) => {
    for (const id of ids) launching.add(id);
    try {
      await save();
      await admit();
      const started = await startTogether(ids);
      if (started.some((result) => result.ok && result.value.kind === 'begun')) await probeNow();
      return started.map((result) =>
        result.ok && result.value.kind === 'refused' ? failed(result.value.refusal) : ok(null),
      );
    } finally {
      for (const id of ids) launching.delete(id);
      reconciler.rearm();
    }
  };

  return {
    start: async (id) => (await startMany([id], async () => undefined))[0] ?? ok(null),
    startMany,
    stop: async (id, graceMs, why) => {
      const record = store.get(id);
      if (record === null) return ok(null);
      if (record.phase === 'ended') return queue.run(id, () => stopLeftovers(context, id, graceMs));
      await store.put(withStopRequested(record, probeTimes(context).at, graceMs, why));
      const stopped = await stop(id);
      if (!stopped.ok && stopped.error.code === 'unreachable') isReachable = false;
      // Other jobs may be waiting for its GPUs.
      reconciler.schedule();
      return stopped;
    },
    exclusive: queue.run,
    probe: probeNow,
    reconcile: async () => refusalOf(await reconciler.run()) ?? lastProbe,
    probeSoon: () => {
      // Ticks even during a back-off: the machine may have come back. `run` never rejects.
      void reconciler.run();
    },
    noteInterest: () => {
      const wasOfInterest = interestMs !== null && clock.now() - interestMs < 2_000;
      interestMs = clock.now();
      if (!wasOfInterest && isReachable) reconciler.rearm();
    },
    dispose: () => disposeInTime(reconciler),
  };
}

/** Started, but not yet observed running. */
function awaitsFirstProbe({ phase, state }: JobRecord): boolean {
  return phase === 'started' && state.kind !== 'running' && state.kind !== 'queued';
}

/** Of the tick as a whole, not of one job. */
function refusalOf(problems: Awaited<ReturnType<Reconciler['run']>>): Result<null, Refusal> | null {
  const problem = problems.find(({ key }) => key === null);
  return problem === undefined ? null : failed({ code: 'internal', message: reasonOf(problem.error) });
}

/** An unreachable machine must not delay quitting. */
async function disposeInTime(reconciler: Reconciler): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([
    reconciler.dispose(),
    sleep(DISPOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }),
  ]);
  timeout.abort();
}

/** Milliseconds to the next probe, or to the first job that may start by then; null: nothing is to be done. */
function waitForTick(
  jobs: readonly JobRecord[],
  nowMs: number,
  machine: {
    readonly isLocal: boolean;
    readonly isReachable: boolean;
    readonly interestAgeMs: number | null;
  },
): number | null {
  const wait = probeInterval({
    ...machine,
    jobs: jobs.map(({ phase, askedAt }) => ({
      phase,
      ageMs: askedAt === null ? 0 : nowMs - Date.parse(askedAt),
    })),
  });
  if (wait === null) return null;
  const due = jobs.flatMap(({ phase, notBefore }) =>
    phase === 'waiting' && notBefore !== null ? [Date.parse(notBefore) - nowMs] : [],
  );
  return Math.max(MIN_WAIT_MS, Math.min(wait, ...due));
}

/** Records the refusal of a start that no caller awaits in the timeline. */
async function recordRefusal(
  context: JobContext,
  id: string,
  started: Awaited<ReturnType<typeof startAttempts>>[number] | undefined,
): Promise<void> {
  const { store } = context;
  const record = store.get(id);
  if (!started?.ok || started.value.kind === 'begun' || record === null) return;
  const { message, hint } = started.value.refusal;
  const why = hint === undefined ? message : `${message} ${hint}`;
  await saveAndNotify(store, applyRefusal(record, why, probeTimes(context)));
}
