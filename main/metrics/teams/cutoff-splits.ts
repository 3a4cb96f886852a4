import type { CutoffSplit, MetricName, RunConfig } from '../../../preload/contract';
import type { Estimate } from '../bootstrap';
import { type ProblemFacts, rowsOf } from '../breakdowns';
import { COMPARED } from '../comparison';
import { withExactEnds } from '../exact-rates';
import type { Intervals } from '../paired-difference';
import type { SeedRows } from '../seed-rows';
import { seedSpread } from '../seed-spread';
import { knownMean } from '../two-level-bootstrap';
import type { ComparedConfiguration } from './compared-configuration';

type Side = CutoffSplit['parts'][number]['before'];

/** The problems of one side, with their values seed by seed where these are known. */
type SideProblems = { readonly side: Side; readonly rows: SeedRows | null };

/**
 * Results before and after the training cut-off of each configuration: `cutoffs` by the name of the model. A model may have
 * seen problems of its cut-off's own month or day, so these count as before. Empty where no problem has a date. Yields
 * after every configuration.
 */
export function* cutoffSplitSteps(
  configurations: readonly ComparedConfiguration[],
  facts: ReadonlyMap<string, ProblemFacts>,
  cutoffs: ReadonlyMap<string, string>,
  { bootstrap, overSeeds }: Intervals,
): Generator<void, CutoffSplit[]> {
  if ([...facts.values()].every(({ date }) => date === null)) return [];
  const splits: CutoffSplit[] = [];
  for (const { metrics, configs } of configurations) {
    const models = modelsOf(configs).map((model) => ({ model, cutoff: cutoffs.get(model) ?? null }));
    const cutoff = latestOf(models.map((model) => model.cutoff));
    const dateOf = (id: string): string | null => facts.get(id)?.date ?? null;
    const sideOf = (ids: readonly string[], metric: MetricName): SideProblems => {
      const own = ids.flatMap((id) => metrics.values[metric].get(id) ?? []);
      if (own.length === 0) return { side: null, rows: null };
      const rows = rowsOf(metrics, metric)(ids);
      const drawn = rows === null ? bootstrap.mean(own) : overSeeds.mean(rows);
      const side = { ...withExactEnds(drawn, own.length), problems: own.length, ...seedSpread(rows) };
      return { side, rows };
    };
    const dated = metrics.done.filter((id) => dateOf(id) !== null);
    const isAfter = (id: string): boolean => cutoff !== null && isLater(dateOf(id) ?? '', cutoff);
    splits.push({
      configuration: metrics.configuration,
      models,
      cutoff,
      parts:
        cutoff === null
          ? []
          : COMPARED.flatMap((metric) => {
              const early = sideOf(
                dated.filter((id) => !isAfter(id)),
                metric,
              );
              const late = sideOf(dated.filter(isAfter), metric);
              const [before, after] = [early.side, late.side];
              if (before === null && after === null) return [];
              const difference = differenceOf(after, before);
              const spread = spreadOfDifference(late.rows, early.rows);
              return [{ metric, before, after, difference: difference && { ...difference, ...spread } }];
            }),
      undated: metrics.done.length - dated.length,
    });
    yield;
  }
  return splits;
}

/** By name, each once, over the agents of all runs. */
function modelsOf(configs: readonly RunConfig[]): string[] {
  const models = configs.flatMap(({ team }) =>
    team.agents.flatMap(({ serverId }) => team.servers.find(({ id }) => id === serverId)?.model ?? []),
  );
  return [...new Set(models)];
}

/** null: one of them is not known, and might be later than all others. */
function latestOf(cutoffs: readonly (string | null)[]): string | null {
  const known = cutoffs.flatMap((cutoff) => cutoff ?? []);
  // A month ends after each of its days.
  const end = (cutoff: string): string => (cutoff.length === 7 ? `${cutoff}-99` : cutoff);
  return known.length < cutoffs.length
    ? null
    : (known.toSorted((a, b) => (end(a) < end(b) ? 1 : -1))[0] ?? null);
}

/**
 * Compares ISO dates. A day in the month of a monthly cut-off, or a month without its day, cannot be compared: not
 * later.
 */
function isLater(date: string, cutoff: string): boolean {
  return date.slice(0, cutoff.length) > cutoff;
}

/**
 * Difference of two independent rates, with the interval that their own intervals give (Newcombe 1998, method 10, "square
 * and add", there of Wilson's intervals; Zou and Donner 2008 for any).
 */
function differenceOf(first: Estimate | null, second: Estimate | null): Estimate | null {
  if (first === null || second === null) return null;
  const value = first.value - second.value;
  return {
    value,
    low: value - Math.hypot(first.value - first.low, second.high - second.value),
    high: value + Math.hypot(first.high - first.value, second.value - second.low),
  };
}

/** Of the seeds' own differences. */
function spreadOfDifference(first: SeedRows | null, second: SeedRows | null): ReturnType<typeof seedSpread> {
  if (first === null || second === null) return {};
  const meanOf = (own: Float64Array | undefined): number => knownMean(Array.from(own ?? []));
  return seedSpread(first.map((own, seed) => [meanOf(own) - meanOf(second[seed])]));
}
