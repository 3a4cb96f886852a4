import type {
  Benchmark,
  Cluster,
  MachineView,
  Problem,
  RunConfig,
  ServerLaunch,
  TrainingMethod,
  TrainingSpec,
  TrainingView,
} from '../../../../preload/contract';

/** A run of any study. */
export type KnownRun = {
  readonly studyId: string;
  readonly config: RunConfig;
  /** All its trees are done and graded. */
  readonly finished: boolean;
};

export type KnownBenchmark = {
  readonly benchmark: Benchmark;
  /** In its order. */
  readonly problems: readonly Pick<Problem, 'id' | 'date'>[];
};

/** Cost of one program (a node or a first attempt) in past searches; null: not known. */
export type ProgramCost = {
  /** Wall time, with the usual parallelism of searches. */
  readonly seconds: number | null;
  readonly tokens: number | null;
};

/**
 * Everything that a plan depends on besides the exhibit and the request: existing machines and results, and measured
 * costs.
 */
export type PlanInputs = {
  readonly machines: readonly MachineView[];
  /** By machine id: Slurm machines that have answered. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly benchmarks: readonly KnownBenchmark[];
  readonly trainings: readonly TrainingView[];
  readonly runs: readonly KnownRun[];
  readonly launches: readonly ServerLaunch[];
  /** By pocket family, or by a paper model's name at the hub, from past runs; null: no past run here. */
  readonly programCost: (model: string) => ProgramCost | null;
  /** Cost of a similar past training; null: there was none. */
  readonly trainingSeconds: (spec: TrainingSpec) => number | null;
  /** All pocket families. */
  readonly pocketFamilies: readonly string[];
  /**
   * For a training method: the reason why its trainer would train something else; null: it trains the method as named.
   */
  readonly notTrainedReason: (method: TrainingMethod) => string | null;
};
