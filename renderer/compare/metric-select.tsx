import { useState } from 'react';
import type { MetricName } from '../../preload/contract/analysis';
import { METRICS } from '../text/metrics';
import { Select } from '../widgets/index';

/** What a section shows first, where it has it. */
const FIRST: MetricName = 'pass@1(mcts)';

/** The metric of a section; `choose` is for its `MetricSelect`. */
export function useMetric(): readonly [MetricName, (metric: MetricName) => void] {
  return useState<MetricName>(FIRST);
}

/** Chooses the metric beside a section, among those that it has; nothing without any. */
export function MetricSelect(props: {
  /** What it chooses for a reader of the screen, e.g. "Metric of the differences". */
  readonly label: string;
  readonly has: (metric: MetricName) => boolean;
  readonly value: MetricName | null;
  readonly onChange: (metric: MetricName) => void;
}) {
  const { label, has, value, onChange } = props;
  const metrics = METRICS.filter(({ id }) => has(id));
  if (metrics.length === 0) return null;
  return (
    <Select
      aria-label={label}
      w={160}
      allowDeselect={false}
      value={value}
      data={metrics.map(({ id, label }) => ({ value: id, label }))}
      onChange={(chosen) => onChange(metrics.find(({ id }) => id === chosen)?.id ?? FIRST)}
    />
  );
}
