import type { JobView } from '../../preload/contract/job';
import {
  isOwnTraining,
  nameWithoutSeed,
  seedOfTraining,
  withoutSeed,
} from '../../preload/contract/plans/index';
import type { TrainingCurve, TrainingView } from '../../preload/contract/training';

/** A training in a chart of several. */
export type Member = {
  readonly trainingId: string;
  /** The same for trainings that differ only in their seed. */
  readonly group: string;
  readonly label: string;
  /** null: none or unknown. */
  readonly seed: number | null;
  /** Problems of its evaluation; null: only its trainer knows. */
  readonly heldOut: number | null;
  readonly agents: TrainingView['agents'];
  /** GPUs of its job. */
  readonly gpus: number;
  readonly curves: readonly TrainingCurve[];
};

/** Equal for trainings that differ only in seed and, if they are ours, in evaluation and checkpoint interval. */
export function groupOf({ id, spec }: Pick<TrainingView, 'id' | 'spec'>): string {
  if (!isOwnTraining(spec)) return seedOfTraining(spec) === null ? id : JSON.stringify(withoutSeed(spec));
  const { seed: _seed, evaluation: _evaluation, checkpointEvery: _checkpoints, ...learned } = spec;
  return JSON.stringify(learned);
}

export function gpusOf(training: Pick<TrainingView, 'jobId'>, jobs: readonly JobView[]): number {
  const job = jobs.find(({ id }) => id === training.jobId);
  return job === undefined ? 0 : Math.max(job.gpuIds.length, job.resources.gpus);
}

/**
 * The members in the given order. A group is labelled by its experiment row; one training by its name; several seeds by their
 * title, or where others have that too, by a name.
 */
export function membersOf(
  trainings: readonly {
    readonly training: Pick<TrainingView, 'id' | 'name' | 'title' | 'spec' | 'agents'>;
    readonly gpus: number;
    /** Label of its row in its experiment; null: not in an experiment. */
    readonly row: string | null;
    readonly curves: readonly TrainingCurve[];
  }[],
): readonly Member[] {
  const groupsOfTitle = new Map<string, Set<string>>();
  for (const { training } of trainings) {
    const groups = groupsOfTitle.get(training.title) ?? new Set();
    groupsOfTitle.set(training.title, groups.add(groupOf(training)));
  }
  const groups = trainings.map(({ training }) => groupOf(training));
  const isOnly = (group: string): boolean => groups.filter((other) => other === group).length === 1;
  const labels = new Map<string, string>();
  return trainings.map(({ training, gpus, row, curves }) => {
    const group = groupOf(training);
    const hasOwnTitle = groupsOfTitle.get(training.title)?.size === 1;
    const ofSeeds = hasOwnTitle ? training.title : nameWithoutSeed(training.name);
    const label = labels.get(group) ?? row ?? (isOnly(group) ? training.name : ofSeeds);
    labels.set(group, label);
    return {
      trainingId: training.id,
      group,
      label,
      seed: seedOfTraining(training.spec),
      heldOut: isOwnTraining(training.spec) ? training.spec.evaluation.problems : null,
      agents: training.agents,
      gpus,
      curves,
    };
  });
}
