import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type {
  ComparedRuns,
  Diversity,
  DiversityJudge,
  Refusal,
  Regrade,
  RunComparison,
  RunOutcomes,
  RunView,
  ServerSpec,
  Similarity,
  Study,
} from '../../preload/contract/index';
import { distinctHues, withGradings, withLooks } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import {
  BOOTSTRAP_SEED,
  COMPARISON_ID,
  type Prices,
  runComparisonSteps,
  type StudyRunView,
} from '../metrics/index';
import type { Registry } from '../storage/index';
import { comparedProblems } from './compared-problems';
import { hueAssignments } from './hue-assignments';
import { type ComparedRun, colorNames, comparedRuns, renamedView } from './logic/compared-runs';
import { journalProblemSentences } from './logic/run-outcomes';
import { labelled, measureGroups, runStepsUntilStopped } from './measure-groups';
import type { PocketCheckpoints } from './pocket-checkpoints';
import { CANCELLED, type Compute, createSharedComputation, type WaitOptions } from './shared-computation';
import { studyDiversity } from './study-diversity';
import type { StudyResults } from './study-results';

type Measured = Omit<RunComparison, 'hues'>;

/** Recent comparisons stay in memory, for switching between them. */
const MAX_IN_MEMORY = 4;

/**
 * Compares any runs of any studies. Refused where a run does not exist, the journals of its study are missing, or none has
 * searched anything yet.
 */
export type RunComparisons = {
  readonly read: (runs: ComparedRuns, options?: WaitOptions) => Promise<Result<RunComparison, Refusal>>;
  /** As for a study; `progress`: search trees read, and in all. */
  readonly diversity: (
    runs: ComparedRuns,
    how: {
      readonly judge: DiversityJudge;
      readonly similarity: Similarity;
      readonly signal: AbortSignal;
      readonly progress: (done: number, total: number) => void;
    },
  ) => Promise<Result<Diversity, Refusal>>;
  /** The views of all runs in their order, under their labels; runs that have not begun or are missing are left out. */
  readonly viewsOf: (runs: ComparedRuns) => Promise<Result<ReadRuns, Refusal>>;
};

type ReadRuns = {
  readonly views: readonly StudyRunView[];
  /** What is damaged of their journals, a sentence a run. */
  readonly damage: readonly { readonly studyId: string; readonly text: string }[];
};

type ComparisonDeps = {
  readonly registry: Pick<Registry, 'read'>;
  readonly results: Pick<StudyResults, 'loadRun' | 'readable' | 'fingerprint' | 'regrade' | 'journal'>;
  readonly library: Pick<BenchmarkLibrary, 'list' | 'outline' | 'problems'>;
  readonly checkpoints: Pick<PocketCheckpoints, 'ensure'>;
};

export function createRunComparison(deps: ComparisonDeps): RunComparisons {
  const { registry, results, library } = deps;
  const shared = createSharedComputation<Measured>(MAX_IN_MEMORY);
  const hues = hueAssignments(registry);

  const chosenRuns = (runs: ComparedRuns): Result<readonly ComparedRun[], Refusal> =>
    comparedRuns(
      runs,
      registry
        .read()
        .studies.filter(({ removed }) => !removed)
        .map(({ study }) => study),
    );
  const readableRuns = async (runs: ComparedRuns): Promise<Result<readonly ComparedRun[], Refusal>> => {
    const chosen = chosenRuns(runs);
    if (!chosen.ok) return chosen;
    for (const { id } of studiesOf(chosen.value)) {
      const study = await results.readable(id);
      if (!study.ok) return study;
    }
    return chosen;
  };

  const compare = async (
    runs: readonly ComparedRun[],
    ...[stop, report]: Parameters<Compute<Measured>>
  ): Promise<Result<Measured, Refusal>> => {
    let read = 0;
    const readAnother = (): void => {
      read += 1;
      report({ activity: 'reading runs', done: read, total: runs.length, unit: 'runs' });
    };
    const { name, problems, facts } = await comparedProblems(runs, library);
    const regrades: Regrade[] = [];
    const cautions: string[] = [];
    for (const study of studiesOf(runs)) {
      const regrade = await results.regrade(study);
      if (!regrade.ok) cautions.push(lostNoise(study.name));
      else if (regrade.value !== null) regrades.push(regrade.value);
    }
    const measured = await measureGroups(runs, {
      results,
      regrades,
      name,
      costs: pricesOf(registry),
      stop,
      readAnother,
    });
    if (measured === null) return failed(CANCELLED);
    const { configurations, missing, unfinished } = measured;
    if (configurations.length === 0) {
      const [damaged] = measured.problems;
      if (damaged !== undefined) {
        const { message, hint } = damaged.problem;
        return failed({ code: 'conflict', message, hint });
      }
      return failed({
        code: 'bad-input',
        message: 'None of these runs has searched anything yet, so there is nothing to compare.',
        hint: 'Start their studies first, or choose other runs.',
      });
    }
    const progress = (done: number, total: number): void =>
      report({ activity: 'computing differences and intervals', done, total, unit: 'steps' });
    const compared = await runStepsUntilStopped(
      runComparisonSteps({
        ...{ configurations, problems, missing, unfinished, facts, progress },
        damaged: journalProblemSentences(
          runs.map(({ config }) => config),
          measured.problems,
          'with hints',
        ),
        ...{ priced: true, seed: BOOTSTRAP_SEED },
        cutoffs: new Map(Object.entries(registry.read().settings.modelCutoffs)),
      }),
      stop,
    );
    if (compared === null) return failed(CANCELLED);
    const studies = studiesOf(runs);
    const analysis = withGradings(withLooks(compared.value.analysis, studies), studies);
    return ok({ ...compared.value, analysis, cautions: [...cautions, ...compared.value.cautions] });
  };

  return {
    read: async (request, options) => {
      const runs = await readableRuns(request);
      if (!runs.ok) return runs;
      const measured = await shared.get(
        await keyOf(runs.value, deps),
        (stop, report) => compare(runs.value, stop, report),
        options,
      );
      if (!measured.ok) return measured;
      const { configurations } = measured.value;
      const labels = new Set(configurations);
      const searched = runs.value.filter(({ config }) => labels.has(config.configuration));
      // Not cached with the rest: a study that is added changes no number, but perhaps a colour.
      return ok({ ...measured.value, hues: distinctHues(hues.of(colorNames(searched))) });
    },
    diversity: async (request, how) => {
      const runs = await readableRuns(request);
      return runs.ok ? comparedDiversity(deps, runs.value, how) : runs;
    },
    viewsOf: async (request) => {
      const runs = chosenRuns(request);
      return runs.ok ? ok(await readRuns(results, runs.value)) : runs;
    },
  };
}

