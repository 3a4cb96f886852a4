import { availableParallelism } from 'node:os';
import {
  type Progress,
  type Refusal,
  resourceConflict,
  type ServerSpec,
  type Study,
  type StudyView,
  type WorkbenchEvent,
} from '../../preload/contract/index';
import { type Emitter, failed, ok, type Result } from '../base/index';
import { type Registry, reasonOf, type StudyRecord } from '../storage/index';
import { type StudyDeps, startStudy } from './active-study';
import { hueAssignments } from './hue-assignments';
import { progressOf } from './logic/progress';
import { PrioritySemaphore } from './priority-semaphore';
import { createStudyResults, findStudy, type StudyResults } from './study-results';
import { createStudyViews, plannedProgress, type RunningStudy } from './study-views';

const PROGRESS_EVENT_MS = 250;
const ANALYSIS_EVENT_MS = 1_000;
const SAVE_PROGRESS_MS = 5_000;

export type StudyService = {
  readonly list: () => readonly StudyView[];
  /**
   * Why a study that needs these servers cannot start now: another one runs on the same machine or server. null: it can.
   */
  readonly conflict: (servers: readonly ServerSpec[]) => Refusal | null;
  readonly isRunning: (studyId: string) => boolean;
  readonly add: (study: Study) => Promise<Result<null, Refusal>>;
  /** Lists studies of another lab whose journals are in place. */
  readonly adopt: (records: readonly StudyRecord[]) => Promise<Result<null, Refusal>>;
  readonly start: (studyId: string) => Promise<Result<null, Refusal>>;
  /** Resolves when the work has stopped. */
  readonly stop: (studyId: string, intent: 'paused' | 'cancelled') => Promise<Result<null, Refusal>>;
  readonly remove: (studyId: string) => Promise<Result<null, Refusal>>;
  readonly restore: (studyId: string) => Promise<Result<null, Refusal>>;
  /** Replaces what a person wrote to the study: an empty note and no tags take it away. */
  readonly annotate: (
    studyId: string,
    words: { readonly note: string; readonly tags: readonly string[] },
  ) => Promise<Result<StudyView, Refusal>>;
  readonly results: StudyResults;
  /** Leaves running studies to be resumed, with every journal flushed. */
  readonly close: () => Promise<void>;
};

