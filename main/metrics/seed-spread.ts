import type { SeedSpread } from '../../preload/contract';
import { knownMean, type SeedsByProblems } from './two-level-bootstrap';

/**
 * Spread of the seeds' own means over problems: standard deviation (n - 1), lowest and highest. It describes these seeds,
 * the choice of problems is not in it; an interval is something else. Empty with fewer than two seeds.
 */
export function seedSpread(rows: SeedsByProblems | null): { readonly seedSpread?: SeedSpread } {
  const means = (rows ?? []).map((own) => knownMean(Array.from(own))).filter((mean) => !Number.isNaN(mean));
  if (means.length < 2) return {};
  const middle = knownMean(means);
  const squares = means.reduce((sum, mean) => sum + (mean - middle) ** 2, 0);
  const sd = Math.sqrt(squares / (means.length - 1));
  return { seedSpread: { sd, min: Math.min(...means), max: Math.max(...means) } };
}
