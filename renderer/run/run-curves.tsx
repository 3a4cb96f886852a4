import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Study } from '../../preload/contract/study';
import { MEASURES, type Measure, readyValue, seriesOf, useAnalysis } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurveChart } from '../widgets/curve-chart';
import { FailedState } from '../widgets/index';
import styles from './run.module.css';

/** The curves of the study, with the configuration of this run in front. */
export function RunCurves(props: { readonly study: Study; readonly configuration: string }) {
  const { study, configuration } = props;
  const analysis = useAnalysis(study.id);
  const [measure, setMeasure] = useState<Measure>('pass@n');
  const known = readyValue(analysis);
  const series = useMemo(
    () => seriesOf(study, known, measure).map((one) => ({ ...one, color: configurationColor(one.position) })),
    [study, known, measure],
  );
  const chosen = MEASURES.find(({ id }) => id === measure);
  if (analysis.kind === 'failed') {
    return (
      <div className={styles.padded}>
        <FailedState
          title="The curves could not be made"
          message={analysis.error.message}
          hint={analysis.error.hint}
        />
      </div>
    );
  }
  return (
    <div className={styles.curves}>
      <SegmentedControl
        aria-label="Measure of the curves"
        value={measure}
        onChange={(value) => setMeasure(MEASURES.find(({ id }) => id === value)?.id ?? 'pass@n')}
        data={MEASURES.map(({ id, label }) => ({ value: id, label }))}
      />
      <div className={styles.chart}>
        <CurveChart
          label={`${chosen?.label ?? ''} curves`}
          xLabel={chosen?.over ?? ''}
          yLabel={chosen?.label ?? ''}
          series={series}
          stressed={configuration}
        />
      </div>
    </div>
  );
}
