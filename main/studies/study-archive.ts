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
import { failed, ok, type Result } from '../base/index';
import {
  damageWords,
  type JournalReading,
  type Registry,
  repairJournal,
  type StudyRecord,
} from '../storage/index';
import type { ActiveStudy, StudySurroundings } from './active-study';
import { JournalShelf } from './journal-shelf';
import { journalMarks, keptSummaries } from './kept-summaries';
import { nodeBeliefs } from './node-beliefs';
import { readNode } from './node-reader';
import { createRunReadings, type RunReading } from './run-readings';
import { exportStudy } from './study-export';
import { readStudy } from './study-reading';
import { createStudySummaries, type StudySummaries } from './study-summaries';

/** Everything that is only looked at: analyses, events, nodes and CSV files of studies that run or do not. */
export type StudyArchive = {
  readonly outcomes: (studyId: string) => Promise<Result<StudyOutcomes, Refusal>>;
  readonly analysis: (studyId: string) => Promise<Result<Analysis, Refusal>>;
  readonly runEvents: (runId: string) => Promise<Result<readonly RunEvent[], Refusal>>;
  readonly readNode: (place: CheckedPayload<'node.read'>) => Promise<Result<NodeDetail, Refusal>>;
  readonly nodeBeliefs: (
    place: CheckedPayload<'node.beliefs'>,
  ) => Promise<Result<Value<'node.beliefs'>, Refusal>>;
  readonly exportCsv: (
    order: CheckedPayload<'export.write'>,
  ) => Promise<Result<Value<'export.write'>, Refusal>>;
  readonly study: (studyId: string) => Result<Study, Refusal>;
  /** By run id; a run of which nothing has happened, or nothing can be read, has none. Opens every journal. */
  readonly views: (study: Study) => Promise<ReadonlyMap<string, RunView>>;
  /** One run of a study, without opening its journal where its view is kept. */
  readonly runReading: (study: Study, config: RunConfig) => Promise<RunReading>;
  /** Changes with the study's journals and with what is kept of its regrade. null: it is under way and changes all the time. */
  readonly fingerprint: (study: Study) => Promise<string | null>;
  /** What the last whole or partial regrade found; null: none is kept, or the journals have changed since. */
  readonly regrade: (study: Study) => Promise<Regrade | null>;
  readonly keepRegrade: (study: Study, regrade: Regrade) => Promise<void>;
  /** A run's journal to look at; null before its first event. Of a run that is under way, the one it writes. */
  readonly journal: (runId: string) => Promise<Result<JournalReading | null, Refusal>>;
  /** Refuses while the run's study is under way. */
  readonly repair: (runId: string) => Promise<Result<Value<'run.repair'>, Refusal>>;
  /** Keeps the summaries of work that has ended; see `StudySummaries`. */
  readonly keep: StudySummaries['keep'];
  /** Lets go of journals: of one study, which is about to write or move them, or of all. */
  readonly release: (study?: Study) => Promise<void>;
};

