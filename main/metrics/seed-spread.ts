import type { RunView, SeedSpread, SeedSpreads } from '../../preload/contract';
import { knownMean, type SeedsByProblems } from './two-level-bootstrap';

/**
 * Spread of the seeds' own means over problems: standard deviation (n - 1), lowest and highest. It describes these seeds,
 * the choice of problems is not in it; an interval is something else. Empty with fewer than two seeds.
 */
export function seedSpread(rows: SeedsByProblems | null): { readonly seedSpread?: SeedSpread } {
  const means = (rows ?? []).map((own) => knownMean(Array.from(own))).filter((mean) => !Number.isNaN(mean));
  if (means.length < 2) return {};
  const [min, max] = [Math.min(...means), Math.max(...means)];
  const middle = knownMean(means);
  const squares = means.reduce((sum, mean) => sum + (mean - middle) ** 2, 0);
  // The mean of equal numbers may differ from them by a rounding.
  const sd = min === max ? 0 : Math.sqrt(squares / (means.length - 1));
  return { seedSpread: { sd, min, max } };
}

/** One record a seed; null: that seed has no such number. */
type NumbersBySeed<K extends string> = readonly Readonly<Record<K, number | null>>[];

/**
 * Spread over the seeds of each of these numbers, in its own unit. `bySeed`: of each seed alone; a number that some seed
 * has not is left out. Empty with fewer than two seeds.
 */
export function seedSpreads<K extends string>(
  bySeed: NumbersBySeed<K>,
  names: readonly K[],
): { readonly seedSpreads?: SeedSpreads } {
  if (bySeed.length < 2) return {};
  const spreads = names.flatMap((name) => {
    const values = bySeed.flatMap((numbers) => numbers[name] ?? []);
    const { seedSpread: spread } = seedSpread(values.map((value) => [value]));
    return values.length < bySeed.length || spread === undefined ? [] : [[name, spread] as const];
  });
  return { seedSpreads: Object.fromEntries(spreads) };
}

/** The runs, if their sums can be compared: each has finished, so that none is smaller only for that; else none. */
export function finishedSeeds(runs: readonly RunView[]): readonly RunView[] {
  return runs.every(({ finished }) => finished) ? runs : [];
}
