import type { Progress, Refusal, Study, StudyState, StudyView } from '../../preload/contract/index';
import type { StudyRecord } from '../storage/index';
import type { ActiveStudy, StudySurroundings } from './active-study';
import type { KnownHues } from './known-hues';
import { progressOf } from './logic/progress';
import { waitingWords } from './logic/waiting';
import { warningsOf } from './logic/warnings';

/** A study that is at work. */
export type Running = {
  readonly active: ActiveStudy;
  /** Work of earlier sessions, milliseconds, and when this one began. */
  readonly earlierMs: number;
  readonly since: number;
  /** What was there when the work began; null while servers are still starting. */
  start: { readonly at: number; readonly nodes: number; readonly work: number } | null;
  readonly timers: readonly NodeJS.Timeout[];
  intent: 'paused' | 'cancelled' | null;
  /** Resolves when how it ended is in the registry. Until then it counts as running: it is in no other state yet. */
  concluded: Promise<void>;
};

export type StudyViews = {
  readonly progressOf: (record: StudyRecord) => Progress;
  /** Those of a study that does not run stay: it may still be saved, or should be read with them in mind. */
  readonly warningsOf: (record: StudyRecord) => string[];
  readonly of: (record: StudyRecord) => StudyView;
};

/** Before anything is done. */
export const plannedWork = (study: Study): Progress => progressOf(study, new Map(), 0, null);

/** What is shown of studies: of one at work what it says now, of any other what the registry kept. */
export function createStudyViews(options: {
  readonly around: Pick<StudySurroundings, 'now' | 'servers'>;
  readonly runningOf: (studyId: string) => Running | undefined;
  readonly hues: KnownHues;
  /** Why its last start failed in this session. */
  readonly failureOf: (studyId: string) => Refusal | undefined;
}): StudyViews {
  const { around, runningOf, failureOf, hues } = options;

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

  // Until all journals are open, what was last seen is truer than what is there.
  const currentProgress = (record: StudyRecord): Progress => {
    const now = runningOf(record.study.id);
    if (now === undefined) return record.progress ?? plannedWork(record.study);
    const elapsedMs = now.earlierMs + around.now() - now.since;
    if (now.start === null) return { ...(record.progress ?? plannedWork(record.study)), elapsedMs };
    return progressOf(record.study, now.active.views(), elapsedMs, {
      startedWork: now.start.work,
      elapsedMs: around.now() - now.start.at,
    });
  };
  const currentWarnings = (record: StudyRecord): string[] => {
    const now = runningOf(record.study.id);
    return now === undefined || now.start === null ? (record.warnings ?? []) : warningsOf(now.active.views());
  };
  /** Told while it lasts, and never kept. */
  const currentWaits = (record: StudyRecord): string[] => {
    const specs = runningOf(record.study.id)?.active.waitsFor() ?? [];
    return specs.length === 0 ? [] : waitingWords(specs, around.servers.views());
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
