import type { Breakdown, MetricName, Problem, Stability } from '../../preload/contract';
import { type ConfigurationMetrics, fewestSamples, METRICS } from './configuration-metrics';
import { withExactEnds } from './exact-rates';
import { type Intervals, problemIndices } from './paired-difference';
import { gPassAtK } from './pass-at-k';
import type { SampleCounts } from './run-metrics';
import { type SeedRows, sampleRows, seedRows } from './seed-rows';
import { seedSpread } from './seed-spread';

/** Metadata of a problem. */
export type ProblemFacts = Pick<Problem, 'difficulty' | 'platform' | 'date'>;

/** In the order of tables. */
export const GROUPINGS = ['difficulty', 'platform', 'month'] as const satisfies Breakdown['by'][];

const DIFFICULTIES = ['easy', 'medium', 'hard'];

/**
 * Every metric of one configuration over each difficulty, platform and month, with the intervals of the whole: over seeds too,
 * where there are several. Problems without that metadata are left out.
 */
export function breakdownsOf(
  metrics: ConfigurationMetrics,
  facts: ReadonlyMap<string, ProblemFacts>,
  { bootstrap, overSeeds }: Intervals,
): Breakdown[] {
  const bySeed = new Map(METRICS.map((metric) => [metric, rowsOf(metrics, metric)]));
  return GROUPINGS.flatMap((by) =>
    partsOf(metrics.done, facts, by).flatMap(([part, problemIds]) =>
      METRICS.flatMap((metric): Breakdown[] => {
        const values = problemIds.flatMap((id) => metrics.values[metric].get(id) ?? []);
        if (values.length === 0) return [];
        const { configuration } = metrics;
        const rows = bySeed.get(metric)?.(problemIds) ?? null;
        const estimate = withExactEnds(
          rows === null ? bootstrap.mean(values) : overSeeds.mean(rows),
          values.length,
        );
        return [
          { by, part, configuration, metric, ...estimate, problems: values.length, ...seedSpread(rows) },
        ];
      }),
    ),
  );
}

/** The values of some problems seed by seed; null: they are not known seed by seed. */
export function rowsOf(
  metrics: ConfigurationMetrics,
  metric: MetricName,
): (problemIds: readonly string[]) => SeedRows | null {
  const rows = seedRows(metrics, metric);
  const indices = problemIndices(metrics, metric);
  return (problemIds) =>
    rows?.map((own) =>
      Float64Array.from(
        problemIds.flatMap((id) => indices.get(id) ?? []),
        (at) => own[at] ?? Number.NaN,
      ),
    ) ?? null;
}

/** The parts of the problems in their order; problems without that metadata are in none. */
export function partsOf(
  problemIds: readonly string[],
  facts: ReadonlyMap<string, ProblemFacts>,
  by: Breakdown['by'],
): Array<[string, string[]]> {
  const parts = new Map<string, string[]>();
  for (const id of problemIds) {
    const part = partOf(facts.get(id), by);
    if (part !== null) parts.set(part, [...(parts.get(part) ?? []), id]);
  }
  const rank = (part: string): string => (by === 'difficulty' ? String(DIFFICULTIES.indexOf(part)) : part);
  return [...parts].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

/**
 * The parts in which differences are tested: none of a grouping with one part, which is the whole comparison again. The
 * tests of a grouping and metric are corrected together.
 */
export function testedParts(
  problemIds: readonly string[],
  facts: ReadonlyMap<string, ProblemFacts>,
): Array<{ readonly by: Breakdown['by']; readonly parts: ReturnType<typeof partsOf> }> {
  return GROUPINGS.map((by) => ({ by, parts: partsOf(problemIds, facts, by) })).filter(
    ({ parts }) => parts.length > 1,
  );
}

function partOf(facts: ProblemFacts | undefined, by: Breakdown['by']): string | null {
  if (by === 'month') return /^\d{4}-\d{2}/.exec(facts?.date ?? '')?.[0] ?? null;
  return facts?.[by] || null;
}

/** The paper reports k = 4, 8, 16; a table of 8 samples per problem ends at 8. */
export const STABILITY_DRAWS = [4, 8, 16, 32];
/** tau = 1: all of k pass. Below 1/k it would be pass@k. */
export const STABILITY_SHARES = [0.5, 0.75, 1];

/** G-Pass@k at tau of one configuration, where every problem has k samples. */
export function stabilityOf(metrics: ConfigurationMetrics, { bootstrap, overSeeds }: Intervals): Stability[] {
  const { configuration, samples } = metrics;
  const fewest = fewestSamples(samples);
  return STABILITY_DRAWS.filter((k) => k <= fewest).flatMap((k) =>
    STABILITY_SHARES.map((tau) => {
      const rateOf = (run: SampleCounts): number => gPassAtK(run.samples, run.passed, k, tau) ?? 0;
      const rows = sampleRows(metrics, rateOf);
      const values = samples.map((runs) => runs.reduce((sum, run) => sum + rateOf(run), 0) / runs.length);
      const drawn = rows === null ? bootstrap.mean(values) : overSeeds.mean(rows);
      const estimate = withExactEnds(drawn, values.length);
      return { configuration, k, tau, ...estimate, problems: values.length, ...seedSpread(rows) };
    }),
  );
}
