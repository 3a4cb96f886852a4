import type { Analysis, MetricName } from '../../preload/contract/analysis';
import { type RunView, treeKey } from '../../preload/contract/folds/index';
import { configurationsOf, scalesOf } from '../../preload/contract/plans/index';
import type { Study } from '../../preload/contract/study';
import { AXES, type Axis, type Measure } from '../text/metrics';

export { configurationsOf, scalesOf };

/** The input of `useCurves` for a study. */
export function curveInputOf(study: Study): {
  readonly configurations: readonly string[];
  readonly nodes: number;
} {
  return {
    configurations: configurationsOf(study),
    nodes: Math.max(...study.runs.map(({ search }) => search.nodes)),
  };
}

export type SeriesModel = {
  readonly id: string;
  readonly label: string;
  readonly position: number;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly low: number;
    readonly high: number;
  }[];
};

/** The axes that the analysis has curves of this measure over. */
export function axesOf(analysis: Analysis | null, measure: Measure): typeof AXES {
  return AXES.filter(
    ({ id }) =>
      id === 'nodes' ||
      analysis?.curves.some((curve) => curve.measure === measure && curve.axis === id) === true,
  );
}

/** The curves of one measure over one axis, in the order of the configurations. */
export function seriesOf(
  configurations: readonly string[],
  analysis: Analysis | null,
  measure: Measure,
  axis: Axis = 'nodes',
): readonly SeriesModel[] {
  return configurations.map((configuration, position) => {
    const curve = analysis?.curves.find(
      (curve) => curve.configuration === configuration && curve.measure === measure && curve.axis === axis,
    );
    const points = (curve?.points ?? []).map(({ n, value, low, high }) => ({ x: n, y: value, low, high }));
    return { id: configuration, label: configuration, position, points };
  });
}

/** Letters of each configuration in one metric: two that share a letter do not differ significantly. */
export function groupLetters(analysis: Analysis | null, metric: MetricName): ReadonlyMap<string, string> {
  const grouping = analysis?.groupings.find((grouping) => grouping.metric === metric);
  return new Map(grouping?.letters.map(({ configuration, letters }) => [configuration, letters]));
}

/** Index of the first node that passes the private tests; null if none does. */
export function firstPassing(view: RunView | null, problemId: string): number | null {
  const nodes = view?.trees.get(treeKey(problemId, 'search'))?.nodes ?? [];
  const node = nodes.find(({ privateVerdict }) => privateVerdict === 'passed');
  return node?.index ?? null;
}
