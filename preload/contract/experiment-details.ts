import type { Breakdown, SeedSpreads, Stability } from './analysis';
import type { ExperimentCell, ExperimentPair } from './experiment';
import type { SettingDifference, SolveMatrix } from './run-comparison';

/** Within which part of the held-out problems: e.g. the hard ones. */
type WithinPart = { readonly within: Pick<Breakdown, 'by' | 'part'> };

/**
 * Shares of the seeds that were evaluated on a problem, by the answer of the team's tree, or of the agent's own where the
 * method has one agent; in [0, 1].
 */
export type MethodSolve = {
  readonly solved01: number;
  /** Some program of that tree passes. */
  readonly found01: number;
  /** Answers of the agents' own trees, a mean over the agents. */
  readonly alone01: number;
};

export type MethodSolves = Omit<SolveMatrix, 'problems'> & {
  readonly problems: ReadonlyArray<
    Omit<SolveMatrix['problems'][number], 'cells'> & { readonly cells: readonly (MethodSolve | null)[] }
  >;
  /** Those of the configurations that have one agent, and no team. */
  readonly single: readonly string[];
};

/** What the trainings of a method took that are done, one per seed; sums over the seeds. */
export type MethodCost = {
  readonly label: string;
  /** Numbers of the seeds. */
  readonly seeds: readonly number[];
  /** Of whole jobs, including their evaluations at the end: only both together are recorded. */
  readonly seconds: number;
  /** Seconds times the GPUs that were reserved. */
  readonly gpuSeconds: number;
  /** That the agents learned from, all of them together. */
  readonly samples: number;
  /** Programs written for the evaluations at the end: first attempts, and nodes of search trees. */
  readonly evaluationPrograms: number;
  readonly seedSpreads?: SeedSpreads | undefined;
};

/**
 * What the team of a method finds over the best of its agents alone, with as many nodes: Pass@N of the same trainings, in [0, 1].
 * Tested as pairs are; `pHolm`: corrected over all methods.
 */
export type MethodGain = Omit<ExperimentPair, 'metric' | 'part' | 'first' | 'second'> & {
  readonly label: string;
  /** Id of the agent that finds most. */
  readonly bestAgent: string;
  readonly team01: number;
  readonly best01: number;
};

/** G-Pass@k of an agent's independent samples. */
export type MethodStability = Omit<Stability, 'configuration'> & {
  readonly label: string;
  readonly agentId: string;
  readonly seeds: number;
};

/** What exports have of an experiment beside its result, of the trainings that are done. */
export type ExperimentDetails = {
  /** Rates in parts of the problems. */
  readonly breakdowns: readonly (ExperimentCell & WithinPart)[];
  /** `pHolm`: corrected over all pairs in all parts of a grouping, within a metric of agents alone or of the team. */
  readonly partPairs: readonly (ExperimentPair & WithinPart)[];
  readonly solves: MethodSolves;
  readonly gains: readonly MethodGain[];
  readonly stability: readonly MethodStability[];
  readonly costs: readonly MethodCost[];
  /** `values`: one per method. */
  readonly settings: readonly SettingDifference[];
};
