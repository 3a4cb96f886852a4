import type { Progress, Refusal, Study, StudyView, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, failed, ok, type Result } from '../base/index';
import type { Registry, StudyRecord } from '../storage/index';
import { type StudySurroundings, startStudy } from './active-study';
import { knownHues } from './known-hues';
import { progressOf } from './logic/progress';
import { createStudyArchive, findStudy, type StudyArchive } from './study-archive';
import { createStudyViews, plannedWork, type Running } from './study-views';

const TELL_PROGRESS_MS = 250;
const TELL_ANALYSIS_MS = 1_000;
const SAVE_PROGRESS_MS = 5_000;

export type StudyService = {
  readonly list: () => readonly StudyView[];
  /** Why no study can be started now; null when one can. */
  readonly busy: () => Refusal | null;
  readonly isAtWork: (studyId: string) => boolean;
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
  /** What is only looked at. */
  readonly archive: StudyArchive;
  /** Leaves running studies to be resumed, with every journal flushed. */
  readonly close: () => Promise<void>;
};

export function createStudyService(options: {
  readonly registry: Registry;
  readonly around: StudySurroundings;
  readonly events: Emitter<WorkbenchEvent>;
}): StudyService {
  const { registry, around, events } = options;
  const running = new Map<string, Running>();
  const archive = createStudyArchive({
    registry,
    around,
    activeOf: (id) => running.get(id)?.active,
    tell: (event) => events.emit(event),
    unfinished: (studyId, progress) => {
      const { elapsedMs: _, ...left } = progress;
      void change(studyId, (old) => ({
        ...old,
        finishedAt: null,
        progress: { ...left, elapsedMs: old.elapsedMs },
      })).then(() => tell(studyId));
    },
  });
  const failures = new Map<string, Refusal>();
  /** The last words about studies whose work has ended, on their way to the registry. */
  const settling = new Set<Promise<void>>();
  /** The study whose journals are being made free for it; it is not in `running` yet. */
  let starting: string | null = null;
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

  const hues = knownHues(registry);
  const views = createStudyViews({
    around,
    hues,
    runningOf: (studyId) => running.get(studyId),
    failureOf: (studyId) => failures.get(studyId),
  });

  const tell = (studyId: string): void => {
    const record = recordOf(studyId);
    if (record.ok && !record.value.removed)
      events.emit({ kind: 'study-changed', view: views.of(record.value) });
  };

  const conclude = async (studyId: string, now: Running): Promise<void> => {
    const end = await now.active.ended;
    for (const timer of now.timers) clearInterval(timer);
    const record = recordOf(studyId);
    if (!record.ok) return;
    const { remainingMs: _left, ...progress } = views.progressOf(record.value);
    const warnings = views.warningsOf(record.value);
    if (end.kind === 'failed') failures.set(studyId, end.refusal);
    const saved = await change(studyId, (old) => ({
      ...old,
      stopped: end.kind === 'stopped' ? now.intent : null,
      elapsedMs: progress.elapsedMs,
      progress: { ...progress, remainingMs: null },
      warnings,
      finishedAt: end.kind === 'finished' ? new Date(around.now()).toISOString() : null,
    }));
    if (end.kind === 'finished') await rememberSpeed(record.value.study, progress, now);
    running.delete(studyId);
    if (!saved.ok) events.emit({ kind: 'notice', level: 'error', message: saved.error.message });
  };

  /** What is looked at afterwards is summed up once. */
  const settle = async (studyId: string, now: Running): Promise<void> => {
    await now.concluded;
    const record = recordOf(studyId);
    if (!record.ok) return;
    const kept = archive.keep(record.value.study, now.active.views(), { analysis: !closing });
    tell(studyId);
    events.emit({ kind: 'analysis-changed', studyId });
    await kept;
  };

  const rememberSpeed = async (
    study: Study,
    progress: Omit<Progress, 'remainingMs'>,
    now: Running,
  ): Promise<void> => {
    if (now.start === null) return;
    const seconds = (around.now() - now.start.at) / 1_000;
    const made = progress.nodesDone - now.start.nodes;
    if (made < 100 || seconds < 1) return;
    const speed = {
      at: new Date(around.now()).toISOString(),
      scale: study.scale,
      candidatesPerSecond: made / seconds,
    };
    await registry.update((data) => ({ ...data, speeds: [...data.speeds, speed].slice(-20) }));
  };

  const busy = (): Refusal | null =>
    running.size === 0 && starting === null
      ? null
      : {
          code: 'conflict',
          message: 'Another study is running; two at once would slow each other and spoil the times.',
          hint: 'Pause it first, or wait until it is done.',
        };

  const start = async (studyId: string): Promise<Result<null, Refusal>> => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    if (running.has(studyId) || starting === studyId) return ok(null);
    if (record.value.fromBundle !== undefined) {
      return failed({
        code: 'conflict',
        message: 'This study came with a bundle of another lab, so it can only be looked at.',
        hint: 'Make a study of your own with the same settings.',
      });
    }
    const occupied = busy();
    if (occupied !== null) return failed(occupied);
    failures.delete(studyId);
    starting = studyId;
    await archive.release(record.value.study);
    let analysisDue = false;
    const active = startStudy(record.value.study, around, {
      state: (state) => {
        const now = running.get(studyId);
        if (state.kind === 'running' && now !== undefined) {
          const { nodesDone, gradedDone } = progressOf(record.value.study, active.views(), 0, null);
          now.start = { at: around.now(), nodes: nodesDone, work: nodesDone + gradedDone };
        }
        tell(studyId);
      },
      event: (runId, event) => {
        analysisDue ||= event.kind === 'node-graded';
        events.emit({ kind: 'run-events', runId, events: [event] });
      },
    });
    const save = (): void => {
      const current = recordOf(studyId);
      if (!current.ok) return;
      const progress = views.progressOf(current.value);
      const warnings = views.warningsOf(current.value);
      void change(studyId, (old) => ({ ...old, elapsedMs: progress.elapsedMs, progress, warnings }));
    };
    const now: Running = {
      active,
      earlierMs: record.value.elapsedMs,
      since: around.now(),
      start: null,
      timers: [
        setInterval(() => tell(studyId), TELL_PROGRESS_MS),
        setInterval(() => {
          if (!analysisDue) return;
          analysisDue = false;
          events.emit({ kind: 'analysis-changed', studyId });
        }, TELL_ANALYSIS_MS),
        setInterval(save, SAVE_PROGRESS_MS),
      ],
      intent: null,
      concluded: Promise.resolve(),
    };
    running.set(studyId, now);
    starting = null;
    now.concluded = conclude(studyId, now);
    const settled: Promise<void> = settle(studyId, now).finally(() => settling.delete(settled));
    settling.add(settled);
    const saved = await change(studyId, (old) => ({
      ...old,
      stopped: null,
      finishedAt: null,
      progress: old.progress ?? plannedWork(old.study),
    }));
    tell(studyId);
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
    // Those that an earlier start of the app has left running for it.
    await around.servers.stopOwnedBy(studyId);
    tell(studyId);
    return saved;
  };

  return {
    list: () =>
      records()
        .filter((record) => !record.removed)
        .map(views.of),
    busy,
    isAtWork: (studyId) => running.has(studyId) || starting === studyId,
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
      tell(study.id);
      return saved.ok ? ok(null) : saved;
    },
    adopt: async (records) => {
      const saved = await registry.update((data) => ({ ...data, studies: [...data.studies, ...records] }));
      for (const { study } of records) tell(study.id);
      return saved.ok ? ok(null) : saved;
    },
    start,
    stop,
    remove: async (studyId) => {
      const record = recordOf(studyId);
      if (!record.ok) return record;
      if (running.has(studyId)) {
        return failed({
          code: 'conflict',
          message: 'A running study can not be removed.',
          hint: 'Cancel it first.',
        });
      }
      await archive.release(record.value.study);
      await around.files.discard(record.value.study);
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
      tell(studyId);
      const record = recordOf(studyId);
      return record.ok ? ok(views.of(record.value)) : record;
    },
    archive,
    restore: async (studyId) => {
      const record = recordOf(studyId);
      if (!record.ok) return record;
      await around.files.restore(record.value.study);
      const saved = await change(studyId, (old) => ({ ...old, removed: false }));
      tell(studyId);
      return saved;
    },
    close: async () => {
      closing = true;
      for (const now of running.values()) {
        // Closing in good order is a pause; only an app that was killed leaves an interrupted study.
        now.intent ??= 'paused';
        now.active.stop();
      }
      // Not before the last progress of each is saved: else the next start shows what was there seconds ago.
      await Promise.all(settling);
      await archive.release();
    },
  };
}
