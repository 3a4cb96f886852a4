import { Button } from '@mantine/core';
import { ProgressLine } from './progress-line';
import styles from './task-line.module.css';

/** A long command under way: what it does, how far it is, and the way out. */
export function TaskLine(props: {
  readonly label: string;
  /** In [0, 1]; null: not known. */
  readonly share: number | null;
  readonly onCancel: () => void;
}) {
  return (
    <div className={styles.task} role="status">
      <span>{props.label}</span>
      {props.share !== null && <ProgressLine label={props.label} share={props.share} width={120} />}
      <Button variant="default" size="compact-xs" onClick={props.onCancel}>
        Cancel
      </Button>
    </div>
  );
}
