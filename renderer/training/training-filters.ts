import type { TrainingView } from '../../preload/contract/training';
import { trainingIsActive, trainingIsDone, trainingWasStopped } from '../text/trainings';

export const TRAINING_GROUPS = ['all', 'active', 'done', 'stopped', 'failed'] as const;
export type TrainingGroup = (typeof TRAINING_GROUPS)[number];

type TrainingFilter = {
  readonly group: TrainingGroup;
  /** Empty: of every experiment and of none. */
  readonly experimentId: string;
  /** Words that have to be in its name, title, agents or id, in any order. */
  readonly text: string;
};

/** Where a training stands, roughly. One of a machine that does not answer may train: it is active. */
export function trainingGroup(training: TrainingView): Exclude<TrainingGroup, 'all'> {
  if (trainingIsActive(training)) return 'active';
  if (trainingIsDone(training)) return 'done';
  return trainingWasStopped(training) ? 'stopped' : 'failed';
}

export function filterTrainings(
  trainings: readonly TrainingView[],
  wish: TrainingFilter,
): readonly TrainingView[] {
  const words = wish.text.toLowerCase().split(/\s+/).filter(Boolean);
  return trainings.filter((training) => {
    if (wish.group !== 'all' && trainingGroup(training) !== wish.group) return false;
    if (wish.experimentId !== '' && training.experimentId !== wish.experimentId) return false;
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
