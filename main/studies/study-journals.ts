import type { Refusal, RunConfig, Study, Value, WorkbenchEvent } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { damageText, type JournalReading, repairJournal, type StudyRecord } from '../storage/index';
import type { ActiveStudy } from './active-study';
import { JournalCache } from './journal-cache';
import type { StudyFiles } from './study-files';

/** The journals of runs: open for reading, and repaired where they are damaged. */
export function createStudyJournals(deps: {
  readonly files: Pick<StudyFiles, 'journal'>;
  readonly records: () => readonly StudyRecord[];
  readonly activeOf: (studyId: string) => ActiveStudy | undefined;
  /** Refused where the study's journals are missing. */
  readonly readable: (studyId: string) => Promise<Result<Study, Refusal>>;
  readonly emit: (event: WorkbenchEvent) => void;
}) {
  const { files, records, activeOf, readable, emit } = deps;
  const cache = new JournalCache();
  /** Journals whose damage was reported; once is enough. */
  const reported = new Set<string>();

  const runOf = (runId: string): Result<{ record: StudyRecord; config: RunConfig }, Refusal> => {
    for (const record of records()) {
      const config = record.study.runs.find(({ id }) => id === runId);
      if (config !== undefined) return ok({ record, config });
    }
    return failed({ code: 'not-found', message: `There is no run ${runId}.` });
  };

  const journal = async (runId: string): Promise<Result<JournalReading | null, Refusal>> => {
    const run = runOf(runId);
    if (!run.ok) return run;
    const { study } = run.value.record;
    const session = activeOf(study.id)?.session(runId);
    if (session !== undefined) return ok(session.journal);
    const checked = await readable(study.id);
    if (!checked.ok) return checked;
    const path = files.journal(study.id, runId);
    const opened = await cache.get(path);
    const damage = opened.ok ? opened.value?.damage : null;
    if (damage && !reported.has(path)) {
      reported.add(path);
      const { message, hint } = damageText(damage);
      emit({ kind: 'notice', level: 'error', message: `${message} ${hint}` });
    }
    return opened;
  };

  const repair = async (
    runId: string,
    onRepaired: (studyId: string) => Promise<void>,
  ): Promise<Result<Value<'run.repair'>, Refusal>> => {
    const run = runOf(runId);
    if (!run.ok) return run;
    const { study } = run.value.record;
    if (activeOf(study.id) !== undefined) return failed(CANNOT_REPAIR);
    const path = files.journal(study.id, runId);
    await cache.release([path]);
    const repaired = await repairJournal(path);
    if (!repaired.ok) return repaired;
    reported.delete(path);
    await onRepaired(study.id);
    const { movedTo, damage } = repaired.value;
    const { kept, unreadable, leftOut } = damage;
    return ok({ movedTo, keptEvents: kept, lostLines: unreadable, leftOutEvents: leftOut });
  };

  return { runOf, journal, repair, release: (paths?: readonly string[]) => cache.release(paths) };
}

const CANNOT_REPAIR: Refusal = {
  code: 'conflict',
  message: 'A journal cannot be repaired while its study is running.',
  hint: 'Pause the study first.',
};
