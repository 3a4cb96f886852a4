// biome-ignore-all lint/a11y/useSemanticElements: squares that wrap into bands are no table
import { memo } from 'react';
import styles from './outcome-grid.module.css';
import { type OutcomeKind, OutcomeMark } from './outcome-mark';

/** Memoised: a running study updates all squares four times a second. */
export const Square = memo(function Square(props: {
  readonly kind: OutcomeKind;
  readonly fill: number;
  readonly label: string;
  readonly at: string;
  readonly pitch: number;
  readonly stop: boolean;
  readonly picture: boolean;
}) {
  const { kind, fill, label, at, pitch, stop, picture } = props;
  const style = { width: pitch, height: pitch };
  const mark = <OutcomeMark kind={kind} fill={fill} size={Math.min(18, pitch - (pitch < 14 ? 2 : 3))} />;
  if (picture) {
    return (
      <span className={styles.cell} style={style}>
        {mark}
      </span>
    );
  }
  return (
    <div
      role="gridcell"
      aria-label={label}
      data-at={at}
      data-outcome={kind}
      tabIndex={stop ? 0 : -1}
      className={styles.cell}
      style={style}
    >
      {mark}
    </div>
  );
});
