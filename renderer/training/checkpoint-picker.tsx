import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import { readyValue, useCheckpoints, useTraining, useTrainings } from '../state/index';
import { count, Select } from '../widgets/index';
import { newestFirst } from './checkpoint-columns';
import styles from './checkpoints.module.css';
import type { CheckpointRef } from './evaluate-draft';

/** Adds a checkpoint of this or another training of the same scale. */
export function AddCheckpoint(props: {
  readonly training: TrainingView;
  readonly picked: readonly CheckpointRef[];
  readonly isOpen: boolean;
  readonly onAdd: (checkpoint: CheckpointRef) => void;
}) {
  const { training, picked, onAdd } = props;
  const [isOpen, setIsOpen] = useState(props.isOpen);
  const [trainingId, setTrainingId] = useState<string | null>(null);
  const trainings = (readyValue(useTrainings()) ?? []).filter(({ scale }) => scale === training.scale);
  const chosen = trainings.find(({ id }) => id === trainingId) ?? null;
  const checkpoints = useCheckpoints(trainingId);
  if (!isOpen) {
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        mb={6}
        leftSection={<IconPlus size={13} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        Add a checkpoint
      </Button>
    );
  }
  const options = newestFirst(readyValue(checkpoints) ?? [], chosen?.agents ?? []).filter(
    ({ id, canServe }) =>
      canServe &&
      !picked.some((checkpoint) => checkpoint.checkpointId === id && checkpoint.trainingId === trainingId),
  );
  const nameOf = (agentId: string): string =>
    chosen?.agents.find(({ id }) => id === agentId)?.name ?? agentId;
  return (
    <div className={styles.adding}>
      <Select
        label="Training"
        data-autofocus
        aria-label="Training of the checkpoint to add"
        searchable
        openOnFocus={false}
        placeholder="Training"
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={trainingId}
        data={trainings.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setTrainingId}
      />
      <Select
        label="Checkpoint"
        aria-label="Checkpoint to add"
        searchable
        openOnFocus={false}
        disabled={trainingId === null || checkpoints.kind !== 'ready'}
        placeholder={placeholderOf(trainingId, checkpoints.kind, options.length)}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={null}
        data={options.map(({ id, agentId, step }) => ({
          value: id,
          label: `${nameOf(agentId)}, step ${count(step)}`,
        }))}
        onChange={(checkpointId) => {
          if (checkpointId !== null && trainingId !== null) onAdd({ trainingId, checkpointId });
        }}
      />
    </div>
  );
}

function placeholderOf(trainingId: string | null, kind: string, count: number): string {
  if (trainingId === null) return 'Choose a training first';
  if (kind === 'loading') return 'Loading…';
  if (kind === 'failed') return 'Its checkpoints cannot be read';
  return count === 0 ? 'No more checkpoints' : 'Checkpoint';
}

/** The checkpoints selected for the study. */
export function SelectedCheckpoints(props: {
  readonly picked: readonly CheckpointRef[];
  readonly isRemovable: boolean;
  readonly onRemove: (checkpoint: CheckpointRef) => void;
}) {
  return (
    <ul className={styles.picked} aria-label="Checkpoints of the study">
      {props.picked.map((checkpoint) => (
        <SelectedCheckpoint
          key={`${checkpoint.trainingId} ${checkpoint.checkpointId}`}
          checkpoint={checkpoint}
          onRemove={props.isRemovable ? () => props.onRemove(checkpoint) : null}
        />
      ))}
    </ul>
  );
}

function SelectedCheckpoint(props: {
  readonly checkpoint: CheckpointRef;
  readonly onRemove: (() => void) | null;
}) {
  const { checkpoint, onRemove } = props;
  const training = readyValue(useTraining(checkpoint.trainingId));
  return (
    <li>
      <span>
        {checkpoint.checkpointId}
        <small>{training?.name ?? checkpoint.trainingId}</small>
      </span>
      {onRemove !== null && (
        <ActionIcon size="sm" aria-label={`Remove ${checkpoint.checkpointId}`} onClick={onRemove}>
          <IconX size={13} />
        </ActionIcon>
      )}
    </li>
  );
}
