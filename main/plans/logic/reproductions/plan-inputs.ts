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

/** What one program (a node or a first attempt) took in past searches; null: not known. */
export type ProgramCost = {
  /** Of wall time, as many side by side as searches have. */
  readonly seconds: number | null;
  readonly tokens: number | null;
};

/** All that a plan follows from beside the exhibit and the order: what is there, and what was measured. */
export type PlanInputs = {
  readonly machines: readonly MachineView[];
  /** By machine id: Slurm machines that have answered. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly benchmarks: readonly KnownBenchmark[];
  readonly trainings: readonly TrainingView[];
  readonly runs: readonly KnownRun[];
  readonly launches: readonly ServerLaunch[];
  /** By pocket family, or a paper model's name at the hub, from past runs; null: never searched with here. */
  readonly programCost: (model: string) => ProgramCost | null;
  /** What a training like this took in the past; null: there was none. */
  readonly trainingSeconds: (spec: TrainingSpec) => number | null;
  /** Pocket families that there are. */
  readonly pocketFamilies: readonly string[];
  /** Of a method of training models: why its trainer would make something else of it; null: it would not. */
  readonly whyNotTrained: (method: TrainingMethod) => string | null;
};
