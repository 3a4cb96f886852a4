import type {
  Analysis,
  CheckedPayload,
  NodeDetail,
  Progress,
  Refusal,
  Regrade,
  RunConfig,
  RunEvent,
  RunOutcomes,
  RunView,
  Study,
  StudyOutcomes,
  Value,
  WorkbenchEvent,
} from '../../preload/contract/index';
import { failed, ok, orThrow, type Result } from '../base/index';
import type { JournalReading, Registry, StudyRecord } from '../storage/index';
import type { ActiveStudy, StudyDeps } from './active-study';
import { createRunLoader, type LoadedRun, loadStudy } from './load-study';
import { createMissingJournals, type MissingJournals } from './missing-journals';
import { exportStudy } from './study-export';
import { createStudyJournals } from './study-journals';
import { createStudyNodes } from './study-nodes';
import { studyStore } from './study-store';
import { StudySummaries } from './study-summaries';
import { journalStamps } from './summary-store';

/** How far a study is by its journals. */
export type JournalsState = {
  readonly progress: Progress;
  /** Of the last change, if all is done; null: work is left. */
  readonly finishedAt: string | null;
};

/** Results of running and finished studies: analyses, events, nodes, CSV files. */
export type StudyResults = {
  readonly outcomes: (studyId: string) => Promise<Result<StudyOutcomes, Refusal>>;
  readonly analysis: (studyId: string) => Promise<Result<Analysis, Refusal>>;
  /** Whether `analysis` of a running study would compute a new one now, instead of returning the last one. */
  readonly analysisIsDue: (studyId: string) => boolean;
  /** Events of the journal, followed by the private verdicts of the re-grade that counts. */
  readonly runEvents: (runId: string) => Promise<Result<readonly RunEvent[], Refusal>>;
  readonly readNode: (node: CheckedPayload<'node.read'>) => Promise<Result<NodeDetail, Refusal>>;
  readonly nodePosteriors: (
    node: CheckedPayload<'node.posteriors'>,
  ) => Promise<Result<Value<'node.posteriors'>, Refusal>>;
  readonly exportCsv: (
    request: CheckedPayload<'export.write'>,
  ) => Promise<Result<Value<'export.write'>, Refusal>>;
  readonly study: (studyId: string) => Result<Study, Refusal>;
  /** The same, refused where the study's journals, or that of the re-grade that counts, are missing. */
  readonly readable: (studyId: string) => Promise<Result<Study, Refusal>>;
  /** By run id; no entry for a run that has not begun or cannot be read. Opens every journal; throws where all are missing. */
  readonly views: (study: Study) => Promise<ReadonlyMap<string, RunView>>;
  /** One run of a study, without opening its journal where its view is stored. */
  readonly loadRun: (study: Study, config: RunConfig) => Promise<LoadedRun>;
  /** Changes with the study's journals and its stored regrade. null: the study runs and changes all the time. */
  readonly fingerprint: (study: Study) => Promise<string | null>;
  /**
   * The result of the last whole or partial regrade with the study's own tests, which shows the grader's noise; null: none is
   * stored, the journals have changed since, or the first grading does not count. Refused where it is damaged.
   */
  readonly regrade: (study: Study) => Promise<Result<Regrade | null, Refusal>>;
  readonly saveRegrade: (study: Study, regrade: Regrade) => Promise<void>;
  /** A run's journal for reading; null before its first event. Of a running study: the open one that it writes. */
  readonly journal: (runId: string) => Promise<Result<JournalReading | null, Refusal>>;
  /** Refuses while the run's study is running. */
  readonly repair: (runId: string) => Promise<Result<Value<'run.repair'>, Refusal>>;
  /** Saves the summaries of work that has ended; see `StudySummaries`. */
  readonly save: StudySummaries['save'];
  /** Closes journals: those of one study, which is about to write or move them, or all. */
  readonly release: (study?: Study) => Promise<void>;
};

