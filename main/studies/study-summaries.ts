import type {
  Analysis,
  Progress,
  RunOutcomes,
  RunView,
  Study,
  StudyOutcomes,
} from '../../preload/contract/index';
import { withGradings, withLooks } from '../../preload/contract/index';
import { RecentMap } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import { type AnalysisInput, analyseStudyInSteps, BOOTSTRAP_SEED, LIVE_RESAMPLES } from '../metrics/index';
import { type LoadedStudy, loadStudy } from './load-study';
import { lostEnds, withDamage } from './logic/journal-damage';
import { progressOf } from './logic/progress';
import { journalProblemSentences, OutcomeSummary } from './logic/run-outcomes';
import { warningsOf } from './logic/warnings';
import type { StudyFiles } from './study-files';
import { type JournalStamp, journalStamps, sameStamps } from './summary-store';
import { createTimeSlices } from './time-slices';

/** Summaries of recent studies stay in memory, for switching between them. */
const MAX_IN_MEMORY = 8;
/** Limits how often a running study is analysed, and which share of the time the work of that may take. */
const LIVE_PAUSE_MS = 900;
const LIVE_SHARE = 0.25;

type Summary = {
  readonly outcomes: StudyOutcomes;
  /** From the journals; its `elapsedMs` is 0. */
  readonly progress: Progress;
};

/** The summaries of a study as its journals were at `stamps`. */
type Entry = {
  readonly stamps: readonly JournalStamp[];
  /** See `planOf`: a summary of work that has just ended may be made after its study was extended. */
  readonly plan: string;
  readonly summary: Promise<Summary>;
  analysis: Promise<Analysis> | null;
};

/** What lists and tables say of studies: kept in memory and beside their journals, made again when these change. */
export class StudySummaries {
  readonly #files: StudyFiles;
  readonly #library: BenchmarkLibrary;
  readonly #now: () => number;
  readonly #appVersion: string;
  readonly #recent = new RecentMap<string, Entry>(MAX_IN_MEMORY);
  readonly #live = new Map<string, { until: number; analysis: Promise<Analysis> }>();
  readonly #outcome = new OutcomeSummary();

  constructor(options: {
    readonly files: StudyFiles;
    readonly library: BenchmarkLibrary;
    readonly now: () => number;
    readonly appVersion: string;
  }) {
    this.#files = options.files;
    this.#library = options.library;
    this.#now = options.now;
    this.#appVersion = options.appVersion;
  }

  async outcomes(study: Study): Promise<Summary> {
    return (await this.#entryOf(study)).summary;
  }

  async analysis(study: Study): Promise<Analysis> {
    const entry = await this.#entryOf(study);
    entry.analysis ??= this.#tableOf(study, entry);
    return entry.analysis;
  }

  /** The same of a study that runs, from its views. */
  liveOutcomes(study: Study, views: ReadonlyMap<string, RunView>): StudyOutcomes {
    return {
      studyId: study.id,
      runs: study.runs.map((run) =>
        this.#outcome.of(run, views.get(run.id) ?? null, { warnings: [], problem: null }),
      ),
    };
  }

  /** The next `liveAnalysis` is a new one; else it is the last one. */
  liveAnalysisIsDue(studyId: string): boolean {
    const last = this.#live.get(studyId);
    return last === undefined || this.#now() >= last.until;
  }

  liveAnalysis(study: Study, views: () => ReadonlyMap<string, RunView>): Promise<Analysis> {
    const last = this.#live.get(study.id);
    if (last !== undefined && !this.liveAnalysisIsDue(study.id)) return last.analysis;
    const startedMs = this.#now();
    let workedMs = 0;
    const analysis = this.#analyse(study, views(), { resamples: LIVE_RESAMPLES }, (ms) => {
      workedMs = ms;
    });
    // The next one begins only after this one is done.
    const entry = { until: Number.POSITIVE_INFINITY, analysis };
    this.#live.set(study.id, entry);
    // The time that the search took meanwhile does not count: the busier it is, the longer the table would stand still.
    const scheduleNext = (): void => {
      entry.until = Math.max(startedMs + LIVE_PAUSE_MS, this.#now() + workedMs * (1 / LIVE_SHARE - 1));
    };
    void analysis.then(scheduleNext, scheduleNext);
    return analysis;
  }

