import type { JournalProblem, RunConfig, RunView, Study } from '../../preload/contract/index';
import { loadStudy } from './load-study';
import type { StudyFiles } from './study-files';
import { type JournalStamp, journalStamps, summaryStore } from './summary-store';

/** One run as its journal has it. */
export type LoadedRun = {
  /** null: it has not begun, or cannot be read. */
  readonly view: RunView | null;
  readonly trouble: JournalProblem | null;
};

/** Loads the views of runs that do not run now, one at a time: a comparison may need hundreds. */
export type RunLoader = {
  /** From the view stored next to the journal, else from the journal itself; the view is then stored. */
  readonly load: (study: Study, config: RunConfig) => Promise<LoadedRun>;
  readonly save: (study: Study, views: ReadonlyMap<string, RunView>) => Promise<void>;
};

export function createRunLoader(options: {
  readonly files: StudyFiles;
  readonly appVersion: string;
}): RunLoader {
  const { files, appVersion } = options;
  const stampOf = async (study: Study, config: RunConfig): Promise<JournalStamp | undefined> => {
    const [stamp] = await journalStamps({ ...study, runs: [config] }, files.journal);
    return stamp;
  };
  return {
    load: async (study, config) => {
      const folder = files.folder(study.id);
      const stamp = await stampOf(study, config);
      if (stamp === undefined) return { view: null, trouble: null };
      const stored = await summaryStore.readView(folder, appVersion, stamp);
      if (stored !== null) return { view: stored, trouble: null };
      const { views, troubles } = await loadStudy({ ...study, runs: [config] }, files);
      const view = views.get(config.id) ?? null;
      const trouble = troubles.get(config.id) ?? null;
      // Of a damaged journal nothing is stored, so that every load reports the damage.
      if (view !== null && trouble === null) await summaryStore.writeView(folder, appVersion, stamp, view);
      return { view, trouble };
    },
    save: async (study, views) => {
      for (const config of study.runs) {
        const view = views.get(config.id);
        const stamp = view === undefined ? undefined : await stampOf(study, config);
        if (view === undefined || stamp === undefined) continue;
        await summaryStore.writeView(files.folder(study.id), appVersion, stamp, view);
      }
    },
  };
}
