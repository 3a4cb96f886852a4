import type { TrainingView } from '../../preload/contract/training';
import { trainingIsActive, trainingIsDone, trainingWasStopped } from '../text/trainings';

export const TRAINING_GROUPS = ['all', 'active', 'done', 'stopped', 'failed'] as const;
export type TrainingGroup = (typeof TRAINING_GROUPS)[number];

type TrainingFilter = {
  readonly group: TrainingGroup;
  /** Empty: all trainings. */
  readonly experimentId: string;
  /** Words that must all occur in its name, title, agents or id. */
  readonly text: string;
};

/** The group of a training. If its machine does not answer it may still be running: it counts as active. */
function trainingGroup(training: TrainingView): Exclude<TrainingGroup, 'all'> {
  if (trainingIsActive(training)) return 'active';
  if (trainingIsDone(training)) return 'done';
  return trainingWasStopped(training) ? 'stopped' : 'failed';
}

export function filterTrainings(
  trainings: readonly TrainingView[],
  filter: TrainingFilter,
): readonly TrainingView[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return trainings.filter((training) => {
    if (filter.group !== 'all' && trainingGroup(training) !== filter.group) return false;
    if (filter.experimentId !== '' && training.experimentId !== filter.experimentId) return false;
    if (words.length === 0) return true;
    const agents = training.agents.map(({ name }) => name).join(' ');
    const text = `${training.name} ${training.title} ${agents} ${training.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function groupCounts(trainings: readonly TrainingView[]): Readonly<Record<TrainingGroup, number>> {
  const counts = { all: trainings.length, active: 0, done: 0, stopped: 0, failed: 0 };
  for (const training of trainings) counts[trainingGroup(training)] += 1;
  return counts;
}
