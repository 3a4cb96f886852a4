import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type {
  Analysis,
  JournalProblem,
  Progress,
  RunOutcomes,
  RunView,
  Study,
  StudyOutcomes,
} from '../../preload/contract/index';
import { withGradings, withLooks } from '../../preload/contract/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import { type AnalysisInput, analyseStudyInSteps, BOOTSTRAP_SEED, LIVE_RESAMPLES } from '../metrics/index';
import { type LoadedStudy, loadStudy } from './load-study';
import { progressOf } from './logic/progress';
import { journalProblemSentences, OutcomeSummary } from './logic/run-outcomes';
import { warningsOf } from './logic/warnings';
import { RecentMap } from './recent-map';
import type { StudyFiles } from './study-files';
import { type JournalStamp, journalStamps, sameStamps, summaryStore } from './summary-store';

/** Summaries of recent studies stay in memory, for switching between them. */
const MAX_IN_MEMORY = 8;
/** Limits how often a running study is analysed, and which share of the time that may take. */
const LIVE_PAUSE_MS = 900;
const LIVE_SHARE = 0.25;

export type StudySummaries = {
  readonly outcomes: (study: Study) => Promise<Summary>;
  readonly analysis: (study: Study) => Promise<Analysis>;
  /** The same of a study that runs, from its views. */
  readonly liveOutcomes: (study: Study, views: ReadonlyMap<string, RunView>) => StudyOutcomes;
  readonly liveAnalysis: (study: Study, views: () => ReadonlyMap<string, RunView>) => Promise<Analysis>;
  /**
   * Saves the summaries of work that has ended next to its journals. Without `analysis` (the app is closing) the table is
   * computed when it is next requested.
   */
  readonly save: (
    study: Study,
    views: ReadonlyMap<string, RunView>,
    parts: { readonly analysis: boolean },
  ) => Promise<void>;
  /** The study's journals are about to change or go. */
  readonly forget: (studyId: string) => void;
};

type Summary = {
  readonly outcomes: StudyOutcomes;
  /** From the journals; its `elapsedMs` is 0. */
  readonly progress: Progress;
};

/** The summaries of a study as its journals were at `stamps`. */
type Entry = {
  readonly stamps: readonly JournalStamp[];
  readonly summary: Promise<Summary>;
  analysis: Promise<Analysis> | null;
};