export function createStudyService(options: {
  readonly registry: Registry;
  readonly deps: StudyDeps;
  readonly events: Emitter<WorkbenchEvent>;
}): StudyService {
  const { registry, deps, events } = options;
  const running = new Map<string, RunningStudy>();
  const results = createStudyResults({
    registry,
    deps,
    activeOf: (id) => running.get(id)?.active,
    emit: (event) => events.emit(event),
    onUnfinished: (studyId, progress) => {
      const { elapsedMs: _, ...left } = progress;
      inBackground(studyId, async () => {
        const saved = await change(studyId, (old) => ({
          ...old,
          finishedAt: null,
          progress: { ...left, elapsedMs: old.elapsedMs },
        }));
        emitChange(studyId);
        return saved;
      });
    },
  });
  const failures = new Map<string, Refusal>();
  /** Studies whose work has ended and whose last state is being saved. */
  const finalizing = new Set<Promise<void>>();
  /** Studies whose journals are being released for them; they are not in `running` yet. */
  const starting = new Set<string>();
  /** Of all running studies: private tests run on one machine, whoever needs them. */
  const privateTestSlots = new PrioritySemaphore(availableParallelism());
  let closing = false;

  const records = (): readonly StudyRecord[] => registry.read().studies;
  const recordOf = (studyId: string): Result<StudyRecord, Refusal> => findStudy(registry, studyId);
  const change = async (
    studyId: string,
    next: (record: StudyRecord) => StudyRecord,
  ): Promise<Result<null, Refusal>> => {
    const saved = await registry.update((data) => ({
      ...data,
      studies: data.studies.map((record) => (record.study.id === studyId ? next(record) : record)),
    }));
    return saved.ok ? ok(null) : saved;
  };

  const hues = hueAssignments(registry);
  const views = createStudyViews({
    deps,
    hues,
    runningOf: (studyId) => running.get(studyId),
    failureOf: (studyId) => failures.get(studyId),
  });

  const emitChange = (studyId: string): void => {
    const record = recordOf(studyId);
    if (record.ok && !record.value.removed)
      events.emit({ kind: 'study-changed', view: views.of(record.value) });
  };

  const notifyError = (message: string): void => events.emit({ kind: 'notice', level: 'error', message });

  /** Runs work that nobody waits for; its failure becomes a notice. */
  const inBackground = (studyId: string, work: () => Promise<Result<null, Refusal>>): void => {
    work().then(
      (saved) => {
        if (!saved.ok) notifyError(saved.error.message);
      },
      (error: unknown) => notifyError(`The state of the study ${studyId} was not saved: ${reasonOf(error)}.`),
    );
  };

  const conclude = async (studyId: string, now: RunningStudy): Promise<void> => {
    const end = await now.active.ended;
    for (const timer of now.timers) clearInterval(timer);
    const record = recordOf(studyId);
    if (!record.ok) return;
    const { remainingMs: _left, ...progress } = views.progressOf(record.value);
    const warnings = [...views.warningsOf(record.value)];
    if (end.kind === 'failed') failures.set(studyId, end.refusal);
    const saved = await change(studyId, (old) => ({
      ...old,
      stopped: end.kind === 'stopped' ? now.intent : null,
      elapsedMs: progress.elapsedMs,
      progress: { ...progress, remainingMs: null },
      warnings,
      finishedAt: end.kind === 'finished' ? new Date(deps.now()).toISOString() : null,
    }));
    if (end.kind === 'finished') await rememberSpeed(record.value.study, progress, now);
    running.delete(studyId);
    if (!saved.ok) notifyError(saved.error.message);
  };

  /** Saves how a study ended, then its summaries, so that nothing has to read its journals again. */
  const finalize = async (studyId: string, now: RunningStudy): Promise<void> => {
    await now.concluded;
    const record = recordOf(studyId);
    if (!record.ok) return;
    const saved = results.save(record.value.study, now.active.views(), { analysis: !closing });
    emitChange(studyId);
    events.emit({ kind: 'analysis-changed', studyId });
    await saved;
  };

  const rememberSpeed = async (
    study: Study,
    progress: Omit<Progress, 'remainingMs'>,
    now: RunningStudy,
  ): Promise<void> => {
    // Beside another study the pace says nothing about this computer.
    if (now.start === null || now.ranBesideAnother) return;
    const seconds = (deps.now() - now.start.at) / 1_000;
    const made = progress.nodesDone - now.start.nodes;
    if (made < 100 || seconds < 1) return;
    const speed = {
      at: new Date(deps.now()).toISOString(),
      scale: study.scale,
      candidatesPerSecond: made / seconds,
    };
    const saved = await registry.update((data) => ({ ...data, speeds: [...data.speeds, speed].slice(-20) }));
    if (!saved.ok) notifyError(saved.error.message);
  };

  const isRunning = (studyId: string): boolean => running.has(studyId) || starting.has(studyId);
  const conflict = (servers: readonly ServerSpec[]): Refusal | null =>
    resourceConflict(
      servers,
      records().flatMap(({ study }) => (isRunning(study.id) ? [study] : [])),
    );

  const start = async (studyId: string): Promise<Result<null, Refusal>> => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    if (isRunning(studyId)) return ok(null);
    if (record.value.fromBundle !== undefined) {
      return failed({
        code: 'conflict',
        message: 'This study came with the bundle of another lab, so it is read-only.',
        hint: 'Create a study of your own with the same settings.',
      });
    }
    const refusal = conflict(serversOf(record.value.study));
    if (refusal !== null) return failed(refusal);
    failures.delete(studyId);
    starting.add(studyId);
    try {
      await results.release(record.value.study);
      return await run(record.value);
    } finally {
      starting.delete(studyId);
    }
  };

  const run = async (record: StudyRecord): Promise<Result<null, Refusal>> => {
    const { study } = record;
    const studyId = study.id;
    let analysisDue = false;
    let saveFailed = false;
    const active = startStudy(
      study,
      { ...deps, privateTestSlots },
      {
        onState: (state) => {
          const now = running.get(studyId);
          if (state.kind === 'running' && now !== undefined) {
            const { nodesDone, gradedDone } = progressOf(study, active.views(), 0, null);
            now.start = { at: deps.now(), nodes: nodesDone, work: nodesDone + gradedDone };
          }
          emitChange(studyId);
        },
        onEvent: (runId, event) => {
          analysisDue ||= event.kind === 'node-graded';
          events.emit({ kind: 'run-events', runId, events: [event] });
        },
      },
    );
    const save = (): void => {
      const current = recordOf(studyId);
      if (!current.ok) return;
      const progress = views.progressOf(current.value);
      const warnings = [...views.warningsOf(current.value)];
      inBackground(studyId, async () => {
        const saved = await change(studyId, (old) => ({
          ...old,
          elapsedMs: progress.elapsedMs,
          progress,
          warnings,
        }));
        // Every few seconds: one notice is enough until it works again.
        const isRepeated = saveFailed && !saved.ok;
        saveFailed = !saved.ok;
        return isRepeated ? ok(null) : saved;
      });
    };
    const now: RunningStudy = {
      active,
      earlierMs: record.elapsedMs,
      since: deps.now(),
      start: null,
      timers: [
        setInterval(() => emitChange(studyId), PROGRESS_EVENT_MS),
        setInterval(() => {
          if (!analysisDue) return;
          analysisDue = false;
          events.emit({ kind: 'analysis-changed', studyId });
        }, ANALYSIS_EVENT_MS),
        setInterval(save, SAVE_PROGRESS_MS),
      ],
      intent: null,
      ranBesideAnother: running.size > 0,
      concluded: Promise.resolve(),
    };
    for (const other of running.values()) other.ranBesideAnother = true;
    running.set(studyId, now);
    now.concluded = conclude(studyId, now);
    const finalized: Promise<void> = finalize(studyId, now)
      .catch((error: unknown) =>
        notifyError(`The results of the study "${study.name}" were not summarised: ${reasonOf(error)}.`),
      )
      .finally(() => finalizing.delete(finalized));
    finalizing.add(finalized);
    const saved = await change(studyId, (old) => ({
      ...old,
      stopped: null,
      finishedAt: null,
      progress: old.progress ?? plannedProgress(old.study),
    }));
    emitChange(studyId);
    return saved;
  };

  const stop = async (studyId: string, intent: 'paused' | 'cancelled'): Promise<Result<null, Refusal>> => {
    const now = running.get(studyId);
    if (now !== undefined) {
      now.intent = intent;
      now.active.stop();
      await now.concluded;
      return ok(null);
    }
    const record = recordOf(studyId);
    if (!record.ok) return record;
    if (intent === 'paused' || record.value.finishedAt !== null) {
      return failed({ code: 'conflict', message: 'This study is not running, so there is nothing to stop.' });
    }
    failures.delete(studyId);
    const saved = await change(studyId, (old) => ({ ...old, stopped: intent }));
    // Servers that an earlier session of the app left running for it.
    await deps.servers.stopOwnedBy(studyId);
    emitChange(studyId);
    return saved;
  };

  return {
    list: () =>
      records()
        .filter((record) => !record.removed)
        .map(views.of),
    conflict,
    isRunning,
    add: async (study) => {
      const fresh: StudyRecord = {
        study,
        stopped: null,
        elapsedMs: 0,
        progress: null,
        finishedAt: null,
        removed: false,
        hues: hues.ofStudy(study),
      };
      const saved = await registry.update((data) => ({ ...data, studies: [...data.studies, fresh] }));
      emitChange(study.id);
      return saved.ok ? ok(null) : saved;
    },
    adopt: async (records) => {
      const saved = await registry.update((data) => ({ ...data, studies: [...data.studies, ...records] }));
      for (const { study } of records) emitChange(study.id);
      return saved.ok ? ok(null) : saved;
    },
    start,
    stop,
    remove: async (studyId) => {
      const record = recordOf(studyId);
      if (!record.ok) return record;
      if (isRunning(studyId)) {
        return failed({
          code: 'conflict',
          message: 'A running study cannot be removed.',
          hint: 'Cancel it first.',
        });
      }
      await results.release(record.value.study);
      await deps.files.discard(record.value.study);
      const saved = await change(studyId, (old) => ({ ...old, removed: true }));
      events.emit({ kind: 'study-removed', studyId });
      return saved;
    },
    annotate: async (studyId, { note, tags }) => {
      const known = recordOf(studyId);
      if (!known.ok) return known;
      const saved = await change(studyId, ({ note: _note, tags: _tags, ...old }) => ({
        ...old,
        ...(note === '' ? {} : { note }),
        ...(tags.length === 0 ? {} : { tags: [...tags] }),
      }));
      if (!saved.ok) return saved;
      emitChange(studyId);
      const record = recordOf(studyId);
      return record.ok ? ok(views.of(record.value)) : record;
    },
    results,
    restore: async (studyId) => {
      const record = recordOf(studyId);
      if (!record.ok) return record;
      await deps.files.restore(record.value.study);
      const saved = await change(studyId, (old) => ({ ...old, removed: false }));
      emitChange(studyId);
      return saved;
    },
    close: async () => {
      closing = true;
      for (const now of running.values()) {
        // A regular exit is a pause; only an app that was killed leaves an interrupted study.
        now.intent ??= 'paused';
        now.active.stop();
      }
      // Wait for the last progress of each: else the next start shows a state that is seconds old.
      await Promise.all(finalizing);
      await results.release();
    },
  };
}

function serversOf({ runs }: Study): readonly ServerSpec[] {
  return runs.flatMap(({ team }) => team.servers);
}
