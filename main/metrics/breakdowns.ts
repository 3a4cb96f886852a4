import type { Breakdown, Problem } from '../../preload/contract';
import type { Bootstrap } from './bootstrap';
import { type ConfigurationMetrics, METRICS } from './configuration-metrics';

/** Metadata of a problem. */
export type ProblemFacts = Pick<Problem, 'difficulty' | 'platform' | 'date'>;

const DIFFICULTIES = ['easy', 'medium', 'hard'];

/** Every metric of one configuration over each difficulty, platform and month; problems without that metadata are left out. */
export function breakdownsOf(
  metrics: ConfigurationMetrics,
  facts: ReadonlyMap<string, ProblemFacts>,
  bootstrap: Bootstrap,
): Breakdown[] {
  return (['difficulty', 'platform', 'month'] as const).flatMap((by) =>
    partsOf(metrics.done, facts, by).flatMap(([part, problemIds]) =>
      METRICS.flatMap((metric): Breakdown[] => {
        const values = problemIds.flatMap((id) => metrics.values[metric].get(id) ?? []);
        if (values.length === 0) return [];
        const { configuration } = metrics;
        return [{ by, part, configuration, metric, ...bootstrap.mean(values), problems: values.length }];
      }),
    ),
  );
}

function partsOf(
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

function partOf(facts: ProblemFacts | undefined, by: Breakdown['by']): string | null {
  if (by === 'month') return /^\d{4}-\d{2}/.exec(facts?.date ?? '')?.[0] ?? null;
  return facts?.[by] || null;
}
