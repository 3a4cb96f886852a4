import { availableParallelism } from 'node:os';
import {
  type Refusal,
  resourceConflict,
  type ServerSpec,
  type WorkbenchEvent,
} from '../../preload/contract/index';
import { assertNever, createKeyedQueue, type Emitter, failed, ok, orThrow, type Result } from '../base/index';
import { createReconciler, type ReconcileProblem, type Reconciler } from '../reconcile/index';
import { type Registry, reasonOf, type Speed, type StudyRecord } from '../storage/index';
import { type StudyDeps, startStudy } from './active-study';
import { isLeftToService, nextAction, type StudyEnd, type StudyRequest } from './logic/next-action';
import { progressOf } from './logic/progress';
import type { MissingJournals } from './missing-journals';
import { PrioritySemaphore } from './priority-semaphore';
import { whyNotWritten } from './study-gradings';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';
import type { RunningStudy, StudySession, StudyViews } from './study-views';

const PROGRESS_EVENT_MS = 250;
const ANALYSIS_EVENT_MS = 1_000;
/** Between attempts to go on with a study that cannot start yet. */
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
  /** From now on this is a service: goes on with what was left to one, and what it starts is left to the next one. */
  readonly goOnUnattended: () => void;
  /** Why these servers cannot be used now. */
  readonly conflict: (servers: readonly ServerSpec[]) => Refusal | null;
  /**
   * Pauses every running study, and resolves when the last state of each is saved. `handOver`: the next service goes on
   * with them.
   */
  readonly close: (options?: { readonly handOver: boolean }) => Promise<void>;
};

