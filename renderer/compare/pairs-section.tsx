import { memo, useMemo, useState } from 'react';
import type { Analysis, MetricName, Pair } from '../../preload/contract/analysis';
import { listedPairs } from '../state/index';
import { METRICS } from '../text/metrics';
import { count, percent, percentRange, pointsDifference, ratio, Section, Select } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import { ShowMore, useVisibleRows } from './show-more';
import styles from './tables.module.css';

/** The largest absolute bound of all intervals: the common scale of the bars. */
export function maxDistance(pairs: readonly Pick<Pair, 'low' | 'high'>[]): number {
  return pairs.reduce((most, { low, high }) => Math.max(most, Math.abs(low), Math.abs(high)), 0.01);
}

export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

export function testText({ test, first, second }: Pick<Pair, 'test' | 'first' | 'second'>): string {
  const only = `${test.onlyFirst} problems solved only by ${first}, ${test.onlySecond} only by ${second}`;
  return test.kind === 'mcnemar' ? `Exact McNemar test: ${only}` : `Paired bootstrap: ${only}`;
}

const ODDS_HINT =
  'Effect size: problems on which the first does better for each on which the second does, with its exact 95 % interval over problems. A dash: they differ on no problem';

/** Differences between every two configurations in a metric, over the problems both have finished. */
export function PairsSection(props: { readonly analysis: Analysis; readonly rows: readonly NamedRow[] }) {
  const { analysis, rows } = props;
  const [metric, setMetric] = useState<MetricName>('pass@1(mcts)');
  const list = useMemo(() => listedPairs(analysis.pairs, metric), [analysis.pairs, metric]);
  const range = useMemo(() => maxDistance(list.pairs), [list.pairs]);
  const { shown, hidden, more } = useVisibleRows(list.pairs);
  return (
    <Section
      title="Differences"
      aside={
        list.metrics.length > 0 && (
          <>
            <Select
              aria-label="Metric of the differences"
              w={160}
              allowDeselect={false}
              value={list.metric}
              data={METRICS.filter(({ id }) => list.metrics.includes(id)).map(({ id, label }) => ({
                value: id,
                label,
              }))}
              onChange={(value) => setMetric(METRICS.find(({ id }) => id === value)?.id ?? 'pass@1(mcts)')}
            />
            <span className={styles.soft}>most significant first</span>
          </>
        )
      }
    >
      {analysis.pairs.length === 0 ? (
        <p className={styles.soft}>
          {rows.length < 2
            ? 'Choose at least two configurations to see differences.'
            : 'No problem is finished by every configuration yet.'}
        </p>
      ) : (
        <PairTable rows={rows} pairs={shown} oneMetric={list.metric !== null} range={range} />
      )}
      <ShowMore hidden={hidden} noun="pair" onMore={more} />
    </Section>
  );
}

function PairTable(props: {
  readonly rows: readonly NamedRow[];
  readonly pairs: readonly Pair[];
  /** All pairs are of one metric, so its column is hidden. */
  readonly oneMetric: boolean;
  readonly range: number;
}) {
  const { rows, pairs, oneMetric, range } = props;
  const withOdds = pairs.some(({ oddsRatio }) => oddsRatio !== null);
  const colors = useMemo(() => new Map(rows.map(({ name, color }) => [name, color])), [rows]);
  return (
    <div className={styles.wide}>
      <table className={styles.pairs} aria-label="Differences of configurations">
        <thead>
          <tr>
            {!oneMetric && <th scope="col">Metric</th>}
            <th scope="col" className={styles.pair}>
              Pair
            </th>
            <th scope="col" title="In percentage points">
              Difference, pp
            </th>
            <th scope="col" colSpan={2}>
              Interval
            </th>
            {withOdds && (
              <th scope="col" title={ODDS_HINT}>
                Odds ratio
              </th>
            )}
            <th scope="col">Problems</th>
            <th scope="col" title="Two-sided; corrected over the pairs of the metric (Holm)">
              p, corrected
            </th>
            <th scope="col" className={styles.significant}>
              Significant
            </th>
            <th scope="col" title="Smallest true difference that this comparison detects with 80 % power">
              Detectable, pp
            </th>
            <th scope="col" title="Problems needed to detect this difference with 80 % power">
              Problems needed
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <PairRow
              key={`${pair.metric} ${pair.first} ${pair.second}`}
              pair={pair}
              oneMetric={oneMetric}
              withOdds={withOdds}
              range={range}
              firstColor={colors.get(pair.first) ?? ''}
              secondColor={colors.get(pair.second) ?? ''}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Memoised: rows appear a few per frame. */
const PairRow = memo(function PairRow(props: {
  readonly pair: Pair;
  readonly oneMetric: boolean;
  readonly withOdds: boolean;
  readonly range: number;
  readonly firstColor: string;
  readonly secondColor: string;
}) {
  const { pair, oneMetric, withOdds, range, firstColor, secondColor } = props;
  return (
    <tr>
      {!oneMetric && <td>{METRICS.find(({ id }) => id === pair.metric)?.label ?? pair.metric}</td>}
      <td className={styles.pair}>
        <ConfigurationName name={pair.first} color={firstColor} /> <span className={styles.soft}>minus</span>{' '}
        <ConfigurationName name={pair.second} color={secondColor} />
      </td>
      <td>{pointsDifference(pair.difference)}</td>
      <td className={styles.soft}>{percentRange(pair.low, pair.high)}</td>
      <td>
        <DifferenceBar pair={pair} range={range} color={firstColor} />
      </td>
      {withOdds && <OddsCell pair={pair} />}
      <td>{pair.problems}</td>
      <td title={testText(pair)}>{pText(pair.test.pHolm)}</td>
      <td className={styles.significant}>{pair.separable ? 'yes' : 'no'}</td>
      <td className={styles.soft}>{pair.detectable === null ? '–' : percent(pair.detectable)}</td>
      <td className={styles.soft}>{pair.problemsNeeded === null ? '–' : count(pair.problemsNeeded)}</td>
    </tr>
  );
});

function OddsCell({ pair: { oddsRatio: odds, test, first, second } }: { readonly pair: Pair }) {
  if (odds === null) return <td className={styles.missing}>–</td>;
  return (
    <td title={`${first} does better on ${test.onlyFirst} problems, ${second} on ${test.onlySecond}`}>
      {ratio(odds.value)}{' '}
      <span className={styles.soft}>
        {ratio(odds.low)} – {ratio(odds.high)}
      </span>
    </td>
  );
}

/** The interval of a difference around zero; `range`: the common scale. */
export function DifferenceBar(props: {
  readonly pair: Pick<Pair, 'difference' | 'low' | 'high'>;
  readonly range: number;
  readonly color: string;
}) {
  const { pair, range, color } = props;
  const at = (difference: number): string => `${50 + (46 * difference) / range}%`;
  return (
    <svg className={styles.differenceBar} height="12" aria-hidden="true">
      <line x1="0" x2="100%" y1="6" y2="6" className={styles.track} />
      <line x1="50%" x2="50%" y1="0" y2="12" className={styles.zero} />
      <line x1={at(pair.low)} x2={at(pair.high)} y1="6" y2="6" stroke={color} strokeWidth="2" opacity="0.5" />
      <circle cx={at(pair.difference)} cy="6" r="3" fill={color} />
    </svg>
  );
}
