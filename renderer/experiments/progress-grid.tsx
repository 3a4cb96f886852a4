import type { ExperimentView } from '../../preload/contract/experiment';
import { addressOf, readyValue, useTrainings } from '../state/index';
import { configurationColor } from '../theme/index';
import { Section } from '../widgets/index';
import styles from './experiments.module.css';
import { progressSquares, type Square, type SquareKind, squareCounts } from './progress-squares';
import grid from './squares.module.css';
import { TrainingMark } from './training-mark';

const LEGEND: readonly { readonly kind: SquareKind; readonly words: string }[] = [
  { kind: 'done', words: 'done' },
  { kind: 'running', words: 'training' },
  { kind: 'queued', words: 'starting' },
  { kind: 'stopped', words: 'stopped' },
  { kind: 'failed', words: 'failed' },
  { kind: 'unknown', words: 'not seen' },
  { kind: 'gone', words: 'removed' },
  { kind: 'waiting', words: 'waiting' },
];

/** Every training of the experiment as a square that leads to it. */
export function ProgressGrid({ view }: { readonly view: ExperimentView }) {
  const rows = progressSquares(view, readyValue(useTrainings()));
  const counts = squareCounts(rows);
  return (
    <Section title="Trainings">
      <div className={styles.wide}>
        <table className={grid.squares} aria-label="Trainings by row and seed">
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
        </table>
      </div>
      <ul className={styles.legend} aria-label="What the squares say">
        {LEGEND.filter(({ kind }) => counts.has(kind)).map(({ kind, words }) => (
          <li key={kind}>
            <TrainingMark kind={kind} />
            {counts.get(kind)} {words}
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
      href={`#${addressOf({ kind: 'training', trainingId, tab: 'curves' })}`}
      aria-label={title}
      title={title}
    >
      {mark}
    </a>
  );
}