export function createStudyReconciler(options: {
  readonly registry: Registry;
  readonly store: StudyStore;
  readonly deps: StudyDeps;
  readonly events: Emitter<WorkbenchEvent>;
  readonly session: StudySession;
  readonly results: Pick<StudyResults, 'save' | 'release'>;
  readonly views: StudyViews;
  readonly missing: Pick<MissingJournals, 'check'>;
  readonly emitChange: (studyId: string) => void;
  readonly onError: (problem: ReconcileProblem) => void;
}): StudyReconciler {
  const { registry, store, deps, events, results, views, missing, emitChange, onError } = options;
  const { running, failures } = options.session;
  const summaries = createKeyedQueue();
  /** Shared by all running studies: private tests run on one machine, whoever needs them. */
  const privateTestSlots = new PrioritySemaphore(PRIVATE_TESTS_PER_CORE * availableParallelism());
  let closing = false;
  let isHandedOver = false;
  let isService = false;

  const conflict = (servers: readonly ServerSpec[]): Refusal | null =>
    resourceConflict(
      servers,
      [...running.values()].map(({ active }) => active.study),
    );

  const start = async ({ study, elapsedMs, parallel }: StudyRecord): Promise<Result<null, Refusal>> => {
    const { id } = study;
    failures.delete(id);
    const saved = await store.change(id, ({ headline: _headline, ...old }) => ({
      ...old,
      stopped: null,
      finishedAt: null,
      progress: old.progress ?? views.planned(study),
      ...(isService && { unattended: true as const }),
    }));
    if (!saved.ok) return saved;
    await results.release(study);
    const active = startStudy(
      study,
      { ...deps, privateTestSlots, parallel: parallel ?? null },
      {
        onState: (state) => {
          const now = running.get(id);
          if (state.kind === 'running' && now !== undefined) {
            const { nodesDone, gradedDone } = progressOf(study, active.views(), 0, null);
            now.start = { at: deps.now(), nodes: nodesDone, work: nodesDone + gradedDone };
          }
          emitChange(id);
        },
        onEvent: (runId, event) => {
          const now = running.get(id);
          if (now !== undefined && event.kind === 'node-graded') now.hasNewGrades = true;
          events.emit({ kind: 'run-events', runId, events: [event] });
        },
        onBug: (error) => onError({ name: NAME, key: id, error, failures: 1, waitMs: 0 }),
      },
    );
    for (const other of running.values()) other.ranConcurrently = true;
    const now: RunningStudy = {
      active,
      earlierMs: elapsedMs,
      since: deps.now(),
      start: null,
      end: null,
      ranConcurrently: running.size > 0,
      savedAt: deps.now(),
      analysedAt: deps.now(),
      hasNewGrades: false,
    };
    running.set(id, now);
    // It never rejects: errors are how it ends.
    void active.ended.then((end) => {
      now.end = { how: end, at: deps.now() };
      return reconciler.run();
    });
    emitChange(id);
    reconciler.schedule();
    return ok(null);
  };

  const save = async (record: StudyRecord, now: RunningStudy, end: StudyEnd | null) => {
    const progress = views.progressOf(record);
    const warnings = [...views.warningsOf(record)];
    const { elapsedMs } = progress;
    const isLeft = closing && end?.kind === 'paused';
    const saved = await store.change(record.study.id, ({ unattended, ...old }) => ({
      ...old,
      ...{ elapsedMs, progress, warnings },
      // What a person stops, or what ends, is nobody's any more.
      ...((end === null || isLeft) && unattended && { unattended }),
      ...(isLeft && isHandedOver && { unattended: true as const }),
      ...(end !== null && {
        stopped: end.kind === 'paused' || end.kind === 'cancelled' ? end.kind : null,
        progress: { ...progress, remainingMs: null },
        finishedAt: end.kind === 'finished' ? new Date(deps.now()).toISOString() : null,
      }),
    }));
    if (saved.ok) now.savedAt = deps.now();
    return saved;
  };

  /** Saves how a study ended, then its summaries, so that nothing has to read its journals again. */
  const conclude = async (record: StudyRecord, now: RunningStudy, end: StudyEnd) => {
    const { study } = record;
    const speed =
      end.kind === 'finished' ? speedOf(now, views.progressOf(record).nodesDone, deps.now()) : null;
    const saved = await save(record, now, end);
    if (!saved.ok) return saved;
    if (end.kind === 'failed') failures.set(study.id, end.refusal);
    running.delete(study.id);
    summaries
      .run(study.id, () => results.save(study, now.active.views(), { analysis: !closing }))
      .catch((cause: unknown) => {
        const message = `The results of the study "${study.name}" were not summarised: ${reasonOf(cause)}.`;
        onError({ name: NAME, key: study.id, error: new Error(message, { cause }), failures: 1, waitMs: 0 });
      });
    emitChange(study.id);
    events.emit({ kind: 'analysis-changed', studyId: study.id });
    if (speed === null) return saved;
    return registry.update((data) => ({ ...data, speeds: [...data.speeds, speed].slice(-20) }));
  };

  const cancel = async (studyId: string) => {
    failures.delete(studyId);
    const saved = await store.change(studyId, ({ unattended: _, ...old }) => ({
      ...old,
      stopped: 'cancelled',
    }));
    // Servers that an earlier start of the app left running for it.
    await deps.servers.stopOwnedBy(studyId);
    emitChange(studyId);
    return saved;
  };

  const act = async (studyId: string, request: StudyRequest | null): Promise<Result<unknown, Refusal>> => {
    const record = store.find(studyId);
    if (!record.ok) return record;
    const now = running.get(studyId);
    const servers = record.value.study.runs.flatMap(({ team }) => team.servers);
    // A start would write new journals in the place of the missing ones.
    const observed = { ...views.observe(studyId), request, isService };
    const isStarted = request === 'start' || isLeftToService(record.value, observed);
    const begins = isStarted && now === undefined;
    const lost = begins ? ((await missing.check(record.value)) ?? whyNotWritten(record.value)) : null;
    const obstacle = closing ? CLOSING : (lost ?? conflict(servers));
    const action = nextAction(record.value, { ...observed, obstacle });
    switch (action.kind) {
      case 'refuse':
        return failed(action.refusal);
      case 'start':
        return start(record.value);
      case 'cancel':
        return cancel(studyId);
      case 'stop':
        now?.active.stop(action.as);
        return ok(null);
      case 'save': {
        if (now === undefined) return ok(null);
        if (action.end === null) return save(record.value, now, null);
        const concluded = await conclude(record.value, now, action.end);
        return concluded.ok && request === 'start' ? act(studyId, request) : concluded;
      }
      case 'nothing':
        return ok(null);
      default:
        return assertNever(action);
    }
  };

  const leftToUs = (): readonly string[] =>
    closing || !isService
      ? []
      : store
          .list()
          .filter((record) => !record.removed)
          .filter((record) => isLeftToService(record, { ...views.observe(record.study.id), isService }))
          .map(({ study }) => study.id);
  const reconciler = createReconciler({
    name: NAME,
    tick: async ({ attempt }) => {
      for (const id of [...running.keys(), ...leftToUs()])
        await attempt(id, async () => void orThrow(await act(id, null)));
    },
    everyMs: () => (running.size > 0 ? PROGRESS_EVENT_MS : leftToUs().length > 0 ? GO_ON_MS : null),
    onTick: () => {
      for (const [studyId, now] of running) {
        emitChange(studyId);
        if (!now.hasNewGrades || deps.now() - now.analysedAt < ANALYSIS_EVENT_MS) continue;
        now.hasNewGrades = false;
        now.analysedAt = deps.now();
        events.emit({ kind: 'analysis-changed', studyId });
      }
    },
    onError,
    keepsProcessAlive: true,
  });

  return {
    goOnUnattended: () => {
      isService = true;
      reconciler.schedule();
    },
    between: reconciler.between,
    conflict,
    request: async (studyId, request) => {
      const done = await reconciler.between(() => act(studyId, request));
      if (request !== 'start') {
        await running.get(studyId)?.active.ended;
        await reconciler.run();
      }
      return done.ok ? ok(null) : done;
    },
    close: async ({ handOver } = { handOver: false }) => {
      closing = true;
      isHandedOver = handOver;
      await reconciler.between(async () => {
        // A regular exit is a pause; only an app that was killed leaves an interrupted study.
        for (const { active } of running.values()) active.stop('paused');
      });
      await Promise.all([...running.values()].map(({ active }) => active.ended));
      // Wait for the last progress of each: else the next start shows a state that is seconds old.
      await reconciler.run();
      await reconciler.dispose();
      await summaries.idle();
    },
  };
}

/** null: too little was made to tell, or beside another study, which says nothing about this computer. */
function speedOf(
  { active, start, ranConcurrently }: RunningStudy,
  nodesDone: number,
  now: number,
): Speed | null {
  if (start === null || ranConcurrently) return null;
  const seconds = (now - start.at) / 1_000;
  const made = nodesDone - start.nodes;
  if (made < 100 || seconds < 1) return null;
  const at = new Date(now).toISOString();
  return { at, scale: active.study.scale, candidatesPerSecond: made / seconds };
}

const NAME = 'studies';
const CLOSING: Refusal = { code: 'cancelled', message: 'The workbench is closing.' };
