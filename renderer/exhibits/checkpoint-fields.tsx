import { Button, MultiSelect } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Exhibit } from '../../preload/contract/exhibit';
import { TRAINING_METHODS } from '../../preload/contract/plans/index';
import { PathInput } from '../shared/machines/index';
import { FormError, Select } from '../widgets/index';
import styles from './drawer.module.css';
import type { PaperDraft } from './reproduction-draft';

export type PaperEdit = (part: Partial<PaperDraft>) => void;

/** Checkpoints that are there already, a row each. */
export function Checkpoints(props: {
  readonly exhibit: Exhibit;
  readonly paper: PaperDraft;
  readonly machineId: string | null;
  readonly errorOf: (key: number) => string | undefined;
  readonly onEdit: PaperEdit;
}) {
  const { exhibit, paper, machineId, errorOf, onEdit } = props;
  return (
    <>
      {paper.checkpoints.map((checkpoint) => (
        <CheckpointRow
          key={checkpoint.key}
          exhibit={exhibit}
          paper={paper}
          machineId={machineId}
          checkpointKey={checkpoint.key}
          error={errorOf(checkpoint.key)}
          onEdit={onEdit}
        />
      ))}
      <Button
        className={styles.add ?? ''}
        variant="subtle"
        size="compact-xs"
        leftSection={<IconPlus size={13} aria-hidden="true" />}
        onClick={() =>
          onEdit({
            checkpoints: [
              ...paper.checkpoints,
              {
                key: Math.max(-1, ...paper.checkpoints.map(({ key }) => key)) + 1,
                modelId: exhibit.models[0]?.id ?? '',
                method: 'heter-mars2',
                trainedWith: [],
                path: '',
              },
            ],
          })
        }
      >
        Add a checkpoint
      </Button>
    </>
  );
}

function CheckpointRow(props: {
  readonly exhibit: Exhibit;
  readonly paper: PaperDraft;
  readonly machineId: string | null;
  readonly checkpointKey: number;
  readonly error: string | undefined;
  readonly onEdit: PaperEdit;
}) {
  const { exhibit, paper, machineId, checkpointKey, error, onEdit } = props;
  const at = paper.checkpoints.findIndex(({ key }) => key === checkpointKey);
  const checkpoint = paper.checkpoints[at];
  if (checkpoint === undefined) return null;
  const number = at + 1;
  const models = exhibit.models.map(({ id, name }) => ({ value: id, label: name }));
  const edit = (part: Partial<typeof checkpoint>): void =>
    onEdit({ checkpoints: paper.checkpoints.with(at, { ...checkpoint, ...part }) });
  const plain = { allowDeselect: false, comboboxProps: { transitionProps: { duration: 0 } } };
  return (
    <div className={styles.checkpoint}>
      <Select
        {...plain}
        aria-label={`Model of checkpoint ${number}`}
        value={checkpoint.modelId}
        data={models}
        onChange={(modelId) => modelId !== null && edit({ modelId })}
      />
      <Select
        {...plain}
        aria-label={`Method of checkpoint ${number}`}
        value={checkpoint.method}
        data={TRAINING_METHODS.filter(({ isControl, id }) => !isControl && id !== 'base').map(
          ({ id, name }) => ({
            value: id,
            label: name,
          }),
        )}
        onChange={(method) => {
          const info = TRAINING_METHODS.find(({ id }) => id === method);
          if (info !== undefined) edit({ method: info.id });
        }}
      />
      <MultiSelect
        size="xs"
        aria-label={`Partners of checkpoint ${number}`}
        placeholder={checkpoint.trainedWith.length === 0 ? 'alone' : ''}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        maxValues={3}
        value={[...checkpoint.trainedWith]}
        data={models.filter(({ value }) => value !== checkpoint.modelId)}
        onChange={(trainedWith) => edit({ trainedWith })}
      />
      <PathInput
        machineId={machineId}
        aria-label={`Folder of checkpoint ${number}`}
        placeholder="/data/checkpoints/step_300"
        value={checkpoint.path}
        onChange={(path) => edit({ path })}
      />
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`Remove checkpoint ${number}`}
        onClick={() => onEdit({ checkpoints: paper.checkpoints.filter((draft) => draft !== checkpoint) })}
      >
        Remove
      </Button>
      <FormError text={error} />
    </div>
  );
}
