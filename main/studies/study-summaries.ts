import type {
  Analysis,
  JournalProblem,
  Progress,
  RunOutcomes,
  RunView,
  Study,
  StudyOutcomes,
} from '../../preload/contract/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import { type AnalysisInput, analyseStudyInSteps, BOOTSTRAP_SEED, LIVE_RESAMPLES } from '../metrics/index';
import { type LoadedStudy, loadStudy } from './load-study';
import { progressOf } from './logic/progress';
import { journalProblemSentences, OutcomeSummary } from './logic/run-outcomes';
import { warningsOf } from './logic/warnings';
import type { StudyFiles } from './study-files';
import { type JournalStamp, journalStamps, sameStamps, summaryStore } from './summary-store';

/** Studies whose summaries stay in memory: those that one flips between. */
const IN_MEMORY = 8;
/** A running study's analysis is made anew at most so often, and takes at most this share of the time. */
const LIVE_PAUSE_MS = 900;
const LIVE_SHARE = 0.25;

export type StudySummaries = {
  readonly outcomes: (study: Study) => Promise<Summary>;
  readonly analysis: (study: Study) => Promise<Analysis>;
  /** The same of a study that runs, from its views. */
  readonly liveOutcomes: (study: Study, views: ReadonlyMap<string, RunView>) => StudyOutcomes;
  readonly liveAnalysis: (study: Study, views: () => ReadonlyMap<string, RunView>) => Promise<Analysis>;
  /**
   * Sums up work that has ended, from the views that it leaves, and keeps that beside the journals. Without `analysis`
   * (the app is being closed) the table is made when somebody asks for it.
   */
  readonly save: (
    study: Study,
    views: ReadonlyMap<string, RunView>,
    what: { readonly analysis: boolean },
  ) => Promise<void>;
  /** The study's journals are about to change or go. */
  readonly forget: (studyId: string) => void;
};

type Summary = {
  readonly outcomes: StudyOutcomes;
  /** As the journals tell it; its `elapsedMs` is 0. */
  readonly progress: Progress;
};

