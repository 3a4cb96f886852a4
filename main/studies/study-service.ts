import { resolve } from 'node:path';
import {
  type Analysis,
  type CheckedPayload,
  foldRun,
  type NodeDetail,
  type Progress,
  type Refusal,
  type RunConfig,
  type RunEvent,
  type RunView,
  type Study,
  type StudyState,
  type StudyView,
  type Value,
  type WorkbenchEvent,
} from '../../preload/contract/index';
import { type Emitter, failed, ok, type Result } from '../base/index';
import { analyseStudy } from '../metrics/index';
import { type Registry, replaceFile, type StudyRecord } from '../store/index';
import { type ActiveStudy, type StudySurroundings, startStudy } from './active-study';
import { JournalShelf } from './journal-shelf';
import { curvesCsv, nodesCsv, tableCsv } from './logic/csv';
import { progressOf } from './logic/progress';
import { warningsOf } from './logic/warnings';
import { readNode } from './node-reader';

/** Seed of every bootstrap: intervals of the same journal are the same numbers. */
const ANALYSIS_SEED = 20_260_101;
/** While a study runs its intervals are redrawn about once a second; fewer resamples keep that cheap. */
const LIVE_RESAMPLES = 400;
const TELL_PROGRESS_MS = 250;
const TELL_ANALYSIS_MS = 1_000;
const SAVE_PROGRESS_MS = 5_000;

const NOTHING_YET: Progress = {
  nodesDone: 0,
  nodesTotal: 0,
  gradedDone: 0,
  problemsDone: 0,
  problemsTotal: 0,
  elapsedMs: 0,
  remainingMs: null,
};

type Running = {
  readonly active: ActiveStudy;
  /** Work of earlier sessions, and when this one began. */
  readonly earlierMs: number;
  readonly since: number;
  readonly startedNodes: number;
  readonly startedGrades: number;
  readonly timers: readonly NodeJS.Timeout[];
  intent: 'paused' | 'cancelled' | null;
};

