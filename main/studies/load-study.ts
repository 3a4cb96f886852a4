import {
  foldRun,
  type JournalProblem,
  type RunConfig,
  type RunEvent,
  type RunView,
  type Study,
  withPlannedConfig,
} from '../../preload/contract/index';
import { damageText, type JournalDamage, streamJournal } from '../storage/index';
import { lostEnds } from './logic/journal-damage';
import { exists, type StudyFiles } from './study-files';
import { type JournalStamp, journalStamps } from './summary-store';

/** All runs of a study that does not run, from their journals. */
export type LoadedStudy = {
  /** No entry for a run without a journal, or whose journal cannot be read. */
  readonly views: ReadonlyMap<string, RunView>;
  readonly problems: ReadonlyMap<string, JournalProblem>;
  /** Could every journal be opened? If not, the next load may find more. */
  readonly opened: boolean;
};

/** Events folded at once: every fold copies the list of trees; folding this many takes a few milliseconds. */
const FOLD_EVENTS = 2_000;

/**
 * Reads a study's journals one after the other; damaged ones are reported, and as far as possible read. Private verdicts are
 * those of the grading that counts; where that cannot be read, of the first one, which is reported.
 */
export async function loadStudy(study: Study, files: StudyFiles): Promise<LoadedStudy> {
  const journals = await loadJournals(study, files);
  const { problems, opened } = journals;
  const views = planned(journals.views, study);
  const counted = new Map<string, RunView>();
  const all = new Map(problems);
  let isWhole = opened;
  for (const [id, view] of views) {
    const run = await countedRun(study, view, files);
    if (run.view !== null) counted.set(id, run.view);
    if (run.problem === null) continue;
    all.set(id, problems.get(id) ?? run.problem);
    isWhole = false;
  }
  return { views: counted, problems: all, opened: isWhole };
}

async function countedRun(study: Study, view: RunView, files: StudyFiles): Promise<LoadedRun> {
  const applied = await files.counted.applied(study, view);
  if (applied.ok) return { view: applied.value, problem: null };
  const { message, hint } = applied.error;
  return { view, problem: { message, hint, repairable: false } };
}

/** A comparison has no room to say that these are not the verdicts that count. */
function withoutUncountedVerdicts({ view, problem }: LoadedRun): LoadedRun {
  return { view: problem === null ? view : null, problem };
}

/** As their study plans them now, which their journals may not say yet. */
function planned(views: ReadonlyMap<string, RunView>, study: Study): ReadonlyMap<string, RunView> {
  const now = study.runs.flatMap((config): [string, RunView][] => {
    const view = views.get(config.id);
    return view === undefined ? [] : [[config.id, withPlannedConfig(view, config, study)]];
  });
  return new Map(now);
}

/** As first graded, and as planned when they were written. */
export async function loadJournals(study: Study, files: StudyFiles): Promise<LoadedStudy> {
  const views = new Map<string, RunView>();
  const problems = new Map<string, JournalProblem>();
  let opened = true;
  for (const config of study.runs) {
    const { id } = config;
    const path = files.journal(study.id, id);
    if (!(await exists(path))) continue;
    let view: RunView | null = null;
    let unfolded: RunEvent[] = [];
    const read = await streamJournal(path, (event) => {
      unfolded.push(event);
      if (unfolded.length < FOLD_EVENTS) return;
      view = foldRun(view, unfolded);
      unfolded = [];
    });
    view = foldRun(view, unfolded);
    if (view !== null) views.set(id, view);
    if (!read.ok) {
      opened = false;
      problems.set(id, { message: read.error.message, hint: read.error.hint, repairable: false });
    } else if (read.value !== null) {
      problems.set(id, journalProblemOf(read.value));
    }
  }
  return { views, problems, opened };
}

export function journalProblemOf(damage: JournalDamage): JournalProblem {
  const isNewer = damage.cause === 'newer';
  return {
    ...damageText(damage),
    repairable: damage.kept > 0 && damage.newer === 0,
    ...(isNewer ? { isNewer } : {}),
  };
}

/** One run as its journal has it. */
export type LoadedRun = {
  /** null: it has not begun, or cannot be read as it counts. */
  readonly view: RunView | null;
  readonly problem: JournalProblem | null;
};

/** Loads the views of runs that do not run now, one at a time: a comparison may need hundreds. Stored are first gradings. */
export type RunLoader = {
  /** From the view stored next to the journal, else from the journal itself; the view is then stored. */
  readonly load: (study: Study, config: RunConfig) => Promise<LoadedRun>;
  readonly save: (study: Study, views: ReadonlyMap<string, RunView>) => Promise<void>;
};

/** A stored view has no room for what lies behind a limit that was lowered, and that counts again where the limit is raised. */
function isWhole({ trees }: RunView): boolean {
  return [...trees.values()].every(({ cut }) => cut === undefined);
}

export function createRunLoader(options: {
  readonly files: StudyFiles;
  readonly appVersion: string;
}): RunLoader {
  const { files, appVersion } = options;
  const stampsOf = (study: Study, config: RunConfig): Promise<JournalStamp[]> =>
    journalStamps({ ...study, runs: [config] }, files.journal);
  return {
    load: async (study, config) => {
      const folder = files.folder(study.id);
      const stamps = await stampsOf(study, config);
      const stored = await files.summaries.readView(folder, appVersion, config.id, stamps);
      if (stored.view !== null)
        return withoutUncountedVerdicts(
          await countedRun(study, withPlannedConfig(stored.view, config, study), files),
        );
      const lost = lostEnds(stamps, stored.marks, (runId) => files.journal(study.id, runId));
      const { views, problems } = await loadJournals({ ...study, runs: [config] }, files);
      const written = views.get(config.id);
      const view = written === undefined ? null : withPlannedConfig(written, config, study);
      const problem = problems.get(config.id) ?? lost.get(config.id) ?? null;
      const [stamp] = stamps;
      if (view === null || problem !== null || stamp === undefined) return { view, problem };
      // Of a damaged journal nothing is stored, so that every load reports the damage.
      if (isWhole(view)) await files.summaries.writeView(folder, appVersion, stamp, view);
      return withoutUncountedVerdicts(await countedRun(study, view, files));
    },
    save: async (study, views) => {
      for (const config of study.runs) {
        const view = views.get(config.id);
        const [stamp] = view === undefined ? [] : await stampsOf(study, config);
        if (view === undefined || stamp === undefined || !isWhole(view)) continue;
        await files.summaries.writeView(files.folder(study.id), appVersion, stamp, view);
      }
    },
  };
}