export function createStudyArchive(options: {
  readonly registry: Registry;
  readonly around: Pick<StudySurroundings, 'files' | 'library' | 'now' | 'digest' | 'appVersion'>;
  readonly activeOf: (studyId: string) => ActiveStudy | undefined;
  /** Tells every host, e.g. of damage that was come upon. */
  readonly tell?: (event: WorkbenchEvent) => void;
  /** The registry takes this study for finished and its journals say that work is left. */
  readonly unfinished?: (studyId: string, progress: Progress) => void;
}): StudyArchive {
  const { registry, around, activeOf, tell = () => undefined } = options;
  const { files, library, now, appVersion } = around;
  const shelf = new JournalShelf();
  const summaries = createStudySummaries({ files, library, now, appVersion });
  const readings = createRunReadings({ files, appVersion });
  const recordOf = (studyId: string): Result<StudyRecord, Refusal> => findStudy(registry, studyId);
  /** Journals whose damage was told; once is enough. */
  const told = new Set<string>();

  /** Until all journals of a study that starts are open, their files tell more than its views. */
  const underWay = (studyId: string): ActiveStudy | undefined => {
    const active = activeOf(studyId);
    return active?.state().kind === 'preparing' ? undefined : active;
  };

  const viewsOf = async (study: Study): Promise<ReadonlyMap<string, RunView>> =>
    underWay(study.id)?.views() ?? (await readStudy(study, files)).views;

  const runOf = (runId: string): Result<{ record: StudyRecord; config: RunConfig }, Refusal> => {
    for (const record of registry.read().studies) {
      const config = record.study.runs.find(({ id }) => id === runId);
      if (config !== undefined) return ok({ record, config });
    }
    return failed({ code: 'not-found', message: `There is no run ${runId}.` });
  };

  const journal: StudyArchive['journal'] = async (runId) => {
    const found = runOf(runId);
    if (!found.ok) return found;
    const { study } = found.value.record;
    const session = activeOf(study.id)?.session(runId);
    if (session !== undefined) return ok(session.journal);
    const path = files.journal(study.id, runId);
    const opened = await shelf.get(path);
    const damage = opened.ok ? opened.value?.damage : null;
    if (damage && !told.has(path)) {
      told.add(path);
      const { message, hint } = damageWords(damage);
      tell({ kind: 'notice', level: 'error', message: `${message} ${hint}` });
    }
    return opened;
  };

  const outcomes: StudyArchive['outcomes'] = async (studyId) => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    const { study, finishedAt } = record.value;
    const active = underWay(studyId);
    if (active !== undefined) return ok(summaries.liveOutcomes(study, active.views()));
    const { outcomes: summed, progress } = await summaries.outcomes(study);
    // The journals are the truth: a finished study of which a part was lost can be resumed.
    if (finishedAt !== null && summed.runs.some(workIsLeft)) {
      options.unfinished?.(studyId, progress);
    }
    return ok(summed);
  };

  const analysisOf = (study: Study): Promise<Analysis> => {
    const active = underWay(study.id);
    return active === undefined ? summaries.analysis(study) : summaries.liveAnalysis(study, active.views);
  };

  const analysis: StudyArchive['analysis'] = async (studyId) => {
    const record = recordOf(studyId);
    return record.ok ? ok(await analysisOf(record.value.study)) : record;
  };

  const repair: StudyArchive['repair'] = async (runId) => {
    const found = runOf(runId);
    if (!found.ok) return found;
    const { study } = found.value.record;
    if (activeOf(study.id) !== undefined) {
      return failed({
        code: 'conflict',
        message: 'A journal can not be repaired while its study is running.',
        hint: 'Pause the study first.',
      });
    }
    const path = files.journal(study.id, runId);
    await shelf.release([path]);
    const repaired = await repairJournal(path);
    if (!repaired.ok) return repaired;
    const { movedTo, damage } = repaired.value;
    told.delete(path);
    summaries.forget(study.id);
    await keptSummaries.forget(files.folder(study.id));
    tell({ kind: 'analysis-changed', studyId: study.id });
    await outcomes(study.id);
    const { kept, unreadable, leftOut } = damage;
    return ok({ movedTo, keptEvents: kept, lostLines: unreadable, leftOutEvents: leftOut });
  };

  const exportCsv: StudyArchive['exportCsv'] = async ({ studyId, what, path }) => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    const { study } = record.value;
    return exportStudy(
      { what, path },
      {
        analysis: () => analysisOf(study),
        views: async () => {
          const views = await viewsOf(study);
          return study.runs.flatMap((run) => views.get(run.id) ?? []);
        },
      },
    );
  };

  return {
    outcomes,
    analysis,
    study: (studyId) => {
      const record = recordOf(studyId);
      return record.ok ? ok(record.value.study) : record;
    },
    views: viewsOf,
    journal,
    repair,
    runReading: async (study, config) => {
      const active = underWay(study.id);
      if (active === undefined) return readings.read(study, config);
      return { view: active.views().get(config.id) ?? null, trouble: null };
    },
    fingerprint: async (study) => {
      if (activeOf(study.id) !== undefined) return null;
      const marks = await journalMarks(study, files.journal);
      return JSON.stringify([study.id, marks, await keptSummaries.regradeMark(files.folder(study.id))]);
    },
    regrade: async (study) =>
      keptSummaries.readRegrade(files.folder(study.id), await journalMarks(study, files.journal)),
    keepRegrade: async (study, regrade) =>
      keptSummaries.writeRegrade(files.folder(study.id), {
        app: appVersion,
        marks: await journalMarks(study, files.journal),
        regrade,
      }),
    keep: async (study, views, what) => {
      // While the app is being closed nobody waits for what can be made later.
      if (what.analysis) await readings.keep(study, views);
      await summaries.keep(study, views, what);
    },
    runEvents: async (runId) => {
      const opened = await journal(runId);
      return opened.ok ? ok(opened.value?.events() ?? []) : opened;
    },
    readNode: async ({ runId, problemId, part, index }) => {
      const found = runOf(runId);
      if (!found.ok) return found;
      const { config } = found.value;
      const problem = await library.problem(config.benchmarkId, problemId);
      if (!problem.ok) return problem;
      const opened = await journal(runId);
      if (!opened.ok) return opened;
      const read = opened.value?.readDetail ?? (async () => null);
      return readNode({ config, problem: problem.value, part, index, digest: around.digest, read });
    },
    nodeBeliefs: async ({ runId, ...place }) => {
      const opened = await journal(runId);
      return opened.ok ? nodeBeliefs(opened.value?.events() ?? [], place) : opened;
    },
    exportCsv,
    release: (study) => {
      if (study === undefined) return shelf.release();
      summaries.forget(study.id);
      return shelf.release(study.runs.map(({ id }) => files.journal(study.id, id)));
    },
  };
}

/** A damaged journal is repaired first, and one that can not be opened says nothing. */
function workIsLeft({ finished, trouble, outcomes }: RunOutcomes): boolean {
  if (finished || trouble?.repairable) return false;
  return trouble === null || outcomes.some((outcome) => outcome !== 'waiting');
}

export function findStudy(registry: Registry, studyId: string): Result<StudyRecord, Refusal> {
  const record = registry.read().studies.find(({ study }) => study.id === studyId);
  if (record !== undefined) return ok(record);
  return failed({
    code: 'not-found',
    message: `There is no study ${studyId}.`,
    hint: 'It may have been removed.',
  });
}