export function createStudySummaries(options: {
  readonly files: StudyFiles;
  readonly library: BenchmarkLibrary;
  readonly now: () => number;
  readonly appVersion: string;
}): StudySummaries {
  const { files, library, now, appVersion } = options;
  const recent = new RecentMap<string, Entry>(MAX_IN_MEMORY);
  const live = new Map<string, { until: number; analysis: Promise<Analysis> }>();
  const outcome = new OutcomeSummary();

  /** Identifies the available benchmarks: when one is imported, breakdowns may change. */
  const factsKey = (study: Study): string => {
    const available = study.runs.filter((run) =>
      library.list().some(({ id, digest }) => id === run.benchmarkId && digest === run.benchmarkDigest),
    );
    return [...new Set(available.map((run) => `${run.benchmarkId} ${run.benchmarkDigest}`))]
      .sort()
      .join('\n');
  };
  /** Of a stored analysis; extensions that have not gone on yet, and re-grades, change no journal. */
  const analysisKey = (study: Study): string =>
    [
      factsKey(study),
      ...(study.extensions ?? []).map(({ at }) => `extended ${at}`),
      ...(study.regrades ?? []).map(({ id, at }) => `${id} ${at}`),
      ...(study.countedRegrade === undefined ? [] : [`counts ${study.countedRegrade}`]),
    ].join('\n');

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
    const analysis = await analyseStudyInSteps(input, yieldToEventLoop);
    if (analysis === null) throw new Error('An analysis without a stop signal was stopped');
    return withGradings(withLooks(analysis, [study]), [study]);
  };

  const outcomesOf = (study: Study, { views, problems }: LoadedStudy): StudyOutcomes => ({
    studyId: study.id,
    runs: study.runs.map((run): RunOutcomes => {
      const view = views.get(run.id) ?? null;
      const warnings = view === null ? [] : warningsOf(new Map([[run.id, view]]));
      return outcome.of(run, view, { warnings, trouble: problems.get(run.id) ?? null });
    }),
  });

  const summaryOf = (study: Study, loaded: LoadedStudy): Summary => ({
    outcomes: outcomesOf(study, loaded),
    progress: progressOf(study, loaded.views, 0, null, library.recordings()),
  });

  /** Journals never shrink. One that lost its end at a line break looks whole, so its size is compared. */
  const shrunk = (
    study: Study,
    stamps: readonly JournalStamp[],
    before: readonly JournalStamp[],
  ): Map<string, JournalProblem> => {
    const problems = new Map<string, JournalProblem>();
    for (const { runId, bytes } of before) {
      const left = stamps.find((stamp) => stamp.runId === runId)?.bytes ?? 0;
      if (left >= bytes) continue;
      problems.set(runId, {
        message: `The journal ${files.journal(study.id, runId)} has lost its end: it has ${left} bytes and had ${bytes}. What is left is shown. No file was changed.`,
        hint: 'Restore the file from a backup, or resume the study to search the missing part again.',
        repairable: false,
      });
    }
    return problems;
  };

  const saveSummary = (study: Study, stamps: readonly JournalStamp[], summary: Summary): Promise<void> =>
    summaryStore.writeOutcomes(files.folder(study.id), { app: appVersion, marks: stamps, study, ...summary });

  const analyseAndSave = async (
    study: Study,
    stamps: readonly JournalStamp[],
    loaded: LoadedStudy,
    outcomes: StudyOutcomes,
  ): Promise<Analysis> => {
    const facts = analysisKey(study);
    const analysed = await analyse(study, loaded.views, {});
    const damage = journalProblemSentences(study.runs, outcomes.runs);
    const analysis = {
      ...analysed,
      sentences: [...damage, ...analysed.sentences],
      chips: [
        ...damage.map((text) => ({ kind: 'limit' as const, text: text.split('. ')[0] ?? text })),
        ...(analysed.chips ?? []),
      ],
      ...(analysed.secondMain === undefined ? {} : { secondMain: damage.length + analysed.secondMain }),
    };
    if (!loaded.opened) return analysis;
    await summaryStore.writeAnalysis(files.folder(study.id), {
      app: appVersion,
      marks: stamps,
      facts,
      analysis,
    });
    return analysis;
  };

  /** Reads the journals once for both outcomes and table: reading is most of the work. */
  const summarise = (
    study: Study,
    stamps: readonly JournalStamp[],
    before: readonly JournalStamp[],
  ): Entry => {
    const loaded = loadStudy(study, files).then(({ views, problems, opened }) => ({
      views,
      opened,
      problems: new Map([...shrunk(study, stamps, before), ...problems]),
    }));
    const summary = loaded.then(async (read) => {
      const made = summaryOf(study, read);
      if (read.opened) await saveSummary(study, stamps, made);
      else recent.delete(study.id);
      return made;
    });
    const analysis = Promise.all([loaded, summary]).then(([read, { outcomes }]) =>
      analyseAndSave(study, stamps, read, outcomes),
    );
    // Callers get the failure; without callers it is no unhandled rejection.
    analysis.catch(() => undefined);
    return { stamps, summary, analysis };
  };

  /** From memory, else from the stored files, else from the journals. */
  const entryOf = async (study: Study): Promise<Entry> => {
    const stamps = await journalStamps(study, files.journal);
    const before = recent.get(study.id);
    if (before !== undefined && sameStamps(before.stamps, stamps)) return before;
    const stored = await summaryStore.readOutcomes(files.folder(study.id));
    const meanwhile = recent.get(study.id); // another caller may have begun
    if (meanwhile !== undefined && sameStamps(meanwhile.stamps, stamps)) return meanwhile;
    // An extension that has not gone on yet, and another grading that counts, have changed no journal.
    const isCurrent =
      stored?.app === appVersion &&
      sameStamps(stored.marks, stamps) &&
      extensionsOf(stored.study) === extensionsOf(study) &&
      stored.study.countedRegrade === study.countedRegrade;
    const entry = isCurrent
      ? { stamps, summary: Promise.resolve(stored), analysis: null }
      : summarise(study, stamps, stored?.marks ?? []);
    recent.set(study.id, entry);
    return entry;
  };

  const tableOf = async (study: Study, entry: Entry): Promise<Analysis> => {
    const stored = await summaryStore.readAnalysis(files.folder(study.id));
    if (
      stored?.app === appVersion &&
      sameStamps(stored.marks, entry.stamps) &&
      stored.facts === analysisKey(study)
    ) {
      return stored.analysis;
    }
    const [loaded, { outcomes }] = await Promise.all([loadStudy(study, files), entry.summary]);
    return analyseAndSave(study, entry.stamps, loaded, outcomes);
  };

  return {
    outcomes: async (study) => (await entryOf(study)).summary,
    analysis: async (study) => {
      const entry = await entryOf(study);
      entry.analysis ??= tableOf(study, entry);
      return entry.analysis;
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
      // The next one begins only after this one is done.
      const entry = { until: Number.POSITIVE_INFINITY, analysis };
      live.set(study.id, entry);
      const scheduleNext = (): void => {
        entry.until = Math.max(begun + LIVE_PAUSE_MS, now() + (now() - begun) * (1 / LIVE_SHARE - 1));
      };
      void analysis.then(scheduleNext, scheduleNext);
      return analysis;
    },
    save: async (study, views, { analysis }) => {
      live.delete(study.id);
      // The work ended before all journals were open: they are read when a summary is requested.
      if (study.runs.some(({ id }) => !views.has(id))) return;
      const stamps = await journalStamps(study, files.journal);
      const loaded: LoadedStudy = { views, problems: new Map(), opened: true };
      const made = summaryOf(study, loaded);
      const summary = saveSummary(study, stamps, made).then(() => made);
      const entry: Entry = { stamps, summary, analysis: null };
      if (analysis) entry.analysis = summary.then(() => analyseAndSave(study, stamps, loaded, made.outcomes));
      recent.set(study.id, entry);
      await summary;
      await entry.analysis;
    },
    forget: (studyId) => {
      recent.delete(studyId);
      live.delete(studyId);
    },
  };
}

function extensionsOf({ extensions = [] }: Study): number {
  return extensions.length;
}
