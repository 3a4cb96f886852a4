import type { StudyOutcomes, StudyView } from '../../preload/contract/index';
import type { StudyRecord } from '../storage/index';
import type { MissingJournals } from './missing-journals';
import type { StudyFiles } from './study-files';
import type { StudyResults } from './study-results';
import { type JournalStamp, journalStamps, sameStamps } from './summary-store';

/** When so much time has gone into the journals of others, a study waits for the next check: thousands could be new. */
const READING_MS = 20_000;

/** What is known of journals that cannot be read as a whole, of studies that do not run. */
export type DamagedJournals = {
  readonly of: (studyId: string) => StudyView['damage'];
  /** What a read has found. */
  readonly note: (outcomes: StudyOutcomes) => void;
  /**
   * Looks at those of these studies that have searched and do not run, newest first, one after the other. The size and
   * date of each journal are compared with those in the summary beside it, which also knows of damage; only a study with
   * another journal than that is read.
   */
  readonly check: (
    records: readonly StudyRecord[],
    deps: {
      readonly running: { readonly has: (studyId: string) => boolean };
      readonly missing: Pick<MissingJournals, 'of'>;
      readonly results: Pick<StudyResults, 'outcomes' | 'analysis'>;
    },
  ) => Promise<void>;
  readonly close: () => void;
};

export function createDamagedJournals(options: {
  readonly files: Pick<StudyFiles, 'folder' | 'journal' | 'summaries'>;
  readonly now: () => number;
  readonly onChange: (studyId: string) => void;
}): DamagedJournals {
  const { files, now, onChange } = options;
  const damaged = new Map<string, NonNullable<StudyView['damage']>>();
  /** The journals of each study when it was last looked at: these need no other look. */
  const checked = new Map<string, readonly JournalStamp[]>();
  let checking: Promise<void> | null = null;
  let closed = false;

  const note: DamagedJournals['note'] = ({ studyId, runs }) => {
    const found = runs.flatMap(({ runId, problem }) => (problem === null ? [] : [{ runId, ...problem }]));
    const before = damaged.get(studyId) ?? [];
    if (found.length === 0) damaged.delete(studyId);
    else damaged.set(studyId, found);
    if (JSON.stringify(found) !== JSON.stringify(before)) onChange(studyId);
  };
  const checkAll: DamagedJournals['check'] = async (records, { running, missing, results }) => {
    let readMs = 0;
    for (const { study, progress, removed } of records.toReversed()) {
      if (progress === null || removed || running.has(study.id) || missing.of(study.id) !== null) continue;
      const stamps = await journalStamps(study, files.journal);
      if (closed) return;
      if (sameStamps(checked.get(study.id) ?? [], stamps)) continue;
      const stored = await files.summaries.readOutcomes(files.folder(study.id));
      if (stored !== null && sameStamps(stored.marks, stamps)) {
        note(stored.outcomes);
      } else if (readMs < READING_MS) {
        const begun = now();
        await results.outcomes(study.id);
        // The next one begins only after the work of this one is done.
        await results.analysis(study.id);
        readMs += now() - begun;
      } else continue;
      checked.set(study.id, stamps);
    }
  };

  return {
    of: (studyId) => damaged.get(studyId),
    note,
    check: (...of) => {
      checking ??= checkAll(...of).finally(() => {
        checking = null;
      });
      return checking;
    },
    close: () => {
      closed = true;
    },
  };
}
