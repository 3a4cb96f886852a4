import { availableParallelism } from 'node:os';
import type { Refusal, ServerSpec, WorkbenchEvent } from '../../preload/contract/index';
import { assertNever, type Emitter, failed, ok, orThrow, type Result } from '../base/index';
import { createReconciler, type ReconcileProblem, type Reconciler } from '../reconcile/index';
import type { Registry, StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import { isLeftToService, nextAction, type StudyRequest } from './logic/next-action';
import type { MissingJournals } from './missing-journals';
import { emitNewGrades } from './new-grades';
import { PrioritySemaphore } from './priority-semaphore';
import { restartStudy } from './restart-study';
import { startRecorded } from './start-recorded';
import { notWrittenRefusal } from './study-gradings';
import { createStudyQueue, type StudyQueue } from './study-queue';
import type { StudyResults } from './study-results';
import { createStudySaving } from './study-saving';
import type { StudyStore } from './study-store';
import type { StudySession, StudyViews } from './study-views';

const PROGRESS_EVENT_MS = 250;
/** Between attempts to continue with a study that cannot start yet. */
const GO_ON_MS = 2_000;
/**
 * Programs that may share a process go there in batches, and two at a time they cost a third more CPU. Of those that may not,
 * the grader runs one per core, in turn with public tests, for which a model's slot waits.
 */
const PRIVATE_TESTS_PER_CORE = 16;

/** Starts and stops studies, saves their progress while they run, and how they ended. */
export type StudyReconciler = Pick<Reconciler, 'between'> & {
  /** Does it, or says why not; paused and cancelled: resolves when the work has stopped. */
  readonly request: (studyId: string, request: StudyRequest) => Promise<Result<null, Refusal>>;
  /** From now on this is a service: continues with what was left to one, and what it starts is left to the next one. */
  readonly goOnUnattended: () => void;
  /** See `restartStudy`. */
  readonly restarted: <T>(
    studyId: string,
    change: () => Promise<Result<T, Refusal>>,
  ) => Promise<Result<T, Refusal>>;
  /** Why these servers cannot be used now. */
  readonly conflict: (servers: readonly ServerSpec[]) => Refusal | null;
  /**
   * Pauses every running study, and resolves when the last state of each is saved. `handOver`: the next service continues
   * with them.
   */
  readonly close: (options?: { readonly handOver: boolean }) => Promise<void>;
};

type ReconcilerOptions = {
  readonly registry: Registry;
  readonly store: StudyStore;
  readonly deps: StudyDeps;
  readonly events: Emitter<WorkbenchEvent>;
  readonly session: StudySession;
  readonly results: Pick<StudyResults, 'save' | 'release' | 'analysisIsDue'>;
  readonly views: StudyViews;
  readonly missing: Pick<MissingJournals, 'check'>;
  readonly emitChange: (studyId: string) => void;
  readonly onError: (problem: ReconcileProblem) => void;
};

export function createStudyReconciler(options: ReconcilerOptions): StudyReconciler {
  const { store, deps, views, missing, emitChange, onError } = options;
  const { running, failures } = options.session;
  /** Shared by all running studies: private tests of all of them run on one machine. */
  const privateTestSlots = new PrioritySemaphore(PRIVATE_TESTS_PER_CORE * availableParallelism());
  let closing = false;
  let isHandedOver = false;
  let isService = false;

  const queue = createStudyQueue(options.session, emitChange);

  const saving = createStudySaving(options, {
    name: NAME,
    isClosing: () => closing,
    isHandedOver: () => isHandedOver,
  });
  const start = async (record: StudyRecord): Promise<Result<null, Refusal>> => {
    const { id } = record.study;
    const started = await startRecorded(record, { ...options, privateTestSlots, isService, name: NAME });
    queue.leave(id);
    if (!started.ok) return started;
    const now = started.value;
    // It never rejects: errors are how it ends.
    void now.active.ended.then((end) => {
      now.end = { how: end, at: deps.now() };
      return reconciler.run();
    });
    emitChange(id);
    reconciler.schedule();
    return ok(null);
  };

  const act = async (studyId: string, request: StudyRequest | null): Promise<Result<unknown, Refusal>> => {
    const record = store.find(studyId);
    if (!record.ok) return record;
    const now = running.get(studyId);
    const observation = observe(record.value, request, { queue, views, isService });
    const { servers, isQueued, begins, observed } = observation;
    const obstacle = closing ? CLOSING : begins ? await missingJournalsReason(record.value, missing) : null;
    const action = nextAction(record.value, { ...observed, obstacle });
    switch (action.kind) {
      case 'refuse':
        return isQueued ? ok(queue.leave(studyId, action.refusal)) : failed(action.refusal);
      case 'enqueue':
        return ok(queue.wait(studyId, servers));
      case 'dequeue':
        return ok(queue.leave(studyId));
      case 'start':
        return start(record.value);
      case 'cancel':
        queue.leave(studyId);
        failures.delete(studyId);
        return cancelRecorded(studyId, { store, servers: deps.servers, emitChange });
      case 'stop':
        now?.active.stop(action.as);
        return ok(null);
      case 'save': {
        if (now === undefined) return ok(null);
        if (action.end === null) return saving.save(record.value, now, null);
        const concluded = await saving.conclude(record.value, now, action.end);
        return concluded.ok && isStart(request) ? act(studyId, request) : concluded;
      }
      case 'nothing':
        return ok(null);
      default:
        return assertNever(action);
    }
  };

  const leftToUs = (): readonly string[] => (closing || !isService ? [] : leftToService(store.list(), views));
  const reconciler = createReconciler({
    name: NAME,
    tick: async ({ attempt }) => {
      for (const id of [...running.keys(), ...(closing ? [] : queue.ids()), ...leftToUs()])
        await attempt(id, async () => void orThrow(await act(id, null)));
    },
    everyMs: () => (running.size > 0 ? PROGRESS_EVENT_MS : leftToUs().length > 0 ? GO_ON_MS : null),
    onTick: () => {
      for (const [studyId, now] of running) {
        emitChange(studyId);
        emitNewGrades(studyId, now, options);
      }
    },
    onError,
    keepsProcessAlive: true,
  });

  return {
    restarted: (studyId, change) => restartStudy(studyId, change, { ...options, start }),
    goOnUnattended: () => {
      isService = true;
      reconciler.schedule();
    },
    between: reconciler.between,
    conflict: queue.conflict,
    request: async (studyId, request) => {
      const done = await reconciler.between(() => act(studyId, request));
      if (!isStart(request)) {
        await running.get(studyId)?.active.ended;
        await reconciler.run();
      }
      return done.ok ? ok(null) : done;
    },
    close: async ({ handOver } = { handOver: false }) => {
      closing = true;
      isHandedOver = handOver;
      await reconciler.between(() => pauseAll(options, isHandedOver ? queue.ids() : []));
      await Promise.all([...running.values()].map(({ active }) => active.ended));
      // Wait for the last progress of each: else the next start shows a state that is seconds old.
      await reconciler.run();
      await reconciler.dispose();
      await saving.idle();
    },
  };
}

/** What a decision about the study depends on. `begins`: it would start now, where nothing else is against it. */
function observe(
  record: StudyRecord,
  request: StudyRequest | null,
  deps: { readonly queue: StudyQueue; readonly views: StudyViews; readonly isService: boolean },
) {
  const { queue, views, isService } = deps;
  const { id, runs } = record.study;
  const servers = runs.flatMap(({ team }) => team.servers);
  const isQueued = request === null && queue.has(id);
  const observed = {
    ...{ ...views.observe(id), conflict: queue.conflict(servers), isService },
    request: isQueued ? ('queue' as const) : request,
  };
  const isStarted = isStart(observed.request) || isLeftToService(record, observed);
  const waits = isQueued && observed.conflict !== null;
  return { servers, isQueued, observed, begins: isStarted && observed.work === null && !waits };
}

/** Why its start would write new journals in place of missing ones. */
async function missingJournalsReason(
  record: StudyRecord,
  missing: Pick<MissingJournals, 'check'>,
): Promise<Refusal | null> {
  return (await missing.check(record)) ?? notWrittenRefusal(record);
}

/**
 * A regular exit is a pause; only an app that was killed leaves an interrupted study. `left`: the queue, which the next
 * service continues with.
 */
async function pauseAll(
  { session, store }: Pick<ReconcilerOptions, 'session' | 'store'>,
  left: readonly string[],
): Promise<void> {
  for (const { active } of session.running.values()) active.stop('paused');
  for (const id of left) orThrow(await store.change(id, (old) => ({ ...old, unattended: true })));
}

/** Studies that a service continues with. */
function leftToService(records: readonly StudyRecord[], views: StudyViews): readonly string[] {
  return records
    .filter((record) => !record.removed)
    .filter((record) => isLeftToService(record, { ...views.observe(record.study.id), isService: true }))
    .map(({ study }) => study.id);
}

async function cancelRecorded(
  studyId: string,
  options: {
    readonly store: StudyStore;
    readonly servers: Pick<StudyDeps['servers'], 'stopOwnedBy'>;
    readonly emitChange: (studyId: string) => void;
  },
): Promise<Result<null, Refusal>> {
  const { store, servers, emitChange } = options;
  const saved = await store.change(studyId, ({ unattended: _, failure: _failure, ...old }) => ({
    ...old,
    stopped: 'cancelled',
  }));
  // Servers that an earlier start of the app left running for it.
  await servers.stopOwnedBy(studyId);
  emitChange(studyId);
  return saved;
}

const isStart = (request: StudyRequest | null): boolean => request === 'start' || request === 'queue';

const NAME = 'studies';
const CLOSING: Refusal = { code: 'cancelled', message: 'The workbench is closing.' };
