import {
  type ComparedRuns,
  type CountedConfig,
  countedConfig,
  type PrivateTests,
  type Refusal,
  type RunConfig,
  type RunView,
  type Study,
  type TreeView,
  treeKey,
} from '../../../preload/contract/index';
import { sharedNames } from '../../../preload/contract/plans/index';
import { failed, ok, type Result } from '../../base/index';

/** One run of a comparison; `config.configuration` is the label that it is pooled under. */
export type ComparedRun = {
  readonly study: Study;
  readonly config: CountedConfig;
  /** Its configuration's name in its study. */
  readonly originalName: string;
};

/**
 * The runs under their labels: the requested ones, else the names of their configurations, with the study's name where two
 * studies use the same name. A run that is listed twice counts once. Refused where a run does not exist.
 */
export function comparedRuns(
  chosen: ComparedRuns,
  studies: readonly Study[],
): Result<readonly ComparedRun[], Refusal> {
  const runs = new Map(
    studies.flatMap((study) => study.runs.map((config) => [config.id, { study, config }] as const)),
  );
  const chosenRuns = new Map<string, ComparedRun & { readonly label: string | undefined }>();
  for (const { runId, label } of chosen) {
    const run = runs.get(runId);
    if (run === undefined) {
      return failed({
        code: 'not-found',
        message: `There is no study or run ${runId}.`,
        hint: 'Those that there are: mars2 studies list, or Studies in the window. A removed one is in the trash.',
      });
    }
    const originalName = run.config.configuration;
    const config = countedConfig(run.study, run.config);
    if (!chosenRuns.has(runId)) chosenRuns.set(runId, { ...run, config, originalName, label });
  }
  const nameOf = defaultNames([...chosenRuns.values()].filter(({ label }) => label === undefined));
  return ok(
    [...chosenRuns.values()].map(({ study, config, originalName, label }) => ({
      study,
      originalName,
      config: { ...config, configuration: label ?? nameOf(study, config) },
    })),
  );
}

function defaultNames(runs: readonly ComparedRun[]): (study: Study, config: RunConfig) => string {
  const studiesOf = new Map<string, Map<string, string>>();
  for (const { study, config } of runs) {
    const own = studiesOf.get(config.configuration) ?? new Map<string, string>();
    studiesOf.set(config.configuration, own.set(study.id, study.name));
  }
  return (study, { configuration }) => {
    const own = studiesOf.get(configuration) ?? new Map<string, string>();
    if (own.size < 2) return configuration;
    const isAmbiguous = sharedNames(own.values()).has(study.name);
    return `${configuration} (${study.name}${isAmbiguous ? `, ${study.id}` : ''})`;
  };
}

/**
 * For each label of a comparison, in their order, the configuration whose colour it has. Of two labels for one
 * configuration the first has its colour, the second one of its own.
 */
export function colorNames(runs: readonly ComparedRun[]): string[] {
  const labels = new Map<string, string>();
  for (const { config, originalName } of runs) {
    if (labels.has(config.configuration)) continue;
    const isTaken = [...labels.values()].includes(originalName);
    labels.set(config.configuration, isTaken ? config.configuration : originalName);
  }
  return [...labels.values()];
}

/** Equal for equal problems: title, platform, day and size. */
export type ProblemFingerprint = string;

export type NamedBenchmark = {
  readonly id: string;
  readonly digest: string;
  /** By problem id; null: not known, as the benchmark is not in the library any more, or the tests of a re-grade. */
  readonly fingerprints: ReadonlyMap<string, ProblemFingerprint> | null;
};

/** The name of a run's problem, unique among all compared problems. */
export type NameProblem = (
  run: Pick<CountedConfig, 'benchmarkId' | 'benchmarkDigest' | 'tests'>,
  problemId: string,
) => string;

/** The benchmark by whose tests a run's private verdicts count. */
export function gradedBy({ benchmarkId, benchmarkDigest, tests }: Parameters<NameProblem>[0]): PrivateTests {
  return tests ?? { id: benchmarkId, digest: benchmarkDigest };
}

/**
 * Two benchmarks may use one id for different problems, or share problems under one id. A problem keeps its id unless an
 * earlier benchmark has another problem of that id; then its benchmark's name and digest are appended, so that the two are
 * not paired. So are verdicts by other tests of a re-grade not paired with those by the benchmark's own.
 */
export function problemNames(benchmarks: readonly NamedBenchmark[]): NameProblem {
  const [first] = benchmarks;
  if (benchmarks.length < 2 || first === undefined) return (_run, problemId) => problemId;
  const seen: NamedBenchmark[] = [];
  const names = new Map<string, (problemId: string) => string>();
  for (const benchmark of benchmarks) {
    const before = [...seen];
    names.set(keyOf(benchmark), (problemId) => {
      const fingerprint = benchmark.fingerprints?.get(problemId);
      const other = before.find(({ fingerprints }) => fingerprints === null || fingerprints.has(problemId));
      if (
        other === undefined ||
        (fingerprint !== undefined && other.fingerprints?.get(problemId) === fingerprint)
      )
        return problemId;
      return `${problemId} (${benchmark.id}, ${benchmark.digest.slice(0, 8)})`;
    });
    seen.push(benchmark);
  }
  return (run, problemId) => names.get(keyOf(gradedBy(run)))?.(problemId) ?? problemId;
}

export function keyOf({ id, digest }: PrivateTests): string {
  return JSON.stringify([id, digest]);
}

/** The view with its problems renamed; the same view where all keep their names. */
export function renamedView(view: RunView, name: NameProblem): RunView {
  const nameOf = (id: string): string => name(view.config, id);
  if (view.config.problemIds.every((id) => nameOf(id) === id)) return view;
  const trees = new Map<string, TreeView>();
  for (const tree of view.trees.values()) {
    const problemId = nameOf(tree.problemId);
    trees.set(treeKey(problemId, tree.part), { ...tree, problemId });
  }
  return { ...view, config: { ...view.config, problemIds: view.config.problemIds.map(nameOf) }, trees };
}