async function readRuns(results: ComparisonDeps['results'], runs: readonly ComparedRun[]): Promise<ReadRuns> {
  const views: StudyRunView[] = [];
  const damage: ReadRuns['damage'][number][] = [];
  for (const run of runs) {
    const { config, study } = run;
    const { placed, problem } = await labelled(results, run);
    if (placed !== null) views.push(placed);
    for (const sentence of journalProblemSentences(study.runs, [{ runId: config.id, problem }], 'with hints'))
      damage.push({ studyId: study.id, text: `"${study.name}": ${sentence}` });
    await yieldToEventLoop();
  }
  return { views, damage };
}

async function comparedDiversity(
  { results, library, checkpoints }: ComparisonDeps,
  runs: readonly ComparedRun[],
  how: Parameters<RunComparisons['diversity']>[1],
): ReturnType<RunComparisons['diversity']> {
  const { name, problems: compared } = await comparedProblems(runs, library);
  const ownIds = new Map(compared.map(({ key, problemId }) => [key, problemId]));
  const views = new Map<string, RunView>();
  const problems: Pick<RunOutcomes, 'runId' | 'problem'>[] = [];
  for (const run of runs) {
    const { placed, problem } = await labelled(results, run);
    problems.push({ runId: run.config.id, problem });
    if (placed !== null) views.set(run.config.id, renamedView(placed.view, name));
  }
  return studyDiversity({
    study: {
      id: COMPARISON_ID,
      runs: runs.map(({ config }) => ({
        ...config,
        problemIds: config.problemIds.map((id) => name(config, id)),
      })),
    },
    views,
    treeEvents: async (runId, key, part) => {
      const journal = await results.journal(runId);
      const problemId = ownIds.get(key) ?? key;
      return journal.ok && journal.value !== null ? journal.value.treeEvents(problemId, part) : [];
    },
    library,
    checkpoints,
    damage: journalProblemSentences(
      runs.map(({ config }) => config),
      problems,
      'with hints',
    ),
    ...how,
  });
}

function pricesOf(registry: Pick<Registry, 'read'>): Prices {
  const { settings, launches } = registry.read();
  return {
    ...settings.prices,
    gpusOf: (server: ServerSpec) => {
      if (server.kind !== 'launch') return 0;
      const launch = launches.find(({ id }) => id === server.launchId);
      return launch === undefined ? null : launch.gpus * launch.replicas;
    },
  };
}

/** No path: a table that says it may leave the lab. */
function lostNoise(study: string): string {
  return `The result of the last regrade of "${study}" (its regrade.json) is damaged, so the grader's noise is left out. Grade the study again.`;
}

/** null: one of the studies is running, so the comparison is computed every time. */
async function keyOf(
  runs: readonly ComparedRun[],
  { registry, results, library }: ComparisonDeps,
): Promise<string | null> {
  const prints: string[] = [];
  for (const study of studiesOf(runs)) {
    const print = await results.fingerprint(study);
    if (print === null) return null;
    prints.push(print);
  }
  const { settings, launches } = registry.read();
  const labels = runs.map(({ config }) => [config.id, config.configuration]);
  const benchmarks = library.list().map(({ id, digest }) => [id, digest]);
  return JSON.stringify([labels, prints, settings.prices, settings.modelCutoffs, launches, benchmarks]);
}

function studiesOf(runs: readonly ComparedRun[]): readonly Study[] {
  return [...new Map(runs.map(({ study }) => [study.id, study])).values()];
}
