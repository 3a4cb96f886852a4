import { useMemo, useState } from 'react';
import type { PartPair } from '../../preload/contract/analysis';
import { Disclosure, percentRange, plural, pointsDifference } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import { DifferenceBar, maxDistance, pText, testText } from './pairs-section';
import { ShowMore, useVisibleRows } from './show-more';
import styles from './tables.module.css';

const CORRECTED = 'Two-sided; corrected over all parts and pairs of this table (Holm)';
/** More parts in a line are not read. */
const MOST_NAMED = 3;

/** "heterogeneous minus single in hard": where configurations differ significantly, for the line above the table. */
function findingText(pairs: readonly PartPair[]): string {
  const found = pairs.filter(({ separable }) => separable);
  const named = found
    .slice(0, MOST_NAMED)
    .map(({ first, second, part }) => `${first} minus ${second} in ${part}`);
  const rest = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '';
  const which = found.length === 0 ? '' : `: ${named.join(', ')}${rest}`;
  return `${found.length} of ${plural(pairs.length, 'difference')} significant${which}`;
}

/** The differences between configurations in each part of the problems; `pairs`: those of one grouping and metric. */
export function PartDifferences(props: {
  readonly pairs: readonly PartPair[];
  readonly rows: readonly NamedRow[];
}) {
  const { pairs, rows } = props;
  const [open, setOpen] = useState(false);
  const { shown, hidden, more } = useVisibleRows(pairs);
  const range = useMemo(() => maxDistance(pairs), [pairs]);
  const colors = useMemo(() => new Map(rows.map(({ name, color }) => [name, color])), [rows]);
  if (pairs.length === 0) return null;
  return (
    <Disclosure
      label="Differences in each group"
      note={findingText(pairs)}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      <div className={styles.wide}>
        <table className={styles.pairs} aria-label="Differences in each group">
          <thead>
            <tr>
              <th scope="col" className={styles.pair}>
                Pair
              </th>
              <th scope="col">Group</th>
              <th scope="col">Difference, pp</th>
              <th scope="col" colSpan={2}>
                Interval
              </th>
              <th scope="col">Problems</th>
              <th scope="col" title={CORRECTED}>
                p, corrected
              </th>
              <th scope="col" className={styles.significant}>
                Significant
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((pair) => (
              <tr key={`${pair.first} ${pair.second} ${pair.part}`}>
                <td className={styles.pair}>
                  <ConfigurationName name={pair.first} color={colors.get(pair.first) ?? ''} />{' '}
                  <span className={styles.soft}>minus</span>{' '}
                  <ConfigurationName name={pair.second} color={colors.get(pair.second) ?? ''} />
                </td>
                <td>{pair.part}</td>
                <td>{pointsDifference(pair.difference)}</td>
                <td className={styles.soft}>{percentRange(pair.low, pair.high)}</td>
                <td>
                  <DifferenceBar pair={pair} range={range} color={colors.get(pair.first) ?? ''} />
                </td>
                <td>{pair.problems}</td>
                <td title={testText(pair)}>{pText(pair.test.pHolm)}</td>
                <td className={styles.significant}>{pair.separable ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore hidden={hidden} noun="difference" onMore={more} />
    </Disclosure>
  );
}