export function createStudyResults(options: {
  readonly registry: Registry;
  readonly deps: Pick<StudyDeps, 'files' | 'library' | 'now' | 'digest' | 'appVersion'>;
  readonly activeOf: (studyId: string) => ActiveStudy | undefined;
  /** For every host, e.g. a notice of a damaged journal. */
  readonly emit?: (event: WorkbenchEvent) => void;
  /** Left out: one of its own. */
  readonly missing?: Pick<MissingJournals, 'check'>;
  /** The registry has another state of this study than its journals, which win. The outcomes are answered after it. */
  readonly onDifference?: (studyId: string, journals: JournalsState) => void | Promise<void>;
  /** What the journals of a study that does not run were found to be. */
  readonly onOutcomes?: (outcomes: StudyOutcomes) => void;
}): StudyResults {
  const { registry, deps, activeOf, emit = () => undefined } = options;
  const { files, library, now, appVersion } = deps;
  const { missing = createMissingJournals(files, () => undefined) } = options;
  const store = studyStore(registry);
  const ofJournals = { files, activeOf, emit, records: store.list };
  const journals = createStudyJournals({ ...ofJournals, readable: (id) => readable(id) });
  const summaries = new StudySummaries({ files, library, now, appVersion });
  const runs = createRunLoader({ files, appVersion });

  /** Not while a study is still opening its journals: until then their files hold more than its views. */
  const activeStudy = (studyId: string): ActiveStudy | undefined => {
    const active = activeOf(studyId);
    return active?.state().kind === 'preparing' ? undefined : active;
  };

  const readable: StudyResults['readable'] = async (studyId) => {
    const record = store.find(studyId);
    if (!record.ok) return record;
    const refusal = activeOf(studyId) === undefined ? await missing.check(record.value) : null;
    if (refusal !== null) return failed(refusal);
    const { study } = record.value;
    const counted = await files.counted.of(study);
    return counted.ok ? ok(study) : counted;
  };

  const loadViews = async (study: Study): Promise<ReadonlyMap<string, RunView>> =>
    activeStudy(study.id)?.views() ?? (await loadStudy(orThrow(await readable(study.id)), files)).views;

  const outcomes: StudyResults['outcomes'] = async (studyId) => {
    const found = await readable(studyId);
    if (!found.ok) return found;
    const study = found.value;
    const active = activeStudy(studyId);
    if (active !== undefined) return ok(summaries.liveOutcomes(study, active.views()));
    const { outcomes: summed, progress } = await summaries.outcomes(study);
    options.onOutcomes?.(summed);
    const record = store.find(studyId);
    // While a study opens its journals, its record is about to change.
    if (activeOf(studyId) !== undefined || !record.ok || !differs(record.value, summed, progress))
      return ok(summed);
    const finishedAt = summed.runs.every(({ finished }) => finished) ? await lastChange(study, files) : null;
    await options.onDifference?.(studyId, { progress, finishedAt });
    return ok(summed);
  };

  const analysisOf = (study: Study): Promise<Analysis> => {
    const active = activeStudy(study.id);
    return active === undefined ? summaries.analysis(study) : summaries.liveAnalysis(study, active.views);
  };

  const analysis: StudyResults['analysis'] = async (studyId) => {
    const study = await readable(studyId);
    return study.ok ? ok(await analysisOf(study.value)) : study;
  };

  return {
    outcomes,
    analysis,
    analysisIsDue: (studyId) => summaries.liveAnalysisIsDue(studyId),
    study: (studyId) => {
      const record = store.find(studyId);
      return record.ok ? ok(record.value.study) : record;
    },
    readable,
    views: loadViews,
    journal: journals.journal,
    repair: async (runId) => {
      const repaired = await journals.repair(runId, async (studyId) => {
        summaries.forget(studyId);
        await files.summaries.forget(files.folder(studyId));
        emit({ kind: 'analysis-changed', studyId });
        await outcomes(studyId);
      });
      return withRepairRefusal(repaired, journals.runOf(runId), outcomes);
    },
    loadRun: async (study, config) => {
      const active = activeStudy(study.id);
      if (active === undefined) return runs.load(study, config);
      return { view: active.views().get(config.id) ?? null, problem: null };
    },
    fingerprint: async (study) => {
      if (activeOf(study.id) !== undefined) return null;
      const marks = await journalStamps(study, files.journal);
      const regradedMs = await files.summaries.regradeModifiedMs(files.folder(study.id));
      const { id, extensions = [], regrades = [], countedRegrade = null } = study;
      return JSON.stringify([id, extensions, marks, regradedMs, regrades, countedRegrade]);
    },
    regrade: async (study) =>
      study.countedRegrade === undefined
        ? files.summaries.readRegrade(files.folder(study.id), await journalStamps(study, files.journal))
        : ok(null),
    saveRegrade: async (study, regrade) =>
      files.summaries.writeRegrade(files.folder(study.id), {
        app: appVersion,
        marks: await journalStamps(study, files.journal),
        regrade,
      }),
    save: async (study, views, parts) => {
      // While the app closes, leave out what can be computed later.
      if (parts.analysis) await runs.save(study, views);
      await summaries.save(study, views, parts);
    },
    ...createStudyNodes({ deps, ...journals }),
    exportCsv: async ({ studyId, ...to }) => {
      const study = await readable(studyId);
      if (!study.ok) return study;
      const views = async () => inRunOrder(study.value, await loadViews(study.value));
      return exportStudy(to, { analysis: () => analysisOf(study.value), views });
    },
    release: (study) => {
      if (study === undefined) return journals.release();
      summaries.forget(study.id);
      return journals.release(study.runs.map(({ id }) => files.journal(study.id, id)));
    },
  };
}

