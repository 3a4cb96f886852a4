import type {
  Recipe,
  Refusal,
  Rollout,
  TrainingCheckpoint,
  TrainingCurve,
  TrainingEvaluation,
  TrainingOrder,
  TrainingPlan,
  TrainingSpec,
  TrainingView,
} from '../../preload/contract';
import type { Disposable, Result } from '../base';
import type { Asked } from '../machines';
import type { RolloutQuery } from './watch';

/** What it is started for. */
export type TrainingPart = { readonly experimentId?: string; readonly reproductionId?: string };

/** Trainings: started as jobs, watched while they run, kept in records that outlive the app. */
export type TrainingService = {
  /** Every training in the records, oldest first, as last seen. */
  readonly list: () => readonly TrainingView[];
  readonly view: (id: string) => Result<TrainingView, Refusal>;
  /** What would be typed and what is wrong already; `look` asks the machine too. Changes nothing. */
  readonly plan: (order: TrainingOrder, look: boolean) => Asked<TrainingPlan>;
  /** Refused where the plan has problems; then nothing is kept. */
  readonly start: (order: TrainingOrder, part?: TrainingPart) => Promise<Result<TrainingView, Refusal>>;
  /** An answer for each, as `start` gives. Those that ask one Slurm machine for the same become one job array. */
  readonly startMany: (
    orders: readonly TrainingOrder[],
    part?: TrainingPart,
  ) => Promise<readonly Result<TrainingView, Refusal>[]>;
  /** Answers when nothing of it runs any more. Pocket trainings write a checkpoint first. */
  readonly stop: (id: string) => Promise<Result<TrainingView, Refusal>>;
  /** Runs an ended one again, from its last checkpoint; refused for one that is done. */
  readonly resume: (id: string) => Promise<Result<TrainingView, Refusal>>;
  /** Takes an ended one out of the list, with its job. */
  readonly remove: (id: string, options: { readonly checkpoints: boolean }) => Promise<Result<null, Refusal>>;
  /** Reads what is new first, as the next three do. */
  readonly curves: (id: string, points: number) => Asked<readonly TrainingCurve[]>;
  readonly rollouts: (id: string, query: RolloutQuery) => Asked<readonly Rollout[]>;
  readonly checkpoints: (id: string) => Asked<readonly TrainingCheckpoint[]>;
  /** What the trainer itself measured at its end; null: nothing yet, or it does not measure. */
  readonly evaluation: (id: string) => Asked<TrainingEvaluation | null>;
  /** Seconds that one like this takes, by those that are done; null: nothing to go by. */
  readonly estimate: (spec: TrainingSpec) => number | null;
  readonly recipes: () => Promise<{ recipes: Recipe[]; problems: string[] }>;
  readonly onChange: (listener: (view: TrainingView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Its folder on this computer. */
  readonly folderOf: (id: string) => string;
  /** Lets go of everything; the trainings go on. */
  readonly dispose: () => Promise<void>;
};
