import { countedRegrade, type Refusal, type Regrade } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { readRegradeJournal, type StudyRecord } from '../storage/index';
import { lacking } from './counted-verdicts';
import { loadStudy } from './load-study';
import { READ_ONLY } from './logic/next-action';
import { changedVerdicts, type SavedRegrade, saveRegrade } from './save-regrade';
import type { StudyFiles } from './study-files';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';

type RegradeOptions = Omit<
  Parameters<typeof saveRegrade>[0],
  'study' | 'journalOf' | 'files' | 'library' | 'appVersion' | 'now'
>;

/** The gradings of a study: its first one, and re-grades, of which one may count. */
export type GradingService = {
  /** See `saveRegrade`; the study's record gets a complete re-grade. */
  readonly regrade: (studyId: string, options: RegradeOptions) => Promise<Result<SavedRegrade, Refusal>>;
  /** The nodes whose private verdict a re-grade changed. */
  readonly changes: (studyId: string, regradeId: string) => Promise<Result<Regrade['changed'], Refusal>>;
  /**
   * From now on these private verdicts count for tables, metrics and exports; null: those of the first grading. Refused while
   * the study runs, and where the re-grade has not all of its programs.
   */
  readonly count: (studyId: string, regradeId: string | null) => Promise<Result<null, Refusal>>;
};

/** Why a study on which a re-grade counts writes no programs; null: the first grading counts. */
export function notWrittenRefusal({ study }: Pick<StudyRecord, 'study'>): Refusal | null {
  return countedRegrade(study) === null
    ? null
    : {
        code: 'conflict',
        message:
          'A re-grade of this study counts, and programs that it writes now would be graded otherwise.',
        hint: 'Let the first grading count (Re-grade… in its menu; mars2 studies set STUDY --grading first). Grade it again once it is done.',
      };
}

export function createGradingService(deps: {
  readonly store: StudyStore;
  readonly files: StudyFiles;
  readonly library: Parameters<typeof saveRegrade>[0]['library'];
  readonly results: Pick<StudyResults, 'journal' | 'release' | 'analysis'>;
  readonly isRunning: (studyId: string) => boolean;
  readonly appVersion: string;
  readonly now: () => number;
  readonly onChange: (studyId: string) => void;
}): GradingService {
  const { store, files, library, results, isRunning, appVersion, now, onChange } = deps;

  /** Refused while it runs. */
  const quiet = (studyId: string): Result<StudyRecord, Refusal> => {
    const record = store.find(studyId);
    if (!record.ok || !isRunning(studyId)) return record;
    return failed({
      code: 'conflict',
      message: 'The study is running, so its programs are not all there yet.',
      hint: 'Pause it, or wait until it is done.',
    });
  };
  const changed = async (studyId: string, next: (record: StudyRecord) => StudyRecord) => {
    const record = store.find(studyId);
    if (!record.ok) return record;
    await results.release(record.value.study);
    const saved = await store.change(studyId, next);
    if (saved.ok) onChange(studyId);
    return saved;
  };
  const firstViews = async ({ study: { countedRegrade: _, ...study } }: StudyRecord) => [
    ...(await loadStudy(study, files)).views.values(),
  ];

  const regrade: GradingService['regrade'] = async (studyId, options) => {
    const record = quiet(studyId);
    if (!record.ok) return record;
    if (record.value.fromBundle !== undefined) return failed(READ_ONLY);
    const { study } = record.value;
    const { journal: journalOf } = results;
    const regraded = await saveRegrade({ ...options, study, journalOf, files, library, appVersion, now });
    if (!regraded.ok) return regraded;
    const saved = await changed(studyId, (old) => ({
      ...old,
      study: { ...old.study, regrades: [...(old.study.regrades ?? []), regraded.value.facts] },
    }));
    return saved.ok ? regraded : saved;
  };

  const count: GradingService['count'] = async (studyId, regradeId) => {
    const record = quiet(studyId);
    if (!record.ok) return record;
    if (record.value.fromBundle !== undefined) return failed(READ_ONLY);
    const { regrades = [] } = record.value.study;
    const facts = regrades.find(({ id }) => id === regradeId);
    if (regradeId !== null && facts === undefined) return failed(unknown(regradeId));
    if (facts !== undefined) {
      const study = { ...record.value.study, countedRegrade: facts.id };
      const opened = await files.counted.of(study);
      if (!opened.ok) return opened;
      if ((opened.value?.programs() ?? 0) < facts.programs) return failed(lacking(facts.programs));
      for (const view of await firstViews(record.value)) {
        const applied = await files.counted.applied(study, view);
        if (!applied.ok) return applied;
      }
    }
    const saved = await changed(
      studyId,
      ({ study: { countedRegrade: _, ...study }, headline: _headline, ...old }) => ({
        ...old,
        study: facts === undefined ? study : { ...study, countedRegrade: facts.id },
      }),
    );
    // By the verdicts that count now, for lists.
    if (saved.ok) await results.analysis(studyId);
    return saved;
  };

  return {
    regrade,
    changes: async (studyId, regradeId) => {
      const record = store.find(studyId);
      if (!record.ok) return record;
      if (!(record.value.study.regrades ?? []).some(({ id }) => id === regradeId))
        return failed(unknown(regradeId));
      const read = await readRegradeJournal(files.regrade(studyId, regradeId));
      return read.ok ? ok(changedVerdicts(await firstViews(record.value), read.value)) : read;
    },
    count,
  };
}

function unknown(regradeId: string): Refusal {
  return {
    code: 'not-found',
    message: `The study has no re-grade ${regradeId}.`,
    hint: 'List them: mars2 studies regrade STUDY --list.',
  };
}
