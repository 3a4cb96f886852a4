import type { CellState } from '../../preload/contract/exhibit';
import styles from './marks.module.css';

/** The states of a cell, and "incomparable" for a value that cannot be compared with the paper's. */
export type MarkKind = CellState['kind'] | 'reused' | 'incomparable';

/** A small icon of a state, distinguished by shape as well as colour. Decorative: not read by screen readers. */
export function CellMark(props: { readonly kind: MarkKind; readonly share?: number }) {
  return (
    <svg className={styles.mark} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {shapeOf(props.kind, props.share ?? 0.5)}
    </svg>
  );
}

function shapeOf(kind: MarkKind, share: number) {
  switch (kind) {
    case 'empty':
      return <circle className={styles.faint} cx="5" cy="5" r="1" />;
    case 'planned':
      return <rect className={styles.frame} x="1.5" y="1.5" width="7" height="7" rx="1" />;
    case 'running': {
      const height = Math.max(1, Math.min(1, share) * 7);
      return (
        <>
          <rect className={styles.level} x="1.5" y={8.5 - height} width="7" height={height} />
          <rect className={styles.frame} x="1.5" y="1.5" width="7" height="7" rx="1" />
        </>
      );
    }
    case 'done':
      return <rect className={styles.done} x="1" y="1" width="8" height="8" rx="1.5" />;
    case 'reused':
      return <path className={styles.reused} d="M8 3.2 A3.4 3.4 0 1 0 8.4 5.6 M8.6 1 V3.6 H6" />;
    case 'failed':
      return <path className={styles.bad} d="M2 2 L8 8 M8 2 L2 8" />;
    case 'missing':
      return <path className={styles.still} d="M2 8 L8 2" />;
    case 'incomparable':
      return <path className={styles.still} d="M1.5 3.5 H8.5 M1.5 6.5 H8.5 M3 9 L7 1" />;
  }
}
