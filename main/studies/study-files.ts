import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Study } from '../../preload/contract/index';

/** Where a study's files are. Ids are made by us, so they are safe as names. */
export type StudyFiles = {
  readonly journal: (studyId: string, runId: string) => string;
  /** Moves a study's journals to the trash; `restore` brings them back. */
  readonly discard: (study: Study) => Promise<void>;
  readonly restore: (study: Study) => Promise<void>;
};

export function studyFiles(dataDir: string): StudyFiles {
  const folder = (studyId: string): string => join(dataDir, 'studies', studyId);
  const trash = (studyId: string): string => join(dataDir, 'trash', studyId);
  const move = async (from: string, to: string): Promise<void> => {
    await mkdir(join(to, '..'), { recursive: true });
    await rm(to, { recursive: true, force: true });
    try {
      await rename(from, to);
    } catch (error) {
      // A study that never ran has no folder.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  };
  return {
    journal: (studyId, runId) => join(folder(studyId), `${runId}.jsonl`),
    discard: (study) => move(folder(study.id), trash(study.id)),
    restore: (study) => move(trash(study.id), folder(study.id)),
  };
}