export type StudyService = {
  readonly list: () => readonly StudyView[];
  readonly add: (study: Study) => Promise<Result<null, Refusal>>;
  readonly start: (studyId: string) => Promise<Result<null, Refusal>>;
  /** Resolves when the work has stopped. */
  readonly stop: (studyId: string, intent: 'paused' | 'cancelled') => Promise<Result<null, Refusal>>;
  readonly remove: (studyId: string) => Promise<Result<null, Refusal>>;
  readonly restore: (studyId: string) => Promise<Result<null, Refusal>>;
  readonly analysis: (studyId: string) => Promise<Result<Analysis, Refusal>>;
  readonly runEvents: (runId: string) => Promise<Result<readonly RunEvent[], Refusal>>;
  readonly readNode: (place: CheckedPayload<'node.read'>) => Promise<Result<NodeDetail, Refusal>>;
  readonly exportCsv: (
    order: CheckedPayload<'export.write'>,
  ) => Promise<Result<Value<'export.write'>, Refusal>>;
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
  const failures = new Map<string, Refusal>();
  const shelf = new JournalShelf();
  const pathsOf = (study: Study): string[] => study.runs.map(({ id }) => around.files.journal(study.id, id));

  const records = (): readonly StudyRecord[] => registry.read().studies;
  const recordOf = (studyId: string): Result<StudyRecord, Refusal> => {
    const record = records().find(({ study }) => study.id === studyId);
    if (record === undefined) {
      return failed({
        code: 'not-found',
        message: `There is no study ${studyId}.`,
        hint: 'It may have been removed.',
      });
    }
    return ok(record);
  };
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

  const stateOf = (record: StudyRecord): StudyState => {
    const now = running.get(record.study.id);
    if (now !== undefined) return now.active.state();
    const failure = failures.get(record.study.id);
    if (failure !== undefined) {
      return { kind: 'failed', message: failure.message, ...(failure.hint ? { hint: failure.hint } : {}) };
    }
    if (record.finishedAt !== null) return { kind: 'finished' };
    if (record.stopped !== null) return { kind: record.stopped };
    return record.progress === null ? { kind: 'planned' } : { kind: 'interrupted' };
  };

  const currentProgress = (record: StudyRecord): Progress => {
    const now = running.get(record.study.id);
    if (now === undefined) return record.progress ?? { ...NOTHING_YET, ...plannedWork(record.study) };
    const sessionMs = around.now() - now.since;
    return progressOf(record.study, now.active.views(), now.earlierMs + sessionMs, {
      startedWork: now.startedNodes + now.startedGrades,
      elapsedMs: sessionMs,
    });
  };

  const plannedWork = (study: Study): Progress => progressOf(study, new Map(), 0, null);

  const viewOf = (record: StudyRecord): StudyView => ({
    study: record.study,
    state: stateOf(record),
    progress: currentProgress(record),
    warnings: warningsOf(running.get(record.study.id)?.active.views() ?? new Map()),
    finishedAt: record.finishedAt,
  });

  const tell = (studyId: string): void => {
    const record = recordOf(studyId);
    if (record.ok && !record.value.removed)
      events.emit({ kind: 'study-changed', view: viewOf(record.value) });
  };

  /** The views of a study that does not run now, read from its journals as they are. */
  const readViews = async (study: Study): Promise<Result<Map<string, RunView>, Refusal>> => {
    const active = running.get(study.id)?.active;
    if (active !== undefined) return ok(new Map(active.views()));
    const views = new Map<string, RunView>();
    for (const run of study.runs) {
      const journal = await shelf.get(around.files.journal(study.id, run.id));
      if (!journal.ok) return journal;
      const view = journal.value === null ? null : foldRun(null, journal.value.events());
      if (view !== null) views.set(run.id, view);
    }
    return ok(views);
  };

  const runOf = (runId: string): Result<{ record: StudyRecord; config: RunConfig }, Refusal> => {
    for (const record of records()) {
      const config = record.study.runs.find(({ id }) => id === runId);
      if (config !== undefined) return ok({ record, config });
    }
    return failed({ code: 'not-found', message: `There is no run ${runId}.` });
  };

  const settle = async (studyId: string, now: Running): Promise<void> => {
    const end = await now.active.ended;
    for (const timer of now.timers) clearInterval(timer);
    const record = recordOf(studyId);
    if (!record.ok) return;
    const { remainingMs: _left, ...progress } = currentProgress(record.value);
    running.delete(studyId);
    if (end.kind === 'failed') failures.set(studyId, end.refusal);
    const saved = await change(studyId, (old) => ({
      ...old,
      stopped: end.kind === 'stopped' ? now.intent : null,
      elapsedMs: progress.elapsedMs,
      progress: { ...progress, remainingMs: null },
      finishedAt: end.kind === 'finished' ? new Date(around.now()).toISOString() : null,
    }));
    if (end.kind === 'finished') await rememberSpeed(record.value.study, progress, now);
    if (!saved.ok) events.emit({ kind: 'notice', level: 'error', message: saved.error.message });
    tell(studyId);
    events.emit({ kind: 'analysis-changed', studyId });
  };

  const rememberSpeed = async (
    study: Study,
    progress: Omit<Progress, 'remainingMs'>,
    now: Running,
  ): Promise<void> => {
    const seconds = (progress.elapsedMs - now.earlierMs) / 1_000;
    const made = progress.nodesDone - now.startedNodes;
    if (made < 100 || seconds < 1) return;
    const speed = {
      at: new Date(around.now()).toISOString(),
      scale: study.scale,
      candidatesPerSecond: made / seconds,
    };
    await registry.update((data) => ({ ...data, speeds: [...data.speeds, speed].slice(-20) }));
  };

  const start = async (studyId: string): Promise<Result<null, Refusal>> => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    if (running.has(studyId)) return ok(null);
    if (running.size > 0) {
      return failed({
        code: 'conflict',
        message: 'Another study is running; two at once would slow each other and spoil the times.',
        hint: 'Pause it first, or wait until it is done.',
      });
    }
    failures.delete(studyId);
    await shelf.release(pathsOf(record.value.study));
    let analysisDue = false;
    const active = startStudy(record.value.study, around, {
      state: () => tell(studyId),
      event: (runId, event) => {
        analysisDue ||= event.kind === 'node-graded';
        events.emit({ kind: 'run-events', runId, events: [event] });
      },
    });
    const save = (): void => {
      const current = recordOf(studyId);
      if (!current.ok) return;
      const progress = currentProgress(current.value);
      void change(studyId, (old) => ({ ...old, elapsedMs: progress.elapsedMs, progress }));
    };
    const now: Running = {
      active,
      earlierMs: record.value.elapsedMs,
      since: around.now(),
      startedNodes: record.value.progress?.nodesDone ?? 0,
      startedGrades: record.value.progress?.gradedDone ?? 0,
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
    };
    running.set(studyId, now);
    void settle(studyId, now);
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
      await now.active.ended;
      return ok(null);
    }
    const record = recordOf(studyId);
    if (!record.ok) return record;
    if (intent === 'paused' || record.value.finishedAt !== null) {
      return failed({ code: 'conflict', message: 'This study is not running, so there is nothing to stop.' });
    }
    failures.delete(studyId);
    const saved = await change(studyId, (old) => ({ ...old, stopped: intent }));
    tell(studyId);
    return saved;
  };

  const analysis = async (studyId: string): Promise<Result<Analysis, Refusal>> => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    const views = await readViews(record.value.study);
    if (!views.ok) return views;
    const runs = record.value.study.runs.flatMap((run) => views.value.get(run.id) ?? []);
    const complete = runs.length === record.value.study.runs.length && runs.every((view) => view.finished);
    const resamples = running.has(studyId) ? { resamples: LIVE_RESAMPLES } : {};
    return ok(analyseStudy({ studyId, runs, complete, seed: ANALYSIS_SEED, ...resamples }));
  };

  const exportCsv: StudyService['exportCsv'] = async ({ studyId, what, path }) => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    let file: { text: string; rows: number };
    if (what === 'nodes') {
      const views = await readViews(record.value.study);
      if (!views.ok) return views;
      file = nodesCsv(record.value.study.runs.flatMap((run) => views.value.get(run.id) ?? []));
    } else {
      const analysed = await analysis(studyId);
      if (!analysed.ok) return analysed;
      file = what === 'table' ? tableCsv(analysed.value) : curvesCsv(analysed.value);
    }
    const target = resolve(path);
    try {
      await replaceFile(target, file.text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return failed({
        code: 'bad-input',
        message: `The CSV could not be written to ${target}: ${why}`,
        hint: 'Choose a folder that exists and that you may write to.',
      });
    }
    return ok({ path: target, rows: file.rows, bytes: Buffer.byteLength(file.text) });
  };

  return {
    list: () =>
      records()
        .filter((record) => !record.removed)
        .map(viewOf),
    add: async (study) => {
      const fresh: StudyRecord = {
        study,
        stopped: null,
        elapsedMs: 0,
        progress: null,
        finishedAt: null,
        removed: false,
      };
      const saved = await registry.update((data) => ({ ...data, studies: [...data.studies, fresh] }));
      tell(study.id);
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
      await shelf.release(pathsOf(record.value.study));
      await around.files.discard(record.value.study);
      const saved = await change(studyId, (old) => ({ ...old, removed: true }));
      events.emit({ kind: 'study-removed', studyId });
      return saved;
    },
    restore: async (studyId) => {
      const record = recordOf(studyId);
      if (!record.ok) return record;
      await around.files.restore(record.value.study);
      const saved = await change(studyId, (old) => ({ ...old, removed: false }));
      tell(studyId);
      return saved;
    },
    analysis,
    runEvents: async (runId) => {
      const found = runOf(runId);
      if (!found.ok) return found;
      const { study } = found.value.record;
      const session = running.get(study.id)?.active.session(runId);
      if (session !== undefined) return ok(session.journal.events());
      const journal = await shelf.get(around.files.journal(study.id, runId));
      return journal.ok ? ok(journal.value?.events() ?? []) : journal;
    },
    readNode: async ({ runId, problemId, part, index }) => {
      const found = runOf(runId);
      if (!found.ok) return found;
      const { record, config } = found.value;
      const problems = await around.library.problems(config.benchmarkId);
      if (!problems.ok) return problems;
      const problem = problems.value.find(({ id }) => id === problemId);
      if (problem === undefined) {
        return failed({
          code: 'not-found',
          message: `The benchmark ${config.benchmarkId} has no problem ${problemId}.`,
        });
      }
      const look = { config, problem, part, index, digest: around.digest };
      const session = running.get(record.study.id)?.active.session(runId);
      if (session !== undefined) return readNode({ ...look, read: session.journal.readDetail });
      const journal = await shelf.get(around.files.journal(record.study.id, runId));
      if (!journal.ok) return journal;
      return readNode({
        ...look,
        read: async (...node) => (await journal.value?.readDetail(...node)) ?? null,
      });
    },
    exportCsv,
    close: async () => {
      for (const now of running.values()) now.active.stop();
      await Promise.all([...running.values()].map((now) => now.active.ended));
      // `settle` saves the last progress of each; wait until it has.
      while (running.size > 0) await around.sleep(5);
      await shelf.release();
    },
  };
}
