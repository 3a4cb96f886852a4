import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { firstAloneNote } from '../../preload/contract/plans/index';
import type { MatchedPair, RunComparison } from '../../preload/contract/run-comparison';
import { listedPairs } from '../state/index';
import { Section } from '../widgets/index';
import type { NamedRow } from './figures-table';
import { MetricSelect, useMetric } from './metric-select';
import { PairTable, type ShownPair } from './pair-table';
import { ShowMore, useVisibleRows } from './show-more';
import styles from './tables.module.css';

type Budget = 'as-run' | MatchedPair['axis'];

const BUDGETS: readonly { readonly value: Budget; readonly label: string; readonly unit: string }[] = [
  { value: 'as-run', label: 'As run', unit: '' },
  { value: 'tokens', label: 'Equal tokens', unit: 'tokens' },
  { value: 'gpu-hours', label: 'Equal GPU-hours', unit: 'GPU-hours' },
];

/** Differences between every two configurations in a metric, over the problems both have finished. */
export function PairsSection(props: {
  readonly comparison: Pick<RunComparison, 'analysis' | 'matched'>;
  readonly rows: readonly NamedRow[];
}) {
  const { comparison, rows } = props;
  const { analysis, matched } = comparison;
  const [metric, setMetric] = useMetric();
  const [chosen, setBudget] = useState<Budget>('as-run');
  const budgets = BUDGETS.filter(
    ({ value }) => value === 'as-run' || matched.some(({ axis }) => axis === value),
  );
  const budget = budgets.find(({ value }) => value === chosen) ?? BUDGETS[0];
  const pairs = useMemo<readonly ShownPair[]>(
    () => (budget?.unit ? matched.filter(({ axis }) => axis === budget.value) : analysis.pairs),
    [analysis.pairs, matched, budget],
  );
  const list = useMemo(() => listedPairs(pairs, metric), [pairs, metric]);
  const { shown, hidden, more } = useVisibleRows(list.pairs);
  return (
    <Section
      title="Differences"
      aside={
        <>
          {budgets.length > 1 && (
            <SegmentedControl
              aria-label="Budget of the differences"
              value={budget?.value ?? 'as-run'}
              data={budgets.map(({ value, label }) => ({ value, label }))}
              onChange={(value) => setBudget(BUDGETS.find((one) => one.value === value)?.value ?? 'as-run')}
            />
          )}
          {list.metrics.length > 0 && (
            <>
              <MetricSelect
                label="Metric of the differences"
                has={(id) => list.metrics.includes(id)}
                value={list.metric}
                onChange={setMetric}
              />
              <span className={styles.soft}>most significant first</span>
            </>
          )}
        </>
      }
    >
      {pairs.length === 0 ? (
        <p className={styles.soft}>
          {rows.length < 2
            ? 'Choose at least two configurations to see differences.'
            : 'No problem is finished by every configuration yet.'}
        </p>
      ) : (
        <PairTable
          label="Differences of configurations"
          rows={rows}
          pairs={list.pairs}
          shown={shown}
          oneMetric={list.metric !== null}
        />
      )}
      <ShowMore hidden={hidden} noun="pair" onMore={more} />
      {budget?.unit && (
        <p className={styles.basis}>
          In each pair, the configuration that uses more {budget.unit} is cut: all its trees at one limit, so
          that both use the same total. {firstAloneNote(analysis.rows)}
        </p>
      )}
    </Section>
  );
}
