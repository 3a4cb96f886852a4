import { useCallback, useMemo } from 'react';
import type { GpuCurve } from '../../preload/contract/gpu';
import type { TrainingView } from '../../preload/contract/training';
import { GpuCharts } from '../shared/gpus/index';
import { readyValue, useTrainingGpus } from '../state/index';
import { trainingIsActive } from '../text/trainings';
import { Section } from '../widgets/index';
import { axisLabel, type CurveAxis, formatX, type TimeUnit, timeUnit } from './curve-axis';
import styles from './curves.module.css';
import { GpuStrip } from './gpu-strip';

/** What the GPUs of a training did, on the axis of its curves where there is one for them; else over time. */
export function GpuCurves(props: {
  readonly training: TrainingView;
  readonly axis: CurveAxis;
  readonly unit: TimeUnit;
  readonly stepName: string;
  /** End of the curves on their axis. */
  readonly xEnd: number;
}) {
  const { training, axis, stepName } = props;
  const loaded = useTrainingGpus(training.id, trainingIsActive(training));
  const gpus = useMemo(() => readyValue(loaded)?.gpus ?? [], [loaded]);
  const isByStep = axis === 'steps' && gpus.some(({ steps }) => steps?.some((step) => step !== null));
  const isOnTime = !isByStep && axis === 'time' && gpus.every(({ steps }) => steps !== undefined);
  const longest = Math.max(0, ...gpus.map(({ seconds }) => seconds.at(-1) ?? 0));
  const unit = isOnTime ? props.unit : timeUnit(longest);
  const xsOf = useCallback(
    ({ steps, seconds }: GpuCurve) => (isByStep ? (steps ?? []) : seconds.map((at) => at / unit.seconds)),
    [isByStep, unit.seconds],
  );
  if (gpus.length === 0) return <GpuStrip training={training} />;
  const over = axisLabel(isByStep ? 'steps' : 'time', unit, stepName);
  const ownEnd = isByStep ? 0 : longest / unit.seconds;
  return (
    <div className={styles.gpuCurves}>
      <Section title="GPUs">
        <GpuCharts
          gpus={gpus}
          xsOf={xsOf}
          over={over}
          xEnd={isByStep || isOnTime ? Math.max(props.xEnd, ownEnd) : ownEnd}
          formatX={formatX}
        />
      </Section>
    </div>
  );
}
