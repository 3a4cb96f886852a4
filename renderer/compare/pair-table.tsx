import { memo, useMemo } from 'react';
import type { Pair, PartPair } from '../../preload/contract/analysis';
import { ALIKE_NOTE, ODDS_NOTE, pText, ratioText } from '../../preload/contract/plans/index';
import type { MatchedPair } from '../../preload/contract/run-comparison';
import { METRICS } from '../text/metrics';
import { count, percent, plural, pointsDifference, spreadRange, WideTable } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import styles from './tables.module.css';

/** A difference over all problems, over a part of them, or at equal budgets. */
export type ShownPair = Omit<PartPair, 'by' | 'part'> &
  Partial<Pick<PartPair, 'part'>> &
  Partial<Pick<Pair, 'detectable' | 'problemsNeeded'>> &
  Partial<Pick<MatchedPair, 'axis' | 'cut'>>;

const HINTS = {
  interval: `95 %, over problems and, where there are several, seeds (SD: their standard deviation). ${ALIKE_NOTE}`,
  odds: `Effect size. ${ODDS_NOTE} A dash: they differ on no problem`,
  corrected:
    'Two-sided; corrected (Holm) over the pairs of the metric, and over all groups where there are any',
  cut: 'Which of the two is cut, and where, so that both use the same total',
  detectable:
    'The true difference, in points, that 4 of 5 studies with these problems (and seeds) would find',
  needed:
    'Problems needed to find this difference in 4 of 5 studies. With several seeds: a dash, as more problems do not narrow the spread of the seeds',
};

/** Columns that only some tables have; one without a value is not shown. */
type Columns = {
  readonly part: boolean;
  readonly odds: boolean;
  readonly cut: boolean;
  readonly power: boolean;
};

function columnsOf(pairs: readonly ShownPair[]): Columns {
  return {
    part: pairs.some(({ part }) => part !== undefined),
    odds: pairs.some(({ oddsRatio }) => oddsRatio != null),
    cut: pairs.some(({ cut }) => cut != null),
    power: pairs.some(({ detectable, problemsNeeded }) => detectable != null || problemsNeeded != null),
  };
}

/** The largest absolute bound of all intervals: the common scale of the bars. */
function maxDistance(pairs: readonly ShownPair[]): number {
  return pairs.reduce((most, { low, high }) => Math.max(most, Math.abs(low), Math.abs(high)), 0.01);
}

/** `shown`: those of `pairs` that are rendered now; columns and the scale of the bars are those of all. */
export function PairTable(props: {
  readonly label: string;
  readonly rows: readonly NamedRow[];
  readonly pairs: readonly ShownPair[];
  readonly shown: readonly ShownPair[];
  /** All pairs are of one metric, which is named above the table. */
  readonly oneMetric: boolean;
}) {
  const { label, rows, pairs, shown, oneMetric } = props;
  const metrics = [...new Set(shown.map(({ metric }) => metric))];
  const columns = useMemo(() => columnsOf(pairs), [pairs]);
  const range = useMemo(() => maxDistance(pairs), [pairs]);
  const colors = useMemo(() => new Map(rows.map(({ name, color }) => [name, color])), [rows]);
  return (
    <WideTable className={styles.pairs} label={label}>
      <TableHead columns={columns} />
      {metrics.map((metric) => (
        <tbody key={metric}>
          {!oneMetric && (
            <tr>
              <th scope="rowgroup" colSpan={10} className={styles.group}>
                <span>{METRICS.find(({ id }) => id === metric)?.label ?? metric}</span>
              </th>
            </tr>
          )}
          {shown
            .filter((pair) => pair.metric === metric)
            .map((pair) => (
              <PairRow
                key={`${pair.first} ${pair.second} ${pair.part}`}
                pair={pair}
                columns={columns}
                range={range}
                firstColor={colors.get(pair.first) ?? ''}
                secondColor={colors.get(pair.second) ?? ''}
              />
            ))}
        </tbody>
      ))}
    </WideTable>
  );
}

