import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { readyValue, useTraining } from '../state/index';
import styles from './checkpoints.module.css';
import type { Picked } from './evaluate-draft';

/** The checkpoints that a study is to be of. */
export function PickedList(props: {
  readonly picked: readonly Picked[];
  readonly isRemovable: boolean;
  readonly onRemove: (one: Picked) => void;
}) {
  return (
    <ul className={styles.picked} aria-label="Checkpoints of the study">
      {props.picked.map((one) => (
        <PickedLine
          key={`${one.trainingId} ${one.checkpointId}`}
          one={one}
          onRemove={props.isRemovable ? () => props.onRemove(one) : null}
        />
      ))}
    </ul>
  );
}

function PickedLine(props: { readonly one: Picked; readonly onRemove: (() => void) | null }) {
  const { one, onRemove } = props;
  const training = readyValue(useTraining(one.trainingId));
  return (
    <li>
      <span>
        {one.checkpointId}
        <small>{training?.name ?? one.trainingId}</small>
      </span>
      {onRemove !== null && (
        <ActionIcon size="sm" aria-label={`Leave out ${one.checkpointId}`} onClick={onRemove}>
          <IconX size={13} />
        </ActionIcon>
      )}
    </li>
  );
}
