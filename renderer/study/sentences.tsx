import type { Analysis } from '../../preload/contract/analysis';
import type { Study } from '../../preload/contract/study';
import { configurationsOf, METRICS } from '../state/index';
import { configurationColor } from '../theme/index';
import { percentRange, pointsDifference } from '../widgets/index';
import styles from './study.module.css';

/** What can and what can not be said. */
export function Sentences(props: { readonly analysis: Analysis | null }) {
  if (props.analysis === null) return null;
  const { sentences } = props.analysis;
  if (sentences.length === 0) {
    return <p className={styles.soft}>Nothing can be said before the first problems are graded.</p>;
  }
  return (
    <ul className={styles.sentences} aria-label="What can be said">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** The differences of every two configurations, metric by metric, over the problems that both have finished. */
export function PairTable(props: { readonly study: Study; readonly analysis: Analysis }) {
  const { study, analysis } = props;
  const configurations = configurationsOf(study);
  const color = (name: string): string => configurationColor(configurations.indexOf(name));
  return (
    <table className={styles.pairs} aria-label="Differences of configurations">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col">Pair</th>
          <th scope="col">Difference, points</th>
          <th scope="col">Interval</th>
          <th scope="col">n</th>
          <th scope="col">Told apart</th>
        </tr>
      </thead>
      <tbody>
        {analysis.pairs.map((pair) => (
          <tr key={`${pair.metric} ${pair.first} ${pair.second}`}>
            <td>{METRICS.find(({ id }) => id === pair.metric)?.label ?? pair.metric}</td>
            <td>
              <i style={{ background: color(pair.first) }} />
              {pair.first} <span className={styles.soft}>minus</span>{' '}
              <i style={{ background: color(pair.second) }} />
              {pair.second}
            </td>
            <td>{pointsDifference(pair.difference)}</td>
            <td className={styles.soft}>{percentRange(pair.low, pair.high)}</td>
            <td>{pair.problems}</td>
            <td>{pair.separable ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
