import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_MACHINE, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Asked } from '../machines';
import { admitWaiting } from './gpu-line';
import { type JobSurroundings, keep, lookTimes } from './job-surroundings';
import { afterRefusal } from './logic/after-look';
import type { JobRecord } from './logic/job-record';
import { lookInterval } from './logic/look-interval';
import { lookAtJobs } from './look-at-jobs';
import { startAttempts } from './start-attempt';
import { stopAttempt, stopRest, withStopWanted } from './stop-attempt';
import { createTurns, inTurnOfAll, shared } from './turns';

/** So long a look under way may take when the app is left. */
const PARTING_MS = 2_000;
/** The least wait between two looks that nobody asked for. */
const SHORTEST_WAIT_MS = 200;

/** All that is done for the jobs of one machine. */
export type MachineDesk = {
  /**
   * Lets a waiting job begin now, if it may. A refusal: nothing was started, and its record was left `starting`. One
   * that waits, or whose machine does not answer, is no refusal: it begins as soon as it can.
   */
  readonly begin: (id: string) => Promise<Result<null, Refusal>>;
  /**
   * Many in one go; the answers are in their order. `note` writes their records, after they are known to be begun here:
   * nothing else begins one of them alone meanwhile.
   */
  readonly beginMany: (
    ids: readonly string[],
    note: () => Promise<void>,
  ) => Promise<readonly Result<null, Refusal>[]>;
  readonly stop: (id: string, graceMs: number) => Asked<null>;
  /** A job on its own: what is asked for it under `work` waits for a start or a stop of it that is under way. */
  readonly alone: <T>(id: string, work: () => Promise<T>) => Promise<T>;
  /** Looks at what runs. A failure: the machine told nothing. */
  readonly look: () => Asked<null>;
  /** Looks, lets begin what may, and does what could not be done while the machine did not answer. */
  readonly pass: () => Asked<null>;
  /** Somebody looks at its jobs: they are looked at more often for a while. */
  readonly watched: () => void;
  readonly dispose: () => Promise<void>;
};

export function createMachineDesk(around: JobSurroundings, machineId: string): MachineDesk {
  const { book, clock } = around;
  const turn = createTurns();
  /** Jobs whose first start somebody waits for. */
  const begun = new Set<string>();
  let hasAnswered = true;
  let watchedMs: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isDisposed = false;
  let working: Promise<unknown> = Promise.resolve();

  const own = () => book.records().filter(({ spec }) => spec.machineId === machineId);

  const lookNow = shared(async () => {
    const looked = await lookAtJobs(around, machineId);
    hasAnswered = looked.ok;
    return looked;
  });
  const admit = shared(() => admitWaiting(around, machineId));

  const beginTogether = (ids: readonly string[]) =>
    inTurnOfAll(turn, ids, async () => {
      const started = await startAttempts(around, machineId, ids);
      if (started.some((one) => !one.ok)) hasAnswered = false;
      return started;
    });

  const stop = (id: string) => turn(id, () => stopAttempt(around, id, lookNow));

  /** Starts and stops whose answer was lost, or that had to wait. */
  const catchUp = async () => {
    for (const record of own()) {
      if (isDisposed || !hasAnswered) return;
      if (record.stopGraceMs !== null && record.phase !== 'ended') await stop(record.id);
    }
    const ids = own()
      .filter(({ id, phase, stopGraceMs }) => phase === 'starting' && stopGraceMs === null && !begun.has(id))
      .map(({ id }) => id);
    if (isDisposed || !hasAnswered || ids.length === 0) return;
    const started = await beginTogether(ids);
    for (const [index, id] of ids.entries()) await noteRefusal(id, started[index]);
  };

  /** Of a start for which nobody waits: it goes into the timeline. */
  const noteRefusal = async (
    id: string,
    started: Awaited<ReturnType<typeof beginTogether>>[number] | undefined,
  ) => {
    const record = book.get(id);
    if (!started?.ok || started.value.kind === 'begun' || record === null) return;
    const { message, hint } = started.value.refusal;
    const why = hint === undefined ? message : `${message} ${hint}`;
    await keep(book, afterRefusal(record, why, lookTimes(around)));
  };

  const pass = shared(async () => {
    if (isDisposed) return ok(null);
    // Whether it answers again is not known before it is asked.
    hasAnswered = true;
    const looked = await lookNow();
    if (!isDisposed && looked.ok) {
      await admit();
      await catchUp();
      if (hasAnswered && own().some(isFresh)) await lookNow();
    }
    arm();
    return looked;
  });

  const arm = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (isDisposed) return;
    const nowMs = clock.now();
    const wait = lookInterval({
      isLocal: machineId === LOCAL_MACHINE,
      hasAnswered,
      askedAgoMs: watchedMs === null ? null : nowMs - watchedMs,
      jobs: own().map(({ phase, askedAt }) => ({
        phase,
        ageMs: askedAt === null ? 0 : nowMs - Date.parse(askedAt),
      })),
    });
    if (wait === null) return;
    const due = own().flatMap(({ phase, notBefore }) =>
      phase === 'waiting' && notBefore !== null ? [Date.parse(notBefore) - nowMs] : [],
    );
    timer = setTimeout(
      () => {
        working = pass();
      },
      Math.max(SHORTEST_WAIT_MS, Math.min(wait, ...due)),
    );
  };

  const beginMany: MachineDesk['beginMany'] = async (ids, note) => {
    for (const id of ids) begun.add(id);
    try {
      await note();
      await admit();
      const started = await beginTogether(ids);
      if (started.some((one) => one.ok && one.value.kind === 'begun')) await lookNow();
      return started.map((one) =>
        one.ok && one.value.kind === 'refused' ? failed(one.value.refusal) : ok(null),
      );
    } finally {
      for (const id of ids) begun.delete(id);
      arm();
    }
  };

  return {
    begin: async (id) => (await beginMany([id], async () => undefined))[0] ?? ok(null),
    beginMany,
    stop: async (id, graceMs) => {
      const record = book.get(id);
      if (record === null) return ok(null);
      if (record.phase === 'ended') return turn(id, () => stopRest(around, id, graceMs));
      await book.put(withStopWanted(record, lookTimes(around).at, graceMs));
      const stopped = await stop(id);
      if (!stopped.ok && stopped.error.code === 'unreachable') hasAnswered = false;
      // Its GPUs may be what others wait for.
      working = pass();
      return stopped;
    },
    alone: turn,
    look: lookNow,
    pass,
    watched: () => {
      const wasWatched = watchedMs !== null && clock.now() - watchedMs < 2_000;
      watchedMs = clock.now();
      if (!wasWatched && hasAnswered) arm();
    },
    dispose: async () => {
      isDisposed = true;
      arm();
      // A machine that does not answer keeps nobody from leaving.
      const patience = new AbortController();
      await Promise.race([working, sleep(PARTING_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    },
  };
}

/** Its process is known to the machine and not to us yet. */
function isFresh({ phase, state }: JobRecord): boolean {
  return phase === 'started' && state.kind !== 'running' && state.kind !== 'queued';
}
