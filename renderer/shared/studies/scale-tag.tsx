import { Tooltip } from '@mantine/core';
import type { Scale } from '../../../preload/contract/scale';
import styles from './scale-tag.module.css';

const MEANING: Readonly<Record<Scale, string>> = {
  pocket: 'Pocket scale: generated problems and small policies, really run',
  recorded: 'Recorded: replayed outputs of real models',
  desk: 'Desk scale: small language models by name, on a processor or one GPU',
  paper: 'Paper scale: full-size models',
  own: 'Own: other language models, trained and run here',
};

/** The scale of numbers; shown wherever numbers are. */
export function ScaleTag(props: { readonly scale: Scale }) {
  return (
    <Tooltip label={MEANING[props.scale]} multiline w={240}>
      <span className={styles.tag}>{props.scale}</span>
    </Tooltip>
  );
}
