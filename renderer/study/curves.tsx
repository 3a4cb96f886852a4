import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Analysis } from '../../preload/contract/analysis';
import type { Study } from '../../preload/contract/study';
import { MEASURES, type Measure, seriesOf } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurveChart } from '../widgets/curve-chart';
import { Section } from '../widgets/index';
import styles from './study.module.css';

/** The curves of a study with a switch of the measure. */
export function StudyCurves(props: { readonly study: Study; readonly analysis: Analysis | null }) {
  const { study, analysis } = props;
  const [measure, setMeasure] = useState<Measure>('pass@n');
  const chosen = MEASURES.find(({ id }) => id === measure) ?? MEASURES[0];
  const series = useMemo(
    () =>
      seriesOf(study, analysis, measure).map((one) => ({ ...one, color: configurationColor(one.position) })),
    [study, analysis, measure],
  );
  const empty = series.every(({ points }) => points.length === 0);
  const nodes = Math.max(...study.runs.map(({ search }) => search.nodes));
  return (
    <Section
      title="Curves"
      fill
      aside={
        <SegmentedControl
          aria-label="Measure of the curves"
          value={measure}
          onChange={(value) => setMeasure(MEASURES.find(({ id }) => id === value)?.id ?? 'pass@n')}
          data={MEASURES.map(({ id, label }) => ({ value: id, label }))}
        />
      }
    >
      <div className={styles.chart}>
        <CurveChart
          label={`${chosen?.label ?? ''} curves`}
          xLabel={chosen?.over ?? ''}
          yLabel={chosen?.label ?? ''}
          series={series}
          {...(measure === 'pass@k' ? {} : { xEnd: nodes })}
        />
        {empty && analysis !== null && (
          <p className={styles.noCurve}>
            {measure === 'pass@k' && analysis.complete
              ? 'This study took no independent samples.'
              : 'The curves begin with the first graded problem.'}
          </p>
        )}
      </div>
    </Section>
  );
}