/** The summaries of a study as its journals were at `marks`. */
type Summing = {
  readonly marks: readonly JournalStamp[];
  readonly summary: Promise<Summary>;
  analysis: Promise<Analysis> | null;
};

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createStudySummaries(options: {
  readonly files: StudyFiles;
  readonly library: BenchmarkLibrary;
  readonly now: () => number;
  readonly appVersion: string;
}): StudySummaries {
  const { files, library, now, appVersion } = options;
  /** In order of use. */
  const known = new Map<string, Summing>();
  const live = new Map<string, { until: number; analysis: Promise<Analysis> }>();
  const outcome = new OutcomeSummary();

  const remember = (studyId: string, summing: Summing): Summing => {
    known.delete(studyId);
    known.set(studyId, summing);
    for (const oldest of known.keys()) {
      if (known.size <= IN_MEMORY) break;
      known.delete(oldest);
    }
    return summing;
  };

  /** Names the benchmarks that are there to tell facts; with another one imported, breakdowns may change. */
  const factsKey = (study: Study): string => {
    const told = study.runs.filter((run) =>
      library.list().some(({ id, digest }) => id === run.benchmarkId && digest === run.benchmarkDigest),
    );
    return [...new Set(told.map((run) => `${run.benchmarkId} ${run.benchmarkDigest}`))].sort().join('\n');
  };

  const factsOf = async (study: Study): Promise<NonNullable<AnalysisInput['facts']>> => {
    const facts = new Map<string, { difficulty: null | 'easy' | 'medium' | 'hard'; date: string | null }>();
    for (const key of factsKey(study).split('\n').filter(Boolean)) {
      const problems = await library.problems(key.slice(0, key.lastIndexOf(' ')));
      if (!problems.ok) continue;
      for (const { id, difficulty, platform, date } of problems.value) {
        facts.set(id, { difficulty, date, ...(platform === undefined ? {} : { platform }) });
      }
    }
    return facts;
  };

  const analyse = async (
    study: Study,
    views: ReadonlyMap<string, RunView>,
    more: Partial<AnalysisInput>,
  ): Promise<Analysis> => {
    const runs = study.runs.flatMap((run) => views.get(run.id) ?? []);
    const complete = runs.length === study.runs.length && runs.every((view) => view.finished);
    const facts = await factsOf(study);
    const input = { studyId: study.id, runs, complete, seed: BOOTSTRAP_SEED, facts, ...more };
    const analysis = await analyseStudyInSteps(input, breathe);
    if (analysis === null) throw new Error('Nobody stops an analysis.');
    return analysis;
  };

  const outcomesOf = (study: Study, { views, troubles }: LoadedStudy): StudyOutcomes => ({
    studyId: study.id,
    runs: study.runs.map((run): RunOutcomes => {
      const view = views.get(run.id) ?? null;
      const warnings = view === null ? [] : warningsOf(new Map([[run.id, view]]));
      return outcome.of(run, view, { warnings, trouble: troubles.get(run.id) ?? null });
    }),
  });

  const summaryOf = (study: Study, reading: LoadedStudy): Summary => ({
    outcomes: outcomesOf(study, reading),
    progress: progressOf(study, reading.views, 0, null),
  });

  /** A journal never shrinks; one that has lost its end at a line's end looks whole. */
  const shrunk = (
    study: Study,
    marks: readonly JournalStamp[],
    before: readonly JournalStamp[],
  ): Map<string, JournalProblem> => {
    const troubles = new Map<string, JournalProblem>();
    for (const { runId, bytes } of before) {
      const left = marks.find((mark) => mark.runId === runId)?.bytes ?? 0;
      if (left >= bytes) continue;
      troubles.set(runId, {
        message: `The journal ${files.journal(study.id, runId)} has lost its end: it has ${left} bytes and had ${bytes}. What is left is shown. Nothing was changed.`,
        hint: 'Restore the file from a backup, or resume the study: what is missing is searched again.',
        repairable: false,
      });
    }
    return troubles;
  };

  const keepSummary = (study: Study, marks: readonly JournalStamp[], summary: Summary): Promise<void> =>
    summaryStore.writeOutcomes(files.folder(study.id), { app: appVersion, marks, study, ...summary });

  const analyseAndKeep = async (
    study: Study,
    marks: readonly JournalStamp[],
    reading: LoadedStudy,
    outcomes: StudyOutcomes,
  ): Promise<Analysis> => {
    const facts = factsKey(study);
    const analysed = await analyse(study, reading.views, {});
    const analysis = {
      ...analysed,
      sentences: [...journalProblemSentences(study.runs, outcomes.runs), ...analysed.sentences],
    };
    if (!reading.opened) return analysis;
    await summaryStore.writeAnalysis(files.folder(study.id), { app: appVersion, marks, facts, analysis });
    return analysis;
  };

  /** Reads the journals, for outcomes at once and for the table in the same go: reading is most of the work. */
  const sumUp = (study: Study, marks: readonly JournalStamp[], before: readonly JournalStamp[]): Summing => {
    const reading = loadStudy(study, files).then(({ views, troubles, opened }) => ({
      views,
      opened,
      troubles: new Map([...shrunk(study, marks, before), ...troubles]),
    }));
    const summary = reading.then(async (read) => {
      const made = summaryOf(study, read);
      if (read.opened) await keepSummary(study, marks, made);
      else known.delete(study.id);
      return made;
    });
    const analysis = Promise.all([reading, summary]).then(([read, { outcomes }]) =>
      analyseAndKeep(study, marks, read, outcomes),
    );
    // Whoever asks hears of a failure; that nobody asked for the table is no failure.
    analysis.catch(() => undefined);
    return { marks, summary, analysis };
  };

  /** What is known of the journals as they are now: from memory, else kept, else from the journals themselves. */
  const summed = async (study: Study): Promise<Summing> => {
    const marks = await journalStamps(study, files.journal);
    const before = known.get(study.id);
    if (before !== undefined && sameStamps(before.marks, marks)) return remember(study.id, before);
    const kept = await summaryStore.readOutcomes(files.folder(study.id));
    const meanwhile = known.get(study.id); // another asker may have begun
    if (meanwhile !== undefined && sameStamps(meanwhile.marks, marks)) return meanwhile;
    if (kept?.app === appVersion && sameStamps(kept.marks, marks)) {
      return remember(study.id, { marks, summary: Promise.resolve(kept), analysis: null });
    }
    return remember(study.id, sumUp(study, marks, kept?.marks ?? []));
  };

  const tableOf = async (study: Study, summing: Summing): Promise<Analysis> => {
    const kept = await summaryStore.readAnalysis(files.folder(study.id));
    if (kept?.app === appVersion && sameStamps(kept.marks, summing.marks) && kept.facts === factsKey(study)) {
      return kept.analysis;
    }
    const [reading, { outcomes }] = await Promise.all([loadStudy(study, files), summing.summary]);
    return analyseAndKeep(study, summing.marks, reading, outcomes);
  };

  return {
    outcomes: async (study) => (await summed(study)).summary,
    analysis: async (study) => {
      const summing = await summed(study);
      summing.analysis ??= tableOf(study, summing);
      return summing.analysis;
    },
    liveOutcomes: (study, views) => ({
      studyId: study.id,
      runs: study.runs.map((run) =>
        outcome.of(run, views.get(run.id) ?? null, { warnings: [], trouble: null }),
      ),
    }),
    liveAnalysis: (study, views) => {
      const last = live.get(study.id);
      if (last !== undefined && now() < last.until) return last.analysis;
      const begun = now();
      const analysis = analyse(study, views(), { resamples: LIVE_RESAMPLES });
      // Nobody else may begin before this one is done.
      const entry = { until: Number.POSITIVE_INFINITY, analysis };
      live.set(study.id, entry);
      const settle = (): void => {
        entry.until = Math.max(begun + LIVE_PAUSE_MS, now() + (now() - begun) * (1 / LIVE_SHARE - 1));
      };
      void analysis.then(settle, settle);
      return analysis;
    },
    save: async (study, views, { analysis }) => {
      live.delete(study.id);
      // Work that ended before all journals were open leaves nothing to sum up: they are read when somebody asks.
      if (study.runs.some(({ id }) => !views.has(id))) return;
      const marks = await journalStamps(study, files.journal);
      const reading: LoadedStudy = { views, troubles: new Map(), opened: true };
      const made = summaryOf(study, reading);
      const summary = keepSummary(study, marks, made).then(() => made);
      const summing: Summing = { marks, summary, analysis: null };
      if (analysis)
        summing.analysis = summary.then(() => analyseAndKeep(study, marks, reading, made.outcomes));
      remember(study.id, summing);
      await summary;
      await summing.analysis;
    },
    forget: (studyId) => {
      known.delete(studyId);
      live.delete(studyId);
    },
  };
}
