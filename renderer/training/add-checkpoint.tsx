import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import { readyValue, useCheckpoints, useTrainings } from '../state/index';
import { count, Select } from '../widgets/index';
import { newestCheckpointsFirst } from './checkpoint-order';
import styles from './checkpoints.module.css';
import type { Picked } from './evaluate-draft';

/** Adds a checkpoint of this training or of another one of its scale. */
export function AddCheckpoint(props: {
  readonly training: TrainingView;
  readonly picked: readonly Picked[];
  readonly isOpen: boolean;
  readonly onAdd: (one: Picked) => void;
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
  const known = newestCheckpointsFirst(readyValue(checkpoints) ?? [], chosen?.agents ?? []).filter(
    ({ id, canServe }) =>
      canServe && !picked.some((one) => one.checkpointId === id && one.trainingId === trainingId),
  );
  const nameOf = (agentId: string): string =>
    chosen?.agents.find(({ id }) => id === agentId)?.name ?? agentId;
  return (
    <div className={styles.adding}>
      <Select
        label="With one of"
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
        placeholder={placeholderOf(trainingId, checkpoints.kind, known.length)}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={null}
        data={known.map(({ id, agentId, step }) => ({
          value: id,
          label: `${nameOf(agentId)} after ${count(step)}`,
        }))}
        onChange={(checkpointId) => {
          if (checkpointId !== null && trainingId !== null) onAdd({ trainingId, checkpointId });
        }}
      />
    </div>
  );
}

function placeholderOf(trainingId: string | null, kind: string, found: number): string {
  if (trainingId === null) return 'Choose a training first';
  if (kind === 'loading') return 'Reading ...';
  if (kind === 'failed') return 'Its checkpoints cannot be read';
  return found === 0 ? 'None left' : 'Checkpoint';
}