  /**
   * Saves the summaries of work that has ended next to its journals. Without `analysis` (the app is closing) the table is
   * computed when it is next requested.
   */
  async save(
    study: Study,
    views: ReadonlyMap<string, RunView>,
    { analysis }: { readonly analysis: boolean },
  ): Promise<void> {
    this.#live.delete(study.id);
    // The work ended before all journals were open: they are read when a summary is requested.
    if (study.runs.some(({ id }) => !views.has(id))) return;
    const stamps = await journalStamps(study, this.#files.journal);
    const loaded: LoadedStudy = { views, problems: new Map(), opened: true };
    const made = this.#summaryOf(study, loaded);
    const summary = this.#saveSummary(study, stamps, made).then(() => made);
    const entry: Entry = { stamps, plan: planOf(study), summary, analysis: null };
    if (analysis)
      entry.analysis = summary.then(() => this.#analyseAndSave(study, stamps, loaded, made.outcomes));
    this.#recent.set(study.id, entry);
    await summary;
    await entry.analysis;
  }

  /** The study's journals are about to change or go. */
  forget(studyId: string): void {
    this.#recent.delete(studyId);
    this.#live.delete(studyId);
  }

  /** Identifies the available benchmarks: when one is imported, breakdowns may change. */
  #factsKey(study: Study): string {
    const available = study.runs.filter((run) =>
      this.#library.list().some(({ id, digest }) => id === run.benchmarkId && digest === run.benchmarkDigest),
    );
    return [...new Set(available.map((run) => `${run.benchmarkId} ${run.benchmarkDigest}`))]
      .sort()
      .join('\n');
  }

  /** Of a stored analysis; extensions that have not gone on yet, and re-grades, change no journal. */
  #analysisKey(study: Study): string {
    return [
      this.#factsKey(study),
      ...(study.extensions ?? []).map(({ at }) => `extended ${at}`),
      ...(study.regrades ?? []).map(({ id, at }) => `${id} ${at}`),
      ...(study.countedRegrade === undefined ? [] : [`counts ${study.countedRegrade}`]),
    ].join('\n');
  }

