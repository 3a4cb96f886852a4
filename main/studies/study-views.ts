import type {
  Progress,
  Refusal,
  Study,
  StudyState,
  StudyView,
  StudyWarning,
} from '../../preload/contract/index';
import type { StudyRecord } from '../storage/index';
import type { ActiveStudy, StudyDeps } from './active-study';
import type { HueAssignments } from './hue-assignments';
import { progressOf } from './logic/progress';
import { serverWaitWarnings } from './logic/server-waits';
import { warningsOf } from './logic/warnings';

/** A study that runs now. */
export type RunningStudy = {
  readonly active: ActiveStudy;
  /** Milliseconds of work in earlier sessions, and when this one began. */
  readonly earlierMs: number;
  readonly since: number;
  /** What was done already when the work began; null while servers are still starting. */
  start: { readonly at: number; readonly nodes: number; readonly work: number } | null;
  readonly timers: readonly NodeJS.Timeout[];
  intent: 'paused' | 'cancelled' | null;
  /** Did another study run at the same time? */
  ranConcurrently: boolean;
  /** Resolves when its end is in the registry. Until then it counts as running: it is in no other state yet. */
  concluded: Promise<void>;
};

export type StudyViews = {
  readonly progressOf: (record: StudyRecord) => Progress;
  /** Those of a study that does not run are the last ones that it had. */
  readonly warningsOf: (record: StudyRecord) => readonly StudyWarning[];
  readonly of: (record: StudyRecord) => StudyView;
};

export const plannedProgress = (study: Study): Progress => progressOf(study, new Map(), 0, null);

/** The views of studies: of a running one from its own state, of any other from the registry. */
export function createStudyViews(options: {
  readonly deps: Pick<StudyDeps, 'now' | 'servers'>;
  readonly runningOf: (studyId: string) => RunningStudy | undefined;
  readonly hues: HueAssignments;
  /** Why its last start failed in this session. */
  readonly failureOf: (studyId: string) => Refusal | undefined;
}): StudyViews {
  const { deps, runningOf, failureOf, hues } = options;

  const stateOf = (record: StudyRecord): StudyState => {
    const now = runningOf(record.study.id);
    if (now !== undefined) return now.active.state();
    const failure = failureOf(record.study.id);
    if (failure !== undefined) {
      return { kind: 'failed', message: failure.message, ...(failure.hint ? { hint: failure.hint } : {}) };
    }
    if (record.finishedAt !== null) return { kind: 'finished' };
    if (record.stopped !== null) return { kind: record.stopped };
    return record.progress === null ? { kind: 'planned' } : { kind: 'interrupted' };
  };

  // Until all journals are open, the last saved progress is nearer the truth.
  const currentProgress = (record: StudyRecord): Progress => {
    const now = runningOf(record.study.id);
    if (now === undefined) return record.progress ?? plannedProgress(record.study);
    const elapsedMs = now.earlierMs + deps.now() - now.since;
    if (now.start === null) return { ...(record.progress ?? plannedProgress(record.study)), elapsedMs };
    return progressOf(record.study, now.active.views(), elapsedMs, {
      startedWork: now.start.work,
      elapsedMs: deps.now() - now.start.at,
    });
  };
  const currentWarnings = (record: StudyRecord): readonly StudyWarning[] => {
    const now = runningOf(record.study.id);
    return now === undefined || now.start === null ? (record.warnings ?? []) : warningsOf(now.active.views());
  };
  /** Shown while it lasts, and never saved. */
  const currentWaits = (record: StudyRecord): StudyWarning[] => {
    const specs = runningOf(record.study.id)?.active.waitsFor() ?? [];
    return specs.length === 0 ? [] : serverWaitWarnings(specs, deps.servers.views());
  };

  return {
    progressOf: currentProgress,
    warningsOf: currentWarnings,
    of: (record) => ({
      study: record.study,
      state: stateOf(record),
      progress: currentProgress(record),
      warnings: [...currentWaits(record), ...currentWarnings(record)],
      finishedAt: record.finishedAt,
      hues: hues.ofStudy(record.study),
      ...(record.note === undefined ? {} : { note: record.note }),
      ...(record.tags === undefined ? {} : { tags: record.tags }),
      ...(record.fromBundle === undefined ? {} : { fromBundle: record.fromBundle }),
    }),
  };
}
