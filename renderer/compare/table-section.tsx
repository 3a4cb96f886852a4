import { useMemo } from 'react';
import type { RunComparison } from '../../preload/contract/run-comparison';
import { EstimateTable, MethodNotes, ScaleTag } from '../shared/studies/index';
import { useStoredState } from '../state/index';
import { METRICS, measuredMetrics } from '../text/metrics';
import { plural, Section, Select } from '../widgets/index';
import styles from './compare.module.css';
import { estimateRows, factColumns, orderedRows, type TableOrder } from './estimate-rows';
import type { NamedRow } from './figures-table';
import { ShowMore, useVisibleRows } from './show-more';

/** With this many rows or fewer there is no choice of order. */
const FEW = 4;

/** Configurations by metrics, with intervals, group letters, n and seeds. */
export function TableSection(props: {
  readonly comparison: RunComparison;
  readonly rows: readonly NamedRow[];
  readonly onOpen: (configuration: string) => void;
}) {
  const { comparison, rows } = props;
  const { analysis } = comparison;
  const [order, setOrder] = useStoredState<TableOrder>('compare.rows', 'given', orderNamed);
  const metrics = useMemo(() => measuredMetrics(analysis), [analysis]);
  const facts = useMemo(() => factColumns(analysis), [analysis]);
  const lines = useMemo(
    () => estimateRows(comparison, orderedRows(rows, analysis, order)),
    [comparison, rows, analysis, order],
  );
  const { shown, hidden, more } = useVisibleRows(lines);
  const scales = [...new Set(analysis.rows.map(({ scale }) => scale))];
  return (
    <Section
      title="Configurations"
      aside={
        rows.length > FEW && (
          <Select
            aria-label="Order of the rows"
            w={190}
            allowDeselect={false}
            value={order}
            data={[
              { value: 'given', label: 'Selected order' },
              ...metrics.map(({ id, label }) => ({ value: id, label: `Highest ${label} first` })),
            ]}
            onChange={(value) => setOrder(orderNamed(value) ?? 'given')}
          />
        )
      }
    >
      <EstimateTable
        label="Comparison of configurations"
        columns={metrics}
        facts={facts}
        rows={shown}
        onOpen={props.onOpen}
      />
      <ShowMore hidden={hidden} noun="configuration" onMore={more} />
      <div className={styles.foot}>
        <ScaleTag scale={scales} />
        <MethodNotes
          analysis={analysis}
          columns={metrics}
          facts={facts}
          unfinished="the runs are not finished"
        />
        {analysis.differingVerdicts > 0 && (
          <span>
            {plural(analysis.differingVerdicts, 'verdict')}{' '}
            {analysis.differingVerdicts === 1 ? 'depends' : 'depend'} on the grading mode: as a program, or as
            published.
          </span>
        )}
      </div>
    </Section>
  );
}

function orderNamed(name: string | null): TableOrder | null {
  return METRICS.find(({ id }) => id === name)?.id ?? null;
}
