import { availableParallelism } from 'node:os';
import type { Progress, Refusal, Study, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, ok, type Result } from '../base/index';
import { type Registry, reasonOf, type StudyRecord } from '../storage/index';
import { type StudyDeps, type StudyEnd, startStudy } from './active-study';
import { progressOf } from './logic/progress';
import { PrioritySemaphore } from './priority-semaphore';
import { findStudy, type StudyResults } from './study-results';
import { plannedProgress, type RunningStudy, type StudyViews } from './study-views';

const PROGRESS_EVENT_MS = 250;
const ANALYSIS_EVENT_MS = 1_000;
const SAVE_PROGRESS_MS = 5_000;

/** Changes a study's record in the registry. */
export type ChangeRecord = (
  studyId: string,
  next: (record: StudyRecord) => StudyRecord,
) => Promise<Result<null, Refusal>>;

/** The studies that run now, and the failures of those that ran in this session. */
export type RunState = {
  readonly running: Map<string, RunningStudy>;
  readonly failures: Map<string, Refusal>;
};

export type StudyRunner = {
  /** Starts the work; it goes on until it ends or is stopped. */
  readonly run: (record: StudyRecord) => Promise<Result<null, Refusal>>;
  /** Pauses every running study, and resolves when the last state of each is saved. */
  readonly close: () => Promise<void>;
};

/** Runs studies: emits and saves their progress, and saves how they end. */
export function createStudyRunner(options: {
  readonly registry: Registry;
  readonly deps: StudyDeps;
  readonly events: Emitter<WorkbenchEvent>;
  readonly state: RunState;
  readonly results: Pick<StudyResults, 'save'>;
  readonly views: StudyViews;
  readonly change: ChangeRecord;
  readonly emitChange: (studyId: string) => void;
  readonly inBackground: (studyId: string, work: () => Promise<Result<null, Refusal>>) => void;
  readonly notifyError: (message: string) => void;
}): StudyRunner {
  const { registry, deps, events, results, views, change, emitChange, inBackground, notifyError } = options;
  const { running, failures } = options.state;
  /** Studies whose work has ended and whose last state is being saved. */
  const finalizing = new Set<Promise<void>>();
  /** Shared by all running studies: private tests run on one machine, whoever needs them. */
  const privateTestSlots = new PrioritySemaphore(availableParallelism());
  let closing = false;

  const conclude = async (studyId: string, now: RunningStudy): Promise<void> => {
    const end = await now.active.ended;
    for (const timer of now.timers) clearInterval(timer);
    try {
      await saveEnd(studyId, now, end);
    } finally {
      running.delete(studyId);
    }
  };

  const saveEnd = async (studyId: string, now: RunningStudy, end: StudyEnd): Promise<void> => {
    const record = findStudy(registry, studyId);
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
    if (!saved.ok) notifyError(saved.error.message);
    if (end.kind === 'finished') await rememberSpeed(record.value.study, progress, now);
  };

  /** Saves how a study ended, then its summaries, so that nothing has to read its journals again. */
  const finalize = async (studyId: string, now: RunningStudy): Promise<void> => {
    await now.concluded;
    const record = findStudy(registry, studyId);
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
    if (now.start === null || now.ranConcurrently) return;
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
      const current = findStudy(registry, studyId);
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
      ranConcurrently: running.size > 0,
      concluded: Promise.resolve(),
    };
    for (const other of running.values()) other.ranConcurrently = true;
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

  return {
    run,
    close: async () => {
      closing = true;
      for (const now of running.values()) {
        // A regular exit is a pause; only an app that was killed leaves an interrupted study.
        now.intent ??= 'paused';
        now.active.stop();
      }
      // Wait for the last progress of each: else the next start shows a state that is seconds old.
      await Promise.all(finalizing);
    },
  };
}
