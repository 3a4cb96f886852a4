import type { Value } from '../../preload/contract/commands/index';
import type { Refusal, Study } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';
import { folderBytes, type StudyRecord } from '../storage/index';
import { exists, type StudyFiles } from './study-files';
import type { StudyStore } from './study-store';

/** A removed study, and the size of its journals. */
type RemovedStudy = Value<'study.trash'>[number];

export type StudyTrash = {
  readonly restore: (studyId: string) => Promise<Result<null, Refusal>>;
  /** What `restore` brings back, oldest first: not where somebody has deleted the journals. */
  readonly inTrash: () => Promise<readonly RemovedStudy[]>;
  /** Deletes a study in the trash for good, its journals and its record. */
  readonly deleteForGood: (studyId: string) => Promise<Result<null, Refusal>>;
};

const notInTrash = ({ id, name }: Study): Refusal => ({
  code: 'conflict',
  message: `The study ${id} ("${name}") is not in the trash: it is in the list of studies.`,
});

/** The studies that were removed, whose journals are kept until a person deletes them. */
export function createStudyTrash(parts: {
  readonly store: StudyStore;
  readonly files: StudyFiles;
  readonly emitChange: (studyId: string) => void;
}): StudyTrash {
  const { store, files, emitChange } = parts;
  /** The work is done with the record of a removed study, so only with an id that we made. */
  const withRemoved = async (
    studyId: string,
    work: (record: StudyRecord) => Promise<Result<null, Refusal>>,
  ): Promise<Result<null, Refusal>> => {
    const record = store.list().find(({ study }) => study.id === studyId);
    if (record === undefined) return store.change(studyId, (old) => old);
    return record.removed ? work(record) : failed(notInTrash(record.study));
  };
  return {
    restore: (studyId) =>
      withRemoved(studyId, async ({ study }) => {
        await files.restore(study);
        const saved = await store.change(studyId, (old) => ({ ...old, removed: false }));
        emitChange(studyId);
        return saved;
      }),
    inTrash: async () => {
      const removedStudies = store
        .list()
        .map(async ({ study, removed, progress }): Promise<RemovedStudy[]> => {
          if (!removed) return [];
          // A study that never ran has no folder.
          const hasJournals = (progress?.nodesDone ?? 0) > 0;
          const folder = files.discarded(study.id);
          if (hasJournals && !(await exists(folder))) return [];
          const { id: studyId, name, createdAt } = study;
          return [{ studyId, name, createdAt, bytes: await folderBytes(folder) }];
        });
      return (await Promise.all(removedStudies)).flat();
    },
    // The record last: what a kill leaves is still listed, or has no journals and is not.
    deleteForGood: (studyId) =>
      withRemoved(studyId, async ({ study }) => {
        await files.erase(study);
        return store.drop(studyId);
      }),
  };
}
