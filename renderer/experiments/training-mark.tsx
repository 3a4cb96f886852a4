import styles from './experiments.module.css';
import type { SquareKind } from './progress-squares';

/** A square of a training; shape tells the state, so no meaning hangs on colour alone. Decorative. */
export function TrainingMark(props: {
  readonly kind: SquareKind;
  readonly share?: number;
  readonly hasAlarm?: boolean;
}) {
  return (
    <svg className={styles.mark} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {shapeOf(props.kind, props.share ?? 0.5)}
      {props.hasAlarm === true && <path className={styles.alarm} d="M9.5 0 H14 V4.5 Z" />}
    </svg>
  );
}

function shapeOf(kind: SquareKind, share: number) {
  const frame = <rect className={styles.frame} x="1.5" y="1.5" width="11" height="11" rx="1.5" />;
  switch (kind) {
    case 'waiting':
      return <circle className={styles.faint} cx="7" cy="7" r="1.25" />;
    case 'queued':
      return frame;
    case 'running': {
      const height = Math.max(1, Math.min(1, share) * 10);
      return (
        <>
          <rect className={styles.level} x="2" y={12 - height} width="10" height={height} />
          {frame}
        </>
      );
    }
    case 'done':
      return <rect className={styles.good} x="1" y="1" width="12" height="12" rx="2" />;
    case 'stopped':
      return <path className={styles.still} d="M5 3 V11 M9 3 V11" />;
    case 'failed':
      return <path className={styles.bad} d="M3.5 3.5 L10.5 10.5 M10.5 3.5 L3.5 10.5" />;
    case 'gone':
      return <rect className={styles.gone} x="1.5" y="1.5" width="11" height="11" rx="1.5" />;
    case 'unknown':
      return <path className={styles.still} d="M4 7 H10" />;
  }
}
