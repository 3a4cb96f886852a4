import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { ExperimentPair, ExperimentView } from '../../preload/contract/experiment';
import {
  ALIKE_NOTE,
  differsByBothTests,
  hasWidth,
  ODDS_NOTE,
  oddsRatioText,
  signedText,
} from '../../preload/contract/plans/index';
import { configurationColor } from '../theme/index';
import {
  EmptyState,
  plural,
  pointsDifference,
  Section,
  Select,
  spreadRange,
  WideTable,
} from '../widgets/index';
import styles from './experiments.module.css';
import { listedPairs, pCell } from './pair-list';
import paper from './results.module.css';
import { RESULT_GROUPS } from './results-table';

const STILL = { transitionProps: { duration: 0 } };

/** The difference between every two rows, with raw and corrected p-values. */
export function PairsSection(props: {
  readonly view: ExperimentView;
  readonly pairs: readonly ExperimentPair[];
}) {
  const { view, pairs } = props;
  const [measure, setMeasure] = useState('pass@1(mcts) alone');
  const [label, setLabel] = useState<string | null>(null);
  const [significantOnly, setSignificantOnly] = useState(false);
  const [all, setAll] = useState(false);
  if (pairs.length === 0) return null;
  const list = listedPairs(pairs, { measure, label, significantOnly, all });
  const labels = view.order.rows.map((row) => row.label);
  return (
    <Section
      title="Differences"
      aside={
        <div className={paper.tools}>
          <Select
            aria-label="Measure of the differences"
            w={190}
            allowDeselect={false}
            comboboxProps={STILL}
            value={list.measure}
            data={list.measures.map(({ id, metric, part }) => ({
              value: id,
              label: `${RESULT_GROUPS.find((group) => group.metric === metric)?.label ?? metric}, ${part}`,
            }))}
            onChange={(value) => value !== null && setMeasure(value)}
          />
          <Select
            aria-label="Pairs with"
            w={230}
            allowDeselect={false}
            comboboxProps={STILL}
            value={label ?? ''}
            data={[
              { value: '', label: 'All pairs' },
              ...labels.map((value) => ({ value, label: `With ${value}` })),
            ]}
            onChange={(value) => setLabel(value === '' ? null : value)}
          />
          <Checkbox
            size="xs"
            label="Significant only"
            checked={significantOnly}
            onChange={(event) => setSignificantOnly(event.currentTarget.checked)}
          />
          <span className={styles.soft}>most significant first</span>
        </div>
      }
    >
      {list.pairs.length === 0 ? (
        <EmptyState title="No pairs">
          {significantOnly ? 'No significant differences.' : 'These rows share no seeds and problems yet.'}
        </EmptyState>
      ) : (
        <PairTable pairs={list.pairs} labels={labels} />
      )}
      {list.hidden > 0 && (
        <Button variant="subtle" size="compact-xs" mt={4} ml={-7} onClick={() => setAll(true)}>
          Show {plural(list.hidden, 'more pair')}
        </Button>
      )}
    </Section>
  );
}

function PairTable(props: { readonly pairs: readonly ExperimentPair[]; readonly labels: readonly string[] }) {
  const { pairs, labels } = props;
  const row = (label: string) => (
    <span>
      <i className={styles.swatch} style={{ background: configurationColor(labels.indexOf(label)) }} />
      {label}
    </span>
  );
  return (
    <WideTable numbers className={paper.pairs} label="Differences of rows">
      <thead>
        <tr>
          <th scope="col" className={paper.words}>
            Pair
          </th>
          <th scope="col">{pairs[0]?.metric === 'da@k' ? 'Difference' : 'Difference, pp'}</th>
          <th scope="col" title={ALIKE_NOTE}>
            95 % interval
          </th>
          <th scope="col" title={ODDS_NOTE}>
            Odds ratio
          </th>
          <th scope="col" title="Two-sided sign-flip test over problems, on means over seeds">
            p over problems
          </th>
          <th scope="col" title="Two-sided paired t-test over seeds: would retraining show the difference?">
            p over seeds
          </th>
          <th
            scope="col"
            title="The larger of the two, Holm-corrected over all pairs of the measure; 1 over fewer than three seeds"
          >
            p corrected
          </th>
          <th scope="col" className={paper.words} title="p corrected is below 0.05">
            Significant
          </th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair) => (
          <tr key={`${pair.first} ${pair.second}`}>
            <td className={paper.words}>
              {row(pair.first)} <span className={styles.soft}>minus</span> {row(pair.second)}
            </td>
            <td>{differenceText(pair, pair.difference)}</td>
            <td className={paper.soft}>
              {!hasWidth(pair)
                ? '–'
                : pair.metric === 'da@k'
                  ? `${signedText(pair.low, 2)} – ${signedText(pair.high, 2)}`
                  : spreadRange(pair.low, pair.high, pair.seedSpread)}
            </td>
            <td className={paper.soft}>{oddsRatioText(pair.oddsRatio)}</td>
            <td className={paper.soft}>{pCell(pair.pProblems)}</td>
            <td className={paper.soft}>{pCell(pair.pSeeds)}</td>
            <td>{pCell(pair.pHolm)}</td>
            <td className={paper.words}>{differsByBothTests(pair) ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

function differenceText(pair: ExperimentPair, value: number): string {
  return pair.metric === 'da@k' ? signedText(value, 2) : pointsDifference(value);
}
