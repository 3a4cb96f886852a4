import {
  type Refusal,
  resourceConflict,
  type ServerSpec,
  type Study,
  type StudyView,
  type WorkbenchEvent,
} from '../../preload/contract/index';
import { type Emitter, failed, ok, type Result } from '../base/index';
import { type Registry, reasonOf, type StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import { hueAssignments } from './hue-assignments';
import { createStudyResults, findStudy, type StudyResults } from './study-results';
import { type ChangeRecord, createStudyRunner, type RunState } from './study-runner';
import { createStudyViews } from './study-views';

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
  const state: RunState = { running: new Map(), failures: new Map() };
  const { running, failures } = state;
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
  /** Studies whose journals are being released for them; they are not in `running` yet. */
  const starting = new Set<string>();
  let closing = false;

  const records = (): readonly StudyRecord[] => registry.read().studies;
  const recordOf = (studyId: string): Result<StudyRecord, Refusal> => findStudy(registry, studyId);
  const change: ChangeRecord = async (studyId, next) => {
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

  const runner = createStudyRunner({
    ...{ registry, deps, events, state, results, views },
    ...{ change, emitChange, inBackground, notifyError },
  });

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
      if (closing) return failed({ code: 'cancelled', message: 'The workbench is closing.' });
      return await runner.run(record.value);
    } finally {
      starting.delete(studyId);
    }
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
      await runner.close();
      await results.release();
    },
  };
}

function serversOf({ runs }: Study): readonly ServerSpec[] {
  return runs.flatMap(({ team }) => team.servers);
}
