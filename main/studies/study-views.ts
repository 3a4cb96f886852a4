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
import type { DamagedJournals } from './damaged-journals';
import type { HueAssignments } from './hue-assignments';
import { type QueuedBehind, type StudyEnd, type StudyObservation, studyState } from './logic/next-action';
import { progressOf } from './logic/progress';
import { serverWaitWarnings, warningsOf } from './logic/warnings';
import type { MissingJournals } from './missing-journals';

/** A study that runs now. */
export type RunningStudy = {
  readonly active: ActiveStudy;
  /** Milliseconds of work in earlier sessions, and when this one began. */
  readonly earlierMs: number;
  readonly since: number;
  /** The work done before this session; null while servers are still starting. */
  start: { readonly at: number; readonly nodes: number; readonly work: number } | null;
  /** Until that is saved it counts as running. */
  end: { readonly how: StudyEnd; readonly at: number } | null;
  /** Did another study run at the same time? */
  ranConcurrently: boolean;
  savedAt: number;
  analysedAt: number;
  hasNewGrades: boolean;
};

/** Facts about studies that only the present session of the workbench has, by study id. */
export type StudySession = {
  readonly running: Map<string, RunningStudy>;
  /** Why the last work failed. */
  readonly failures: Map<string, Refusal>;
  /** What waits for its machine or server, in its order, and for which study. */
  readonly queued: Map<string, QueuedBehind>;
};

export type StudyViews = {
  readonly observe: (studyId: string) => Pick<StudyObservation, 'work' | 'failure' | 'queuedBehind'>;
  readonly progressOf: (record: StudyRecord) => Progress;
  /** Of a study that has not begun. */
  readonly planned: (study: Study) => Progress;
  /** For a study that does not run: the last ones that it had. */
  readonly warningsOf: (record: StudyRecord) => readonly StudyWarning[];
  readonly of: (record: StudyRecord) => StudyView;
};

/** The views of studies: of a running one from its own state, of any other from the registry. */
export function createStudyViews(options: {
  readonly deps: Pick<StudyDeps, 'now' | 'servers' | 'library'>;
  readonly session: StudySession;
  readonly hues: HueAssignments;
  readonly missing: Pick<MissingJournals, 'of'>;
  readonly damaged: Pick<DamagedJournals, 'of'>;
}): StudyViews {
  const { deps, hues, missing, damaged } = options;
  const { running, failures, queued } = options.session;

  const observe: StudyViews['observe'] = (studyId) => {
    const now = running.get(studyId);
    const failure = failures.get(studyId) ?? null;
    const queuedBehind = queued.get(studyId) ?? null;
    if (now === undefined) return { work: null, failure, queuedBehind };
    const state = now.active.state();
    return {
      queuedBehind,
      work: { state, end: now.end?.how ?? null, unsavedMs: deps.now() - now.savedAt },
      failure,
    };
  };
  const plannedProgress = (study: Study): Progress =>
    progressOf(study, new Map(), 0, null, deps.library.recordings());
  // Until all journals are open, the last saved progress is nearer the truth.
  const currentProgress = (record: StudyRecord): Progress => {
    const now = running.get(record.study.id);
    if (now === undefined) return record.progress ?? plannedProgress(record.study);
    const elapsedMs = now.earlierMs + (now.end?.at ?? deps.now()) - now.since;
    if (now.start === null) return { ...(record.progress ?? plannedProgress(record.study)), elapsedMs };
    const session = { startedWork: now.start.work, elapsedMs: deps.now() - now.start.at };
    return progressOf(record.study, now.active.views(), elapsedMs, session, deps.library.recordings());
  };
  const currentWarnings = (record: StudyRecord): readonly StudyWarning[] => {
    const now = running.get(record.study.id);
    return now === undefined || now.start === null ? (record.warnings ?? []) : warningsOf(now.active.views());
  };
  /** Shown while it lasts, and never saved. */
  const currentWaits = (record: StudyRecord): StudyWarning[] => {
    const specs = running.get(record.study.id)?.active.waitsFor() ?? [];
    return specs.length === 0 ? [] : serverWaitWarnings(specs, deps.servers.views());
  };

  const currentState = (record: StudyRecord): StudyState => {
    const { id } = record.study;
    const refusal = running.has(id) ? null : missing.of(id);
    if (refusal === null) return studyState(record, observe(id));
    const { message, hint } = refusal;
    return { kind: 'missing', message, ...(hint === undefined ? {} : { hint }) };
  };

  /** A number that was true of whole journals is none of damaged ones. */
  const resultOf = ({ study, finishedAt, headline }: StudyRecord): Pick<StudyView, 'damage' | 'headline'> => {
    const { id } = study;
    const damage = running.has(id) || missing.of(id) !== null ? undefined : damaged.of(id);
    if (damage !== undefined) return { damage };
    return finishedAt === null || headline === undefined ? {} : { headline };
  };

  return {
    observe,
    progressOf: currentProgress,
    planned: plannedProgress,
    warningsOf: currentWarnings,
    of: (record) => ({
      study: record.study,
      state: currentState(record),
      progress: currentProgress(record),
      warnings: [...currentWaits(record), ...currentWarnings(record)],
      finishedAt: record.finishedAt,
      ...resultOf(record),
      hues: hues.ofStudy(record.study),
      ...(record.parallel === undefined ? {} : { parallel: record.parallel }),
      ...(record.note === undefined ? {} : { note: record.note }),
      ...(record.tags === undefined ? {} : { tags: record.tags }),
      ...(record.fromBundle === undefined ? {} : { fromBundle: record.fromBundle }),
    }),
  };
}
