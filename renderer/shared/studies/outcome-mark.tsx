import styles from './outcome-mark.module.css';

/** Each outcome has its own shape and shade, so that none depends on colour alone. */
export type OutcomeKind =
  | 'waiting'
  | 'searching'
  | 'grading'
  | 'solved'
  | 'found'
  | 'public-only'
  | 'unsolved';

/**
 * A square of `size` pixels. `fill` in [0, 1] is how far the search is: the square fills from below.
 * Decorative: the parent's label must contain the outcome.
 */
export function OutcomeMark(props: {
  readonly kind: OutcomeKind;
  readonly fill?: number;
  readonly size?: number;
}) {
  const { kind, fill = 0, size = 14 } = props;
  return (
    <svg
      className={styles.mark}
      data-kind={kind}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
    >
      {shapeOf(kind, fill)}
    </svg>
  );
}

function shapeOf(kind: OutcomeKind, fill: number) {
  switch (kind) {
    case 'waiting':
      return <circle className={styles.faint} cx="7" cy="7" r="1.25" />;
    case 'searching':
    case 'grading': {
      const height = kind === 'grading' ? 10 : Math.max(0, Math.min(1, fill)) * 10;
      return (
        <>
          <rect className={styles.level} x="2" y={12 - height} width="10" height={height} />
          <rect className={styles.frame} x="1.5" y="1.5" width="11" height="11" rx="1.5" />
        </>
      );
    }
    case 'solved':
      return <rect className={styles.good} x="1" y="1" width="12" height="12" rx="2" />;
    case 'found':
      return (
        <>
          <path className={styles.good} d="M1.5 2.5 V12.5 H11.5 Z" />
          <rect className={styles.goodFrame} x="1.75" y="1.75" width="10.5" height="10.5" rx="1.5" />
        </>
      );
    case 'public-only':
      return (
        <>
          <rect className={styles.fairFrame} x="1.75" y="1.75" width="10.5" height="10.5" rx="1.5" />
          <circle className={styles.fair} cx="7" cy="7" r="2" />
        </>
      );
    case 'unsolved':
      return <path className={styles.cross} d="M4 4 L10 10 M10 4 L4 10" />;
  }
}

/** What the shapes mean, with how many there are of each. */
export function OutcomeLegend(props: {
  readonly entries: readonly {
    readonly kind: OutcomeKind;
    readonly label: string;
    readonly count?: number;
  }[];
}) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {props.entries.map(({ kind, label, count }) => (
        <li key={kind}>
          <OutcomeMark kind={kind} fill={0.5} size={12} />
          <span>{label}</span>
          {count !== undefined && <b>{count}</b>}
        </li>
      ))}
    </ul>
  );
}