  async #factsOf(study: Study): Promise<NonNullable<AnalysisInput['facts']>> {
    const facts = new Map<string, { difficulty: null | 'easy' | 'medium' | 'hard'; date: string | null }>();
    for (const key of this.#factsKey(study).split('\n').filter(Boolean)) {
      const problems = await this.#library.problems(key.slice(0, key.lastIndexOf(' ')));
      if (!problems.ok) continue;
      for (const { id, difficulty, platform, date } of problems.value) {
        facts.set(id, { difficulty, date, ...(platform === undefined ? {} : { platform }) });
      }
    }
    return facts;
  }

  async #analyse(
    study: Study,
    views: ReadonlyMap<string, RunView>,
    more: Partial<AnalysisInput>,
    onWorked: (workedMs: number) => void = () => undefined,
  ): Promise<Analysis> {
    const runs = study.runs.flatMap((run) => views.get(run.id) ?? []);
    const complete = runs.length === study.runs.length && runs.every((view) => view.finished);
    const facts = await this.#factsOf(study);
    const input = { studyId: study.id, runs, complete, seed: BOOTSTRAP_SEED, facts, ...more };
    const turns = createTimeSlices(this.#now);
    const analysis = await analyseStudyInSteps(input, turns.yieldControl);
    onWorked(turns.workedMs());
    return withGradings(withLooks(analysis, [study]), [study]);
  }

  #outcomesOf(study: Study, { views, problems }: LoadedStudy): StudyOutcomes {
    const runs = study.runs.map((run): RunOutcomes => {
      const view = views.get(run.id) ?? null;
      const warnings = view === null ? [] : warningsOf(new Map([[run.id, view]]));
      return this.#outcome.of(run, view, { warnings, problem: problems.get(run.id) ?? null });
    });
    return { studyId: study.id, runs };
  }

  #summaryOf(study: Study, loaded: LoadedStudy): Summary {
    return {
      outcomes: this.#outcomesOf(study, loaded),
      progress: progressOf(study, loaded.views, 0, null, this.#library.recordings()),
    };
  }

  #saveSummary(study: Study, stamps: readonly JournalStamp[], summary: Summary): Promise<void> {
    return this.#files.summaries.writeOutcomes(this.#files.folder(study.id), {
      app: this.#appVersion,
      marks: stamps,
      study,
      ...summary,
    });
  }

  async #analyseAndSave(
    study: Study,
    stamps: readonly JournalStamp[],
    loaded: LoadedStudy,
    outcomes: StudyOutcomes,
  ): Promise<Analysis> {
    const facts = this.#analysisKey(study);
    const analysed = await this.#analyse(study, loaded.views, {});
    const analysis = withDamage(analysed, journalProblemSentences(study.runs, outcomes.runs));
    if (!loaded.opened) return analysis;
    await this.#files.summaries.writeAnalysis(this.#files.folder(study.id), {
      app: this.#appVersion,
      marks: stamps,
      facts,
      analysis,
    });
    return analysis;
  }

  /** Reads the journals once for both outcomes and table: reading is most of the work. */
  #summarise(study: Study, stamps: readonly JournalStamp[], before: readonly JournalStamp[]): Entry {
    const loaded = loadStudy(study, this.#files).then(({ views, problems, opened }) => ({
      views,
      opened,
      problems: new Map([
        ...lostEnds(stamps, before, (runId) => this.#files.journal(study.id, runId)),
        ...problems,
      ]),
    }));
    const summary = loaded.then(async (read) => {
      const made = this.#summaryOf(study, read);
      if (read.opened) await this.#saveSummary(study, stamps, made);
      else this.#recent.delete(study.id);
      return made;
    });
    const analysis = Promise.all([loaded, summary]).then(([read, { outcomes }]) =>
      this.#analyseAndSave(study, stamps, read, outcomes),
    );
    // Callers get the failure; without callers it is no unhandled rejection.
    analysis.catch(() => undefined);
    return { stamps, plan: planOf(study), summary, analysis };
  }

  /** From memory, else from the stored files, else from the journals. */
  async #entryOf(study: Study): Promise<Entry> {
    const stamps = await journalStamps(study, this.#files.journal);
    const plan = planOf(study);
    const recent = (): Entry | null => {
      const entry = this.#recent.get(study.id);
      return entry !== undefined && entry.plan === plan && sameStamps(entry.stamps, stamps) ? entry : null;
    };
    const before = recent();
    if (before !== null) return before;
    const stored = await this.#files.summaries.readOutcomes(this.#files.folder(study.id));
    const meanwhile = recent(); // another caller may have begun
    if (meanwhile !== null) return meanwhile;
    // An extension that has not gone on yet, and another grading that counts, have changed no journal.
    const isCurrent =
      stored?.app === this.#appVersion && sameStamps(stored.marks, stamps) && planOf(stored.study) === plan;
    const entry = isCurrent
      ? { stamps, plan, summary: Promise.resolve(stored), analysis: null }
      : this.#summarise(study, stamps, stored?.marks ?? []);
    this.#recent.set(study.id, entry);
    return entry;
  }

  async #tableOf(study: Study, entry: Entry): Promise<Analysis> {
    const stored = await this.#files.summaries.readAnalysis(this.#files.folder(study.id));
    if (
      stored?.app === this.#appVersion &&
      sameStamps(stored.marks, entry.stamps) &&
      stored.facts === this.#analysisKey(study)
    ) {
      return stored.analysis;
    }
    const [loaded, { outcomes }] = await Promise.all([loadStudy(study, this.#files), entry.summary]);
    return this.#analyseAndSave(study, entry.stamps, loaded, outcomes);
  }
}

/** What changes of a study without a change of its journals. */
function planOf({ extensions = [], countedRegrade = '' }: Study): string {
  return `${extensions.length} ${countedRegrade}`;
}
