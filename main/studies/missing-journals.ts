import type { Refusal } from '../../preload/contract/index';
import type { StudyRecord } from '../storage/index';
import { exists, type StudyFiles } from './study-files';

/** Studies that have searched, but whose journals are not in the data folder. */
export type MissingJournals = {
  /** Looks in the folder. null: a journal is there, or the study has not searched yet. */
  readonly check: (record: StudyRecord) => Promise<Refusal | null>;
  /** As the last check found. */
  readonly of: (studyId: string) => Refusal | null;
};

/**
 * A folder that was moved, or whose disk is not mounted, comes back with all its results. So nothing is concluded from
 * its absence: the study cannot be read or continued until then, and its record stays as it is.
 */
export function createMissingJournals(
  files: Pick<StudyFiles, 'folder' | 'journal'>,
  onChange: (studyId: string) => void,
): MissingJournals {
  const missing = new Map<string, Refusal>();
  return {
    check: async (record) => {
      const { id } = record.study;
      const refusal = (await hasLostJournals(record, files)) ? refusalOf(record, files.folder(id)) : null;
      const hasChanged = (refusal === null) === missing.has(id);
      if (refusal === null) missing.delete(id);
      else missing.set(id, refusal);
      if (hasChanged) onChange(id);
      return refusal;
    },
    of: (studyId) => missing.get(studyId) ?? null,
  };
}

/** Looks for missing ones, and reads those of studies whose record is in doubt: both correct the record. */
export async function checkJournals(
  records: readonly StudyRecord[],
  deps: {
    readonly running: { readonly has: (studyId: string) => boolean };
    readonly missing: Pick<MissingJournals, 'check'>;
    readonly results: { readonly outcomes: (studyId: string) => Promise<unknown> };
    readonly files: Pick<StudyFiles, 'folder' | 'journal' | 'summaries'>;
  },
): Promise<void> {
  const { running, missing, results, files } = deps;
  const present = await Promise.all(
    records.map(async (record) => {
      const isRunning = running.has(record.study.id);
      return isRunning || (await missing.check(record)) !== null ? [] : [record];
    }),
  );
  for (const { study, finishedAt, progress } of present.flat()) {
    // An earlier version took an absent folder for lost work; a finished journal that changed may have lost its end.
    const isDoubtful =
      finishedAt === null ? progress?.nodesDone === 0 : await files.summaries.isOutdated(study, files);
    if (isDoubtful) await results.outcomes(study.id);
  }
}

async function hasLostJournals(
  { study, progress, finishedAt, removed }: StudyRecord,
  files: Pick<StudyFiles, 'journal'>,
): Promise<boolean> {
  const hasSearched = finishedAt !== null || (progress?.nodesDone ?? 0) > 0;
  if (removed || !hasSearched) return false;
  // The first one is nearly always there.
  for (const { id } of study.runs) if (await exists(files.journal(study.id, id))) return false;
  return true;
}

function refusalOf({ study }: StudyRecord, folder: string): Refusal {
  return {
    code: 'unavailable',
    message: `The results of "${study.name}" are missing: its journals are not in ${folder}.`,
    hint: 'Put the folder back there, or restore it from a backup. Everything is then as before.',
  };
}
