import { Tooltip } from '@mantine/core';
import styles from './scale-tag.module.css';

const MEANING: Readonly<Record<'pocket' | 'recorded' | 'paper', string>> = {
  pocket: 'Pocket scale: generated problems and small policies, run on this computer',
  recorded: 'Recorded: replayed outputs of real models',
  paper: 'Paper scale: full-size models',
};

/** The scale of numbers; shown wherever numbers are. */
export function ScaleTag(props: { readonly scale: 'pocket' | 'recorded' | 'paper' }) {
  return (
    <Tooltip label={MEANING[props.scale]} multiline w={240}>
      <span className={styles.tag}>{props.scale}</span>
    </Tooltip>
  );
}
