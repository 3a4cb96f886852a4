import type {
  GpuCurves,
  Recipe,
  Refusal,
  Rollout,
  TrainingCheckpoint,
  TrainingCurve,
  TrainingEvaluation,
  TrainingPlan,
  TrainingRequest,
  TrainingSpec,
  TrainingView,
} from '../../preload/contract';
import type { Value } from '../../preload/contract/commands';
import type { Disposable, Result } from '../base';
import type { GpuAvailability, JobService } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import type { ReconcileProblem } from '../reconcile';
import type { CurveFormat, ExportedCurves } from './export-curves';
import type { TrainerDeps } from './prepare-training';
import type { RolloutQuery } from './watch';
import type { WatchRequest } from './watched-runs';

/** What started it. */
export type TrainingOrigin = { readonly experimentId?: string; readonly reproductionId?: string };

/** Trainings: started as jobs, watched while they run, saved in records that outlive the app. */
export type TrainingService = {
  /** Every training in the records, oldest first, as last observed. */
  readonly list: () => readonly TrainingView[];
  readonly view: (id: string) => Result<TrainingView, Refusal>;
  /** The command and the known problems; `askMachine` also checks the machine. Changes nothing. */
  readonly plan: (request: TrainingRequest, askMachine: boolean) => AsyncResult<TrainingPlan>;
  /** Refused if the plan has problems; then nothing is saved. */
  readonly start: (
    request: TrainingRequest,
    origin?: TrainingOrigin,
  ) => Promise<Result<TrainingView, Refusal>>;
  /** A result for each, as from `start`. Equal resource requests to one Slurm machine become one job array. */
  readonly startMany: (
    requests: readonly TrainingRequest[],
    origin?: TrainingOrigin,
  ) => Promise<readonly Result<TrainingView, Refusal>[]>;
  /** Watches a run that others started: a folder or a Slurm id. Nothing of it is ever changed. */
  readonly watch: (request: WatchRequest) => AsyncResult<TrainingView>;
  /** Resolves when nothing of it runs any more. Pocket trainings write a checkpoint first. */
  readonly stop: (id: string) => Promise<Result<TrainingView, Refusal>>;
  /** Restarts an ended training from its last checkpoint; refused if it is done. */
  readonly resume: (id: string) => Promise<Result<TrainingView, Refusal>>;
  /** Moves an ended training to the trash; one that is only watched leaves the list for good. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  readonly restore: (id: string) => Promise<Result<null, Refusal>>;
  /** What `restore` brings back, oldest first, with the size of its files on this computer. */
  readonly inTrash: () => Promise<Value<'training.trash'>>;
  /** `erase` of one in the trash. */
  readonly deleteForGood: TrainingService['erase'];
  /** Deletes an ended training with its job and its files on this computer; `checkpoints`: also these, here and there. */
  readonly erase: (id: string, options: { readonly checkpoints: boolean }) => Promise<Result<null, Refusal>>;
  /** Its trainings are part of it no longer: it was removed. */
  readonly leaveReproduction: (reproductionId: string) => Promise<void>;
  /** Reads new data first, as the next three do. */
  readonly curves: (id: string, points: number) => AsyncResult<readonly TrainingCurve[]>;
  /** What the GPUs of its job did, on the axis of its curves, at most `points` a GPU. Empty: it has none, or no job. */
  readonly gpus: (id: string, points: number) => AsyncResult<GpuCurves>;
  /** Writes the curves, with those of its GPUs, below a folder of this computer as other programs read them. */
  readonly exportCurves: (id: string, format: CurveFormat, folder: string) => AsyncResult<ExportedCurves>;
  readonly rollouts: (id: string, query: RolloutQuery) => AsyncResult<readonly Rollout[]>;
  readonly checkpoints: (id: string) => AsyncResult<readonly TrainingCheckpoint[]>;
  /** A checkpoint's path on this computer; copies it from its machine first if it is not here. */
  readonly fetchCheckpoint: (id: string, checkpointId: string) => AsyncResult<string>;
  /** The trainer's own evaluation at its end; null: not yet, or it does not evaluate. */
  readonly evaluation: (id: string) => AsyncResult<TrainingEvaluation | null>;
  /** Estimated seconds, from finished trainings like it (`estimatedSeconds`); null: there are none. */
  readonly estimate: (spec: TrainingSpec) => number | null;
  readonly recipes: () => Promise<{ recipes: Recipe[]; problems: string[] }>;
  readonly onChange: (listener: (view: TrainingView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Called and awaited before a training is removed, since its numbers are removed with it. */
  readonly beforeRemoval: (work: (training: TrainingView) => Promise<void>) => void;
  /** Its folder on this computer. */
  readonly folderOf: (id: string) => string;
  /** Releases all resources; the trainings keep running. */
  readonly dispose: () => Promise<void>;
};

export type TrainingServiceDeps = TrainerDeps & {
  readonly jobs: JobService;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
  readonly dataDir: string;
  readonly clock: { readonly now: () => number };
  /** A unique id that is a valid file name. */
  readonly newId: () => string;
  /** Called for every unexpected error of background work. */
  readonly onError: (problem: ReconcileProblem) => void;
};
