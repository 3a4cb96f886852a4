import type { MetricCell, MetricName, Regrade, RunView } from '../../../preload/contract';
import { treeKey } from '../../../preload/contract/folds';
import { measureConfigurationSteps, runGroupsOf } from '../configuration-metrics';

/** The result of the last regrade of one configuration's runs. */
export type GraderNoise = {
  readonly graded: number;
  readonly changed: number;
  /** By metric: the value with the new verdicts minus the old value; 0 without data of the metric. */
  readonly shift: Readonly<Record<MetricName, number>>;
};

type Means = Readonly<Record<MetricName, number>>;

/**
 * How much the configuration's values change with the verdicts of `regrades`; null: none of its runs was regraded.
 * Yields after every step.
 */
export function* graderNoiseSteps(
  views: readonly RunView[],
  regrades: readonly Regrade[],
): Generator<void, GraderNoise | null> {
  const own = new Set(views.map(({ config }) => config.id));
  const graded = regrades
    .flatMap(({ runs = [] }) => runs)
    .reduce((sum, run) => sum + (own.has(run.runId) ? run.graded : 0), 0);
  if (graded === 0) return null;
  const changed = regrades.flatMap((regrade) => regrade.changed).filter(({ runId }) => own.has(runId));
  const before = yield* meansOf(views);
  const after = changed.length === 0 ? before : yield* meansOf(views.map((view) => regraded(view, changed)));
  const shift = Object.fromEntries(
    Object.entries(before).map(([metric, value]) => [metric, (after[metric as MetricName] ?? value) - value]),
  ) as Record<MetricName, number>;
  return { graded, changed: changed.length, shift };
}

/** The cell with the known part of the grader's noise. */
export function withNoise(cell: MetricCell, noise: GraderNoise | null): MetricCell {
  if (noise === null) return cell;
  const { graded, changed, shift } = noise;
  return { ...cell, graderNoise: { graded, changed, shift: shift[cell.metric] } };
}

function* meansOf(views: readonly RunView[]): Generator<void, Means> {
  const [runs] = runGroupsOf(views);
  if (runs === undefined) throw new RangeError('A configuration needs a run');
  const { values } = yield* measureConfigurationSteps(runs, null);
  return Object.fromEntries(
    Object.entries(values).map(([metric, own]) => [
      metric,
      own.size === 0 ? 0 : [...own.values()].reduce((sum, value) => sum + value, 0) / own.size,
    ]),
  ) as Record<MetricName, number>;
}

/** The view with the new verdicts in place of the old ones. */
function regraded(view: RunView, changed: Regrade['changed']): RunView {
  const trees = new Map(view.trees);
  for (const { runId, problemId, part, index, after } of changed) {
    const key = treeKey(problemId, part);
    const tree = trees.get(key);
    const node = tree?.nodes[index];
    if (runId !== view.config.id || tree === undefined || node === undefined) continue;
    trees.set(key, { ...tree, nodes: tree.nodes.with(index, { ...node, privateVerdict: after }) });
  }
  return { ...view, trees };
}
