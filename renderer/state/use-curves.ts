import { useMemo, useState } from 'react';
import type { Analysis } from '../../preload/contract/analysis';
import { AXES, type Axis, emptyText, MEASURES, type Measure } from '../text/metrics';
import { axesOf, type SeriesModel, seriesOf } from './results';

type Choice = {
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

export type Curves = {
  readonly measure: Choice;
  /** Not shown with a single option. */
  readonly axis: Choice;
  readonly series: readonly (SeriesModel & { readonly color: string })[];
  /** Label of the x axis. */
  readonly over: string;
  readonly name: string;
  /** The end of the x axis, if known in advance. */
  readonly xEnd: number | null;
  /** The x axis counts integers from 1. */
  readonly isWhole: boolean;
  /** Why the chart is empty; null if it is not, or while loading. */
  readonly empty: string | null;
};

/** `nodes`: size of the largest tree; `hues`: one per configuration. */
export type CurveInput = {
  readonly configurations: readonly string[];
  readonly hues: readonly number[];
  readonly nodes: number;
};

/**
 * The curves of configurations, with the choice of measure and axis. The chosen axis is remembered while a measure
 * lacks it.
 */
export function useCurves(
  { configurations, hues, nodes }: CurveInput,
  analysis: Analysis | null,
  colorOf: (hue: number) => string,
): Curves {
  const [measure, setMeasure] = useState<Measure>('pass@n');
  const [preferredAxis, setPreferredAxis] = useState<Axis>('nodes');
  const chosen = MEASURES.find(({ id }) => id === measure);
  const axes = axesOf(analysis, measure);
  const axis = axes.find(({ id }) => id === preferredAxis) ?? AXES[0];
  const over = axis?.id ?? 'nodes';
  const series = useMemo(
    () =>
      seriesOf(configurations, analysis, measure, over).map((seriesModel) => ({
        ...seriesModel,
        color: colorOf(hues[seriesModel.position] ?? 0),
      })),
    [configurations, analysis, measure, over, colorOf, hues],
  );
  const none = analysis !== null && series.every(({ points }) => points.length === 0);
  return {
    measure: {
      options: MEASURES,
      chosen: measure,
      onChoose: (id) => setMeasure(MEASURES.find((option) => option.id === id)?.id ?? 'pass@n'),
    },
    axis: {
      options: axes,
      chosen: over,
      onChoose: (id) => setPreferredAxis(AXES.find((option) => option.id === id)?.id ?? 'nodes'),
    },
    series,
    over: over === 'nodes' ? (chosen?.over ?? '') : (axis?.over ?? ''),
    name: chosen?.label ?? '',
    xEnd: measure === 'pass@k' || over !== 'nodes' ? null : nodes,
    isWhole: over !== 'gpu-hours' && over !== 'money',
    empty: none ? emptyText(measure, analysis) : null,
  };
}
