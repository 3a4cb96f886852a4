import styles from './stacked-bar.module.css';

export type StackedPart = {
  readonly id: string;
  readonly value: number;
  readonly color: string;
  /** Hatched: it is there, but not in use. */
  readonly hatched?: boolean;
  /** The last one of a stack: a wider gap follows. */
  readonly last?: boolean;
};

/** Parts one after the other, to a scale that several bars share, with a line at a limit. */
export function StackedBar(props: {
  /** All of it in words, for who cannot see it. */
  readonly label: string;
  readonly parts: readonly StackedPart[];
  /** Value at the right edge. */
  readonly end: number;
  /** null: no line. */
  readonly limit: number | null;
}) {
  const { label, parts, end, limit } = props;
  return (
    <span className={styles.bar} role="img" aria-label={label}>
      {parts.map(({ id, value, color, hatched, last }) => (
        <i
          key={id}
          data-hatched={hatched || undefined}
          data-last={last || undefined}
          style={{ width: `${(100 * value) / end}%`, color }}
        />
      ))}
      {limit !== null && <b style={{ left: `${(100 * limit) / end}%` }} />}
    </span>
  );
}

/** The mark of a part in a legend. */
export function StackedPartMark({ color, hatched }: Pick<StackedPart, 'color' | 'hatched'>) {
  return <i className={styles.mark} data-hatched={hatched || undefined} style={{ color }} />;
}
