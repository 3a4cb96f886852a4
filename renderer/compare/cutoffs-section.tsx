import { Anchor } from '@mantine/core';
import type { MetricName } from '../../preload/contract/analysis';
import type { CutoffSplit } from '../../preload/contract/run-comparison';
import { useWorkbench } from '../state/index';
import { METRICS } from '../text/metrics';
import { percent, plural, pointsDifference, Section, spreadRange, WideTable } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import { MetricSelect, useMetric } from './metric-select';
import styles from './tables.module.css';

type Part = CutoffSplit['parts'][number];

/** Models of the comparison without a cut-off, each once. */
function unknownModels(splits: readonly CutoffSplit[]): string[] {
  const unknown = splits.flatMap(({ models }) => models.filter(({ cutoff }) => cutoff === null));
  return [...new Set(unknown.map(({ model }) => model))];
}

/**
 * Results on problems from before and after what a model can have seen in its training; nothing where problems have no
 * dates.
 */
export function CutoffsSection(props: {
  readonly splits: readonly CutoffSplit[];
  readonly rows: readonly NamedRow[];
}) {
  const { splits, rows } = props;
  const { location } = useWorkbench();
  const [chosen, setMetric] = useMetric();
  if (splits.length === 0) return null;
  const unknown = unknownModels(splits);
  const has = (id: MetricName): boolean =>
    splits.some(({ parts }) => parts.some(({ metric }) => metric === id));
  const metric = has(chosen) ? chosen : METRICS.find(({ id }) => has(id))?.id;
  const shown = splits.filter(({ parts }) => parts.some((part) => part.metric === metric));
  return (
    <Section
      title="Before and after the training cut-off"
      aside={
        <MetricSelect
          label="Metric before and after the cut-off"
          has={has}
          value={metric ?? null}
          onChange={setMetric}
        />
      }
    >
      {shown.length > 0 && metric !== undefined && <SplitTable splits={shown} metric={metric} rows={rows} />}
      {unknown.length > 0 && (
        <p className={styles.soft}>
          {unknown.length === 1 ? 'The cut-off of' : 'The cut-offs of'} {unknown.join(', ')}{' '}
          {unknown.length === 1 ? 'is' : 'are'} not set.{' '}
          <Anchor
            component="button"
            type="button"
            fz="inherit"
            onClick={() => location.go({ kind: 'settings', entry: 'Training cut-offs' })}
          >
            Set training cut-offs
          </Anchor>
        </p>
      )}
    </Section>
  );
}

function SplitTable(props: {
  readonly splits: readonly CutoffSplit[];
  readonly metric: MetricName;
  readonly rows: readonly NamedRow[];
}) {
  const { splits, metric, rows } = props;
  const colorOf = (name: string): string => rows.find((row) => row.name === name)?.color ?? '';
  return (
    <WideTable className={styles.figures} label="Before and after the training cut-off">
      <thead>
        <tr>
          <th scope="col">Configuration</th>
          <th scope="col" title="The latest of its models; problems of that month or day count as before">
            Cut-off
          </th>
          <th scope="col">Before, %</th>
          <th scope="col">After, %</th>
          <th scope="col" title="In percentage points; other problems, so not paired (Newcombe's interval)">
            After minus before, pp
          </th>
        </tr>
      </thead>
      <tbody>
        {splits.map(({ configuration, cutoff, models, parts, undated }) => {
          const part = parts.find((one) => one.metric === metric);
          const basis = models.map(({ model, cutoff: own }) => `${model}: ${own}`).join(', ');
          const left = undated === 0 ? '' : `; ${plural(undated, 'problem')} without a date left out`;
          return (
            <tr key={configuration}>
              <th scope="row">
                <ConfigurationName name={configuration} color={colorOf(configuration)} />
              </th>
              <td title={`${basis}${left}`}>{cutoff}</td>
              <td>
                <SideText side={part?.before ?? null} />
              </td>
              <td>
                <SideText side={part?.after ?? null} />
              </td>
              <td>
                {part?.difference == null ? (
                  <span className={styles.missing}>–</span>
                ) : (
                  <>
                    {pointsDifference(part.difference.value)}{' '}
                    <span className={styles.soft}>
                      {spreadRange(part.difference.low, part.difference.high, part.difference.seedSpread)}
                    </span>
                  </>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </WideTable>
  );
}

function SideText({ side }: { readonly side: Part['before'] }) {
  if (side === null) return <span className={styles.missing}>no problems</span>;
  return (
    <>
      {percent(side.value)}{' '}
      <span className={styles.soft}>
        {spreadRange(side.low, side.high, side.seedSpread)}, n = {side.problems}
      </span>
    </>
  );
}
