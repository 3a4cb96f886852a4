import type {
  Amount,
  CellState,
  DiversityCell,
  Exhibit,
  RunView,
  TrainingCurve,
} from '../../../preload/contract';

/** A run of a configuration of the exhibit. */
export type ExhibitRun = {
  /** Of the exhibit. */
  readonly configurationId: string;
  readonly studyId: string;
  readonly view: RunView;
};

/** All that an exhibit is filled from. Keys of cells are "row.column", those of series their ids. */
export type ExhibitInput = {
  readonly exhibit: Exhibit;
  readonly scale: 'pocket' | 'paper';
  readonly reproductionId: string | null;
  /** In any order; one a configuration and seed. */
  readonly runs: readonly ExhibitRun[];
  /** `configuration`: the exhibit configuration's label. */
  readonly diversity: readonly DiversityCell[];
  /** One curve a seed of the model and quantity that the series shows. */
  readonly learning: readonly { readonly seriesId: string; readonly curves: readonly TrainingCurve[] }[];
  /** What is not in it is empty. */
  readonly states: ReadonlyMap<string, CellState>;
  /** What only the plan knows, e.g. that the problems are of another window. */
  readonly notComparable: ReadonlyMap<string, readonly string[]>;
  readonly costs: ReadonlyMap<string, Amount>;
  /** By configuration id. */
  readonly trainingIds: ReadonlyMap<string, readonly string[]>;
};
