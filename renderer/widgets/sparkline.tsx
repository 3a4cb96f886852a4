import styles from './sparkline.module.css';

/** Values in [0, 100], oldest first; null: not known then. */
export type SparkValues = readonly (number | null)[];

const WIDTH = 120;
const HEIGHT = 24;

/**
 * How something went, in the room of a word: a filled curve, and a line over it where there are two. `label` says in
 * words what is seen. The newest value stands at the right; few values do not stretch over the whole width.
 */
export function Sparkline(props: {
  readonly label: string;
  readonly area: SparkValues;
  readonly line?: SparkValues;
  /** So many values fill the width. */
  readonly length: number;
  /** A CSS colour; left out: the accent. */
  readonly color?: string;
}) {
  const { label, area, line = [], length, color } = props;
  return (
    <svg
      className={styles.spark}
      style={{ color }}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {pathsOf(area, length).map((points) => (
        <g key={points[0]}>
          <path className={styles.area} d={closed(points)} />
          <path className={styles.edge} d={`M${points.join(' L')}`} />
        </g>
      ))}
      {pathsOf(line, length).map((points) => (
        <path key={points[0]} className={styles.line} d={`M${points.join(' L')}`} />
      ))}
    </svg>
  );
}

/** Points "x,y" of each stretch without a gap. */
export function pathsOf(values: SparkValues, length: number): readonly (readonly string[])[] {
  const step = WIDTH / Math.max(1, length - 1);
  const first = WIDTH - (values.length - 1) * step;
  const paths: string[][] = [];
  let path: string[] = [];
  values.forEach((value, at) => {
    if (value === null) {
      path = [];
      return;
    }
    if (path.length === 0) paths.push(path);
    const y = (1 - Math.min(100, Math.max(0, value)) / 100) * HEIGHT;
    path.push(`${(first + at * step).toFixed(1)},${y.toFixed(1)}`);
  });
  return paths;
}

function closed(points: readonly string[]): string {
  const [from = ''] = points;
  const to = points.at(-1) ?? from;
  const x = (point: string): string => point.slice(0, point.indexOf(','));
  return `M${x(from)},${HEIGHT} L${points.join(' L')} L${x(to)},${HEIGHT} Z`;
}
