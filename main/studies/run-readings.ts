import type { JournalTrouble, RunConfig, RunView, Study } from '../../preload/contract/index';
import { type JournalMark, journalMarks, keptSummaries } from './kept-summaries';
import type { StudyFiles } from './study-files';
import { readStudy } from './study-reading';

/** What there is of one run. */
export type RunReading = {
  /** null: nothing has happened, or nothing can be read. */
  readonly view: RunView | null;
  readonly trouble: JournalTrouble | null;
};

/** Views of runs that are not under way, one at a time: hundreds of them are looked at for one comparison. */
export type RunReadings = {
  /** From what is kept beside the journal, else from the journal itself, whose view is then kept. */
  readonly read: (study: Study, config: RunConfig) => Promise<RunReading>;
  readonly keep: (study: Study, views: ReadonlyMap<string, RunView>) => Promise<void>;
};

export function createRunReadings(options: {
  readonly files: StudyFiles;
  readonly appVersion: string;
}): RunReadings {
  const { files, appVersion } = options;
  const markOf = async (study: Study, config: RunConfig): Promise<JournalMark | undefined> => {
    const [mark] = await journalMarks({ ...study, runs: [config] }, files.journal);
    return mark;
  };
  return {
    read: async (study, config) => {
      const folder = files.folder(study.id);
      const mark = await markOf(study, config);
      if (mark === undefined) return { view: null, trouble: null };
      const kept = await keptSummaries.readView(folder, appVersion, mark);
      if (kept !== null) return { view: kept, trouble: null };
      const { views, troubles } = await readStudy({ ...study, runs: [config] }, files);
      const view = views.get(config.id) ?? null;
      const trouble = troubles.get(config.id) ?? null;
      // A damaged journal is told of every time that it is read.
      if (view !== null && trouble === null) await keptSummaries.writeView(folder, appVersion, mark, view);
      return { view, trouble };
    },
    keep: async (study, views) => {
      for (const config of study.runs) {
        const view = views.get(config.id);
        const mark = view === undefined ? undefined : await markOf(study, config);
        if (view === undefined || mark === undefined) continue;
        await keptSummaries.writeView(files.folder(study.id), appVersion, mark, view);
      }
    },
  };
}