function inRunOrder({ runs }: Study, views: ReadonlyMap<string, RunView>): RunView[] {
  return runs.flatMap((run) => views.get(run.id) ?? []);
}

/** The rest of a journal that lost its end is intact, so it cannot be repaired, and the refusal says so instead. */
async function withRepairRefusal<T>(
  repaired: Result<T, Refusal>,
  run: ReturnType<ReturnType<typeof createStudyJournals>['runOf']>,
  outcomesOf: StudyResults['outcomes'],
): Promise<Result<T, Refusal>> {
  if (repaired.ok || repaired.error.code !== 'conflict' || !run.ok) return repaired;
  const { record, config } = run.value;
  const read = await outcomesOf(record.study.id);
  const problem = read.ok ? read.value.runs.find(({ runId }) => runId === config.id)?.problem : null;
  return problem ? failed({ ...repaired.error, message: problem.message, hint: problem.hint }) : repaired;
}

/** Of its journals, as ISO date. */
async function lastChange(study: Study, files: StudyDeps['files']): Promise<string> {
  const stamps = await journalStamps(study, files.journal);
  return new Date(Math.max(0, ...stamps.map(({ modifiedMs }) => modifiedMs))).toISOString();
}

/**
 * A finished study that lost a part can be resumed, and one that the registry has as unfinished may be complete: its
 * folder was away, or came back from a backup.
 */
function differs(
  { progress: saved, finishedAt }: StudyRecord,
  { runs }: StudyOutcomes,
  progress: Progress,
): boolean {
  if (finishedAt !== null) return runs.some(hasWorkLeft);
  // Damaged journals are repaired first; until then the registry knows more.
  if (runs.some(({ problem }) => problem !== null)) return false;
  return (
    runs.every(({ finished }) => finished) ||
    progress.nodesDone !== (saved?.nodesDone ?? 0) ||
    progress.gradedDone !== (saved?.gradedDone ?? 0) ||
    progress.problemsDone !== (saved?.problemsDone ?? 0)
  );
}

/**
 * A damaged journal has to be repaired first, one of a newer version is continued by that, and one that cannot be opened
 * tells nothing.
 */
function hasWorkLeft({ finished, problem, outcomes }: RunOutcomes): boolean {
  if (finished || problem?.repairable || problem?.isNewer) return false;
  return problem === null || outcomes.some((outcome) => outcome !== 'waiting');
}
