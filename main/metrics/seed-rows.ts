import type { MetricName } from '../../preload/contract';
import { canonicalJson } from '../base';
import { type ConfigurationMetrics, SERIES, type TreeMeasure } from './configuration-metrics';
import { passAtK } from './pass-at-k';

/** The value of each problem in one run, by seed; problems in the order of the configuration's values. */
export type SeedRows = readonly Float64Array[];

/**
 * A configuration's values run by run, for intervals over seeds and problems. null: it has one run, or the sandbox left
 * nothing of a problem in one of them, so that its values are not known seed by seed.
 */
export function seedRows(metrics: ConfigurationMetrics, metric: MetricName): SeedRows | null {
  switch (metric) {
    case 'pass@1':
      return sampleRows(metrics, ({ passRate }) => passRate);
    case 'pass@10':
      return sampleRows(metrics, ({ samples, passed }) => passAtK(samples, passed, 10));
    default:
      return treeRows(metrics, metric, metrics.runs[0].config.search.nodes);
  }
}

/** The same over the first n nodes of the trees. */
export function treeRows(
  { runs, trees }: ConfigurationMetrics,
  measure: TreeMeasure,
  n: number,
): SeedRows | null {
  if (runs.length < 2 || trees.some((own) => own.length < runs.length)) return null;
  return runs.map((_, run) =>
    Float64Array.from(trees, (own) => own[run]?.series[SERIES[measure]][n - 1] ?? Number.NaN),
  );
}

/** The same of what is counted among independent samples. */
export function sampleRows(
  { runs, samples }: ConfigurationMetrics,
  rateOf: (counts: ConfigurationMetrics['samples'][number][number]) => number | null,
): SeedRows | null {
  if (runs.length < 2 || samples.some((own) => own.length < runs.length)) return null;
  const rows = runs.map((_, run) =>
    Float64Array.from(samples, (own) => {
      const counts = own[run];
      return (counts === undefined ? null : rateOf(counts)) ?? Number.NaN;
    }),
  );
  return rows.some((own) => own.includes(Number.NaN)) ? null : rows;
}

/** Whether each of several seeds has weights of its own: then the runs stand for a method of training, not for one policy. */
function areTrainings(metrics: ConfigurationMetrics): boolean {
  return metrics.runs.length > 1 && policiesOf(metrics) === metrics.runs.length;
}

/** Whether several seeds search with the same weights: then their spread is that of the search alone. */
export function haveSamePolicies(metrics: ConfigurationMetrics): boolean {
  return metrics.runs.length > 1 && policiesOf(metrics) === 1;
}

/** How many different ones, or teams of them, answer in its runs. */
function policiesOf({ runs }: ConfigurationMetrics): number {
  // How many requests a server takes at once changes no answer.
  return new Set(
    runs.map(({ config }) =>
      canonicalJson(config.team.servers.map((server) => ({ ...server, maxInFlight: 0 }))),
    ),
  ).size;
}

/**
 * Whether a difference between these is one of trainings, each of which is one draw: what all problems of a seed share is in no
 * test over problems. That is so, too, where trainings are compared with one policy, e.g. the base.
 */
export function haveTrainings(sides: readonly ConfigurationMetrics[]): boolean {
  return sides.some(areTrainings);
}
