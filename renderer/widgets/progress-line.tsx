import styles from './progress-line.module.css';

/** A thin bar for a share in [0, 1]. `still`: nothing moves it now. */
export function ProgressLine(props: {
  readonly label: string;
  readonly share: number;
  readonly isStill?: boolean;
  readonly width?: number;
}) {
  const share = Math.min(1, Math.max(0, props.share));
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      style={props.width === undefined ? undefined : { width: props.width }}
    >
      <div
        className={props.isStill === true ? styles.still : styles.level}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
