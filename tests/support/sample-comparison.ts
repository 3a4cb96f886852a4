import {
  graderNoiseSteps,
  measureComparedSteps,
  type Prices,
  type ProblemFacts,
  runComparisonSteps,
  type StudyRunView,
} from '../../main/metrics';
import { comparedRuns } from '../../main/studies/logic/compared-runs';
import { journalProblemSentences } from '../../main/studies/logic/run-outcomes';
import type {
  Answer,
  ComparedRuns,
  JournalProblem,
  Regrade,
  RunComparison,
  RunView,
  Study,
} from '../../preload/contract';
import { foldRun } from '../../preload/contract/folds';
import { assignHues } from '../../preload/contract/plans';
import { finished } from './finished';
import { sampleEvents } from './sample-study';

/** The views of all runs of a made-up study that has ended. */
export function endedViews(study: Study): ReadonlyMap<string, RunView> {
  const views = new Map<string, RunView>();
  for (const { runId, event } of sampleEvents(study)) {
    const view = foldRun(views.get(runId) ?? null, [event]);
    if (view !== null) views.set(runId, view);
  }
  return views;
}

/** What main would answer, by its own metrics; of a run without a view nothing is there yet. */
export function sampleComparison(
  order: ComparedRuns,
  known: {
    readonly studies: readonly Study[];
    readonly viewOf: (studyId: string, runId: string) => RunView | null;
    readonly prices: Omit<Prices, 'gpusOf'>;
    readonly regrades?: readonly Regrade[];
    /** Do problems have a day? */
    readonly dated?: boolean;
    readonly cutoffs?: Readonly<Record<string, string>>;
    /** Of journals, by run. */
    readonly problems?: ReadonlyMap<string, JournalProblem>;
  },
): Answer<RunComparison> {
  const runs = comparedRuns(order, known.studies);
  if (!runs.ok) return runs;
  const groups = new Map<string, StudyRunView[]>();
  for (const { study, config } of runs.value) {
    const view = known.viewOf(study.id, config.id);
    if (view === null) continue;
    const { configuration } = config;
    const inStudy = { studyId: study.id, view: { ...view, config: { ...view.config, configuration } } };
    groups.set(configuration, [...(groups.get(configuration) ?? []), inStudy]);
  }
  const prices: Prices = { ...known.prices, gpusOf: () => 1 };
  const configurations = [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [
          finished(
            measureComparedSteps(
              [first, ...more],
              prices,
              finished(
                graderNoiseSteps(
                  [first, ...more].map(({ view }) => view),
                  known.regrades ?? [],
                ),
              ),
            ),
          ),
        ],
  );
  if (configurations.length === 0) {
    return {
      ok: false,
      error: {
        code: 'bad-input',
        message: 'None of these runs has searched anything yet, so there is nothing to compare.',
        hint: 'Start their studies first, or choose other runs.',
      },
    };
  }
  const benchmarks = new Map(
    runs.value.flatMap(({ config }) =>
      config.problemIds.map((problemId) => [problemId, config.benchmarkId] as const),
    ),
  );
  const difficulties = ['easy', 'medium', 'hard'] as const;
  const facts = new Map<string, ProblemFacts>(
    [...benchmarks.keys()].map((key, at) => [
      key,
      {
        difficulty: difficulties[at % 3] ?? null,
        date: known.dated === true ? `2025-0${1 + (at % 4)}-15` : null,
      },
    ]),
  );
  const value = finished(
    runComparisonSteps({
      facts,
      cutoffs: new Map(Object.entries(known.cutoffs ?? {})),
      configurations,
      problems: [...benchmarks].map(([problemId, benchmarkId], at) => ({
        key: problemId,
        problemId,
        benchmarkId,
        title: `Even numbers, ${problemId}`,
        difficulty: difficulties[at % 3] ?? null,
      })),
      missing: [],
      damaged: journalProblemSentences(
        runs.value.map(({ config }) => config),
        runs.value.map(({ config }) => ({
          runId: config.id,
          problem: known.problems?.get(config.id) ?? null,
        })),
        'with hints',
      ),
      priced: true,
      seed: 1,
      resamples: 300,
    }),
  );
  return { ok: true, value: { ...value, hues: assignHues(new Map(), value.configurations) } };
}
