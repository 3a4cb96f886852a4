import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';
import { readyValue, TRAINING_TABS, useExperiments, useTrainings, type WorkbenchState } from '../state/index';
import { experimentStatus, trainingIsActive, trainingIsDone, trainingStatus } from '../text/trainings';

/** Older trainings are found in their own list, by its filters. */
const MOST = 100;

/** Trainings and experiments as the palette names them. */
export type TrainingEntries = {
  readonly trainings: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly canResume: boolean;
  }[];
  readonly experiments: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    /** Whether its tables and figures can be exported. */
    readonly hasResults: boolean;
  }[];
};

/** The same object while names and states are: a step is made all the time, and the palette shows none. */
export function useTrainingEntries(): TrainingEntries {
  const trainings = (readyValue(useTrainings()) ?? []).slice(0, MOST).map((training) => ({
    id: training.id,
    name: training.name,
    description: `${training.title}, ${trainingStatus({ ...training, stage: null }).text.toLowerCase()}`,
    canResume: !trainingIsActive(training) && !trainingIsDone(training),
  }));
  const experiments = (readyValue(useExperiments()) ?? []).slice(0, MOST).map((experiment) => ({
    id: experiment.id,
    name: experiment.order.name,
    description: experimentStatus(experiment).text,
    hasResults: experiment.done > 0,
  }));
  const key = JSON.stringify({ trainings, experiments });
  return useMemo(() => ({ trainings, experiments }), [key]);
}

export function trainingActions(
  state: WorkbenchState,
  { trainings, experiments }: TrainingEntries,
  openId: string | null,
): readonly SpotlightActionData[] {
  const { location } = state;
  return [
    {
      id: 'do-new-training',
      group: 'Actions',
      label: 'New training',
      keywords: ['train', 'grpo', 'rs2', 'marti', 'pocket'],
      onClick: () => location.go({ kind: 'new-training', machineId: null }),
    },
    {
      id: 'do-new-experiment',
      group: 'Actions',
      label: 'New experiment of trainings',
      keywords: ['methods', 'seeds', 'ablation', 'train'],
      onClick: () => location.go({ kind: 'new-experiment' }),
    },
    ...trainings.map(({ id, name, description }) => ({
      id: `training-${id}`,
      group: 'Trainings',
      label: `Training: ${name}`,
      description,
      keywords: [id],
      onClick: () => location.go({ kind: 'training', trainingId: id, tab: 'curves' }),
    })),
    // Stopping and removing ask first, so they stay on the training's own screen.
    ...trainings
      .filter(({ id }) => id === openId)
      .flatMap(({ id, name, canResume }) => [
        {
          id: 'do-copy-training',
          group: 'Actions',
          label: `New training like ${name}`,
          onClick: () => location.go({ kind: 'new-training', machineId: null, from: id }),
        },
        ...(canResume
          ? [
              {
                id: 'do-resume-training',
                group: 'Actions',
                label: `Resume ${name}`,
                onClick: () => void state.trainings.resume(id),
              },
            ]
          : []),
        ...TRAINING_TABS.map((tab, at) => ({
          id: `go-training-${tab}`,
          group: 'Screens',
          label: `${name}: ${tab}`,
          description: `key ${at + 1}`,
          onClick: () => location.go({ kind: 'training', trainingId: id, tab }),
        })),
      ]),
    ...experiments.map(({ id, name, description }) => ({
      id: `experiment-${id}`,
      group: 'Experiments',
      label: `Experiment: ${name}`,
      description,
      keywords: [id],
      onClick: () => location.go({ kind: 'experiment', experimentId: id }),
    })),
  ];
}
