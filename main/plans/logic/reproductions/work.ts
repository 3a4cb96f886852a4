import type {
  SearchOptions,
  ServerLaunch,
  TrainingMethod,
  TrainingRequest,
} from '../../../../preload/contract';

/** The model of a server: one of the exhibit's, with its training. */
export type PlannedModel = {
  /** Of the exhibit, e.g. "qwen3-8b". */
  readonly modelId: string;
  /** The stand-in's name for agents and servers; left out: `modelId`. */
  readonly agentId?: string | undefined;
  readonly method: TrainingMethod;
  /** All models of its training in the exhibit's order, itself among them. */
  readonly trainedWith: readonly string[];
  /** Of its training and checkpoint; where all seeds share its weights, the order's first. */
  readonly seed: number;
};

/**
 * Where its weights come from. training: of a step of this plan; known: of a training that is there already; base: as
 * pre-trained; path: a folder on the machine, or a name at the hub.
 */
export type PlannedWeights =
  | { readonly kind: 'training'; readonly stepId: string; readonly agentId: string }
  | {
      readonly kind: 'known';
      readonly stepId: string;
      readonly trainingId: string;
      readonly agentId: string;
    }
  | { readonly kind: 'base' }
  | { readonly kind: 'path'; readonly path: string };

/** A server as the plan knows it before its checkpoint is there; `serverSpec` makes the real one. */
export type PlannedServer = PlannedModel & {
  /**
   * A stable word, unique in the plan, e.g. "qwen3-8b-heter-mars2-areal-8b-11", of a stand-in
   * "reader-heter-mars2-tracer-11".
   */
  readonly id: string;
  readonly weights: PlannedWeights;
  readonly place:
    | { readonly kind: 'pocket'; readonly family: string; readonly machineId: string }
    /** `launch` is complete except for the weights of a checkpoint that does not exist yet, which are "". */
    | { readonly kind: 'launch'; readonly launch: ServerLaunch };
};

/** Which problems, in which order. */
export type PlannedProblems =
  /** Generated; `first`: only this many of its `count`. */
  | {
      readonly kind: 'pocket';
      readonly split: 'validation' | 'test';
      readonly seed: number;
      readonly count: number;
      readonly first: number;
    }
  | { readonly kind: 'imported'; readonly benchmarkId: string; readonly problemIds: readonly string[] };

export type TrainWork = {
  readonly kind: 'train';
  /** Its name is the step's title. `spec.families` or `spec.agents` are in the order of `models`. */
  readonly order: TrainingRequest;
  /** Of the exhibit. */
  readonly models: readonly string[];
  /** A training that is there already and need not be run again; null: it is run. */
  readonly trainingId: string | null;
};

export type ServeWork = {
  readonly kind: 'serve';
  readonly server: PlannedServer;
  /** The last batch that needs it: it is stopped after that. */
  readonly untilWave: number;
};

export type SearchWork = {
  readonly kind: 'search';
  readonly configurationId: string;
  /** The exhibit configuration's label: RunConfig.configuration. */
  readonly configuration: string;
  readonly seed: number;
  /** One member each, in the order of the team; the same id twice: the same server in two roles. */
  readonly members: readonly string[];
  /** By id, every server that members name. */
  readonly servers: readonly PlannedServer[];
  readonly maxTokens: number;
  readonly problems: PlannedProblems;
  readonly search: SearchOptions;
  /** A run that is there already and need not be run again; null: it is run. */
  readonly run: { readonly studyId: string; readonly runId: string } | null;
};

export type GradeWork = {
  readonly kind: 'grade';
  readonly configurationId: string;
  readonly seed: number;
  /** The step of its search. */
  readonly searchStepId: string;
};

export type MetricsWork = {
  readonly kind: 'metrics';
  readonly configurationId: string;
  /** Steps of its searches, one per seed. */
  readonly searchStepIds: readonly string[];
  /** Whether a cell asks how different its programs are. */
  readonly diversity: boolean;
};

export type CellWork = {
  readonly kind: 'cell';
  /** "row.column", or a series' id. */
  readonly key: string;
  readonly configurationId: string;
  /** Steps of the trainings that its numbers rest on, one per model and seed. */
  readonly trainStepIds: readonly string[];
};

/** The data for running a step; not part of the shown plan. */
export type StepWork = TrainWork | ServeWork | SearchWork | GradeWork | MetricsWork | CellWork;
