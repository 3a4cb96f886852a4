import type { ExperimentView } from '../../preload/contract/experiment';
import { pathOf, readyValue, useTrainings } from '../state/index';
import { configurationColor } from '../theme/index';
import { Section, WideTable } from '../widgets/index';
import styles from './experiments.module.css';
import { progressSquares, type Square, type SquareKind, squareCounts } from './progress-squares';
import grid from './squares.module.css';

const LEGEND: readonly { readonly kind: SquareKind; readonly label: string }[] = [
  { kind: 'done', label: 'done' },
  { kind: 'running', label: 'training' },
  { kind: 'queued', label: 'starting' },
  { kind: 'stopped', label: 'stopped' },
  { kind: 'failed', label: 'failed' },
  { kind: 'unknown', label: 'unknown' },
  { kind: 'gone', label: 'removed' },
  { kind: 'waiting', label: 'waiting' },
];

/** Every training of the experiment as a square that links to it. */
export function ProgressGrid({ view }: { readonly view: ExperimentView }) {
  const rows = progressSquares(view, readyValue(useTrainings()));
  const counts = squareCounts(rows);
  return (
    <Section title="Trainings">
      <WideTable className={grid.squares} label="Trainings by row and seed">
        <thead>
          <tr>
            <th scope="col" className={grid.row}>
              <span className={styles.soft}>Seed</span>
            </th>
            {view.order.seeds.map((seed) => (
              <th key={seed} scope="col" className={grid.seed}>
                {seed}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, squares }, position) => (
            <tr key={label}>
              <th scope="row" className={grid.row}>
                <i className={styles.swatch} style={{ background: configurationColor(position) }} />
                {label}
              </th>
              {squares.map((square) => (
                <td key={square.seed}>
                  <SquareLink square={square} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </WideTable>
      <ul className={styles.legend} aria-label="Legend">
        {LEGEND.filter(({ kind }) => counts.has(kind)).map(({ kind, label }) => (
          <li key={kind}>
            <TrainingMark kind={kind} />
            {counts.get(kind)} {label}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function SquareLink({ square }: { readonly square: Square }) {
  const { kind, share, hasAlarm, trainingId, title } = square;
  const mark = <TrainingMark kind={kind} share={share} hasAlarm={hasAlarm} />;
  return trainingId === null ? (
    <span className={grid.square} role="img" aria-label={title} title={title}>
      {mark}
    </span>
  ) : (
    <a
      className={grid.square}
      href={`#${pathOf({ kind: 'training', trainingId, tab: 'curves' })}`}
      aria-label={title}
      title={title}
    >
      {mark}
    </a>
  );
}

/** The icon of a training, distinguished by shape as well as colour. Decorative: not read by screen readers. */
function TrainingMark(props: {
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
      return <rect className={styles.done} x="1" y="1" width="12" height="12" rx="2" />;
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
