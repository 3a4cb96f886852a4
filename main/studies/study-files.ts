import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Study } from '../../preload/contract/index';
import { type CountedVerdicts, createCountedVerdicts } from './counted-verdicts';
import { createSummaryStore, type SummaryStore } from './summary-store';

/** In the folder of a study that came with the bundle of another lab; its text is the bundle's name. */
export const BUNDLE_MARK = 'from-bundle.txt';

/** Where a study's files are. Ids are made by us, so they are safe as names. */
export type StudyFiles = {
  readonly folder: (studyId: string) => string;
  /** Ids of the studies that have a folder, and of the runs that have a journal in one; sorted. */
  readonly studyIds: () => Promise<string[]>;
  readonly runIds: (studyId: string) => Promise<string[]>;
  readonly journal: (studyId: string, runId: string) => string;
  /** The journal of a re-grade. */
  readonly regrade: (studyId: string, regradeId: string) => string;
  /** What counts of them. */
  readonly counted: CountedVerdicts;
  /** Files that are stored beside the journals. */
  readonly summaries: SummaryStore;
  /** Where folder and journal are while their study is in the trash. */
  readonly discarded: (studyId: string) => string;
  readonly discardedJournal: (studyId: string, runId: string) => string;
  /** Moves a study's journals to the trash; `restore` brings them back. */
  readonly discard: (study: Study) => Promise<void>;
  readonly restore: (study: Study) => Promise<void>;
  /** Deletes them in the trash, for good. */
  readonly erase: (study: Study) => Promise<void>;
  /** Keeps the journals of runs that are taken out of a study's plan beside the others, where nothing reads them. */
  readonly setAside: (studyId: string, runIds: readonly string[]) => Promise<void>;
};

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** `onDamage`: for the log, what was damaged and is made again. */
export function studyFiles(dataDir: string, onDamage: (what: string) => void = () => undefined): StudyFiles {
  const folder = (studyId: string): string => join(dataDir, 'studies', studyId);
  const trash = (studyId: string): string => join(dataDir, 'trash', studyId);
  const namesIn = async (path: string, suffix: string): Promise<string[]> => {
    const names = await readdir(path).catch(() => []);
    return names
      .flatMap((name) => (name.endsWith(suffix) ? [name.slice(0, name.length - suffix.length)] : []))
      .sort();
  };
  const move = async (from: string, to: string): Promise<void> => {
    // A study that never ran has no folder.
    if (!(await exists(from))) return;
    await mkdir(join(to, '..'), { recursive: true });
    // An existing target is renamed, not deleted: it holds journals.
    for (let n = 1; await exists(to); n++) {
      const backup = `${to}.earlier-${n}`;
      if (!(await exists(backup))) await rename(to, backup);
    }
    await rename(from, to);
  };
  const regrade: StudyFiles['regrade'] = (studyId, id) => join(folder(studyId), 'regrades', `${id}.jsonl`);
  const summaries = createSummaryStore(onDamage);
  return {
    folder,
    studyIds: () => namesIn(join(dataDir, 'studies'), ''),
    runIds: (studyId) => namesIn(folder(studyId), '.jsonl'),
    journal: (studyId, runId) => join(folder(studyId), `${runId}.jsonl`),
    discarded: trash,
    regrade,
    counted: createCountedVerdicts(regrade),
    summaries,
    discardedJournal: (studyId, runId) => join(trash(studyId), `${runId}.jsonl`),
    discard: (study) => move(folder(study.id), trash(study.id)),
    restore: (study) => move(trash(study.id), folder(study.id)),
    erase: (study) => rm(trash(study.id), { recursive: true, force: true }),
    setAside: async (studyId, runIds) => {
      const from = folder(studyId);
      const names = await readdir(from).catch(() => []);
      for (const name of names.filter((one) => runIds.some((id) => one.startsWith(`${id}.`))))
        await move(join(from, name), join(from, 'taken-back', name));
      await summaries.forget(from);
    },
  };
}