function TableHead({ columns }: { readonly columns: Columns }) {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.pair}>
          Pair
        </th>
        {columns.part && <th scope="col">Group</th>}
        <th scope="col" title="In percentage points">
          Difference, pp
        </th>
        <th scope="col" colSpan={2} title={HINTS.interval}>
          Interval
        </th>
        {columns.odds && (
          <th scope="col" title={HINTS.odds}>
            Odds ratio
          </th>
        )}
        <th scope="col">Problems</th>
        <th scope="col" title={HINTS.corrected}>
          p, corrected
        </th>
        <th scope="col" className={styles.significant}>
          Significant
        </th>
        {columns.cut && (
          <th scope="col" title={HINTS.cut}>
            Limit of a tree
          </th>
        )}
        {columns.power && (
          <>
            <th scope="col" title={HINTS.detectable}>
              Detectable, pp
            </th>
            <th scope="col" title={HINTS.needed}>
              Problems needed
            </th>
          </>
        )}
      </tr>
    </thead>
  );
}

/** Memoised: rows appear a few per frame. */
const PairRow = memo(function PairRow(props: {
  readonly pair: ShownPair;
  readonly columns: Columns;
  readonly range: number;
  readonly firstColor: string;
  readonly secondColor: string;
}) {
  const { pair, columns, range, firstColor, secondColor } = props;
  return (
    <tr>
      <td className={styles.pair}>
        <ConfigurationName name={pair.first} color={firstColor} />{' '}
        <span className={styles.second}>
          <span className={styles.soft}>minus</span>{' '}
          <ConfigurationName name={pair.second} color={secondColor} />
        </span>
      </td>
      {columns.part && <td>{pair.part}</td>}
      <td>{pointsDifference(pair.difference)}</td>
      <td className={styles.soft}>{spreadRange(pair.low, pair.high, pair.seedSpread)}</td>
      <td>
        <DifferenceBar pair={pair} range={range} color={firstColor} />
      </td>
      {columns.odds && <OddsCell pair={pair} />}
      <td>{pair.problems}</td>
      <td title={testText(pair)}>{pText(pair.test.pHolm)}</td>
      <td className={styles.significant}>{pair.separable ? 'yes' : 'no'}</td>
      {columns.cut && <td>{cutText(pair)}</td>}
      {columns.power && (
        <>
          <td className={styles.soft}>{pair.detectable == null ? '–' : percent(pair.detectable)}</td>
          <td className={styles.soft}>{pair.problemsNeeded == null ? '–' : count(pair.problemsNeeded)}</td>
        </>
      )}
    </tr>
  );
});

const TESTS = {
  mcnemar: 'Exact McNemar test',
  bootstrap: 'Paired bootstrap',
  'two-level': 'Paired bootstrap over problems and seeds',
  seeds: 'Paired t test over the seeds',
} as const satisfies Record<ShownPair['test']['kind'], string>;

function testText({ test, first, second }: ShownPair): string {
  const only = `${plural(test.onlyFirst, 'problem')} solved only by ${first}, ${test.onlySecond} only by ${second}`;
  return `${TESTS[test.kind]}: ${only}`;
}

function cutText({ axis, cut }: ShownPair): string {
  if (cut == null) return 'neither';
  const limit = axis === 'tokens' ? count(cut.limit) : `${cut.limit.toPrecision(3)} GPU-h`;
  return `${cut.configuration}: ${limit}`;
}

function OddsCell({ pair: { oddsRatio: odds, test, first, second } }: { readonly pair: ShownPair }) {
  if (odds == null) return <td className={styles.missing}>–</td>;
  return (
    <td title={`${first} does better on ${test.onlyFirst} problems, ${second} on ${test.onlySecond}`}>
      {ratioText(odds.value)}{' '}
      <span className={styles.soft}>
        {ratioText(odds.low)} – {ratioText(odds.high)}
      </span>
    </td>
  );
}

/** The interval of a difference around zero; `range`: the common scale. */
function DifferenceBar(props: {
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
