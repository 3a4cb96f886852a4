import type { ExperimentMetric, ExperimentPair, ExperimentPart } from '../../../preload/contract';
import { differsByBothTests, EXPERIMENT_METRIC_TITLES } from '../../../preload/contract/plans';
import { formatP, formatPoints } from '../format';

export type Compared = readonly [ExperimentMetric, ExperimentPart];

/** A comparison of one row with another, from the first row's side. */
export type RowComparison = {
  readonly label: string;
  readonly other: string;
  /** label minus other. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** The larger of both tests, after Holm's correction. */
  readonly p: number;
  /** Fewer than three seeds, or no spread, leave nothing to test over seeds. */
  readonly isTested: boolean;
  /** A method is claimed to be better only where problems and seeds say so. */
  readonly isSignificant: boolean;
};

/** null: the two have no value of it in common. */
export function comparisonOf(
  pairs: readonly ExperimentPair[],
  [metric, part]: Compared,
  label: string,
  other: string,
): RowComparison | null {
  const candidates = pairs.filter((pair) => pair.metric === metric && pair.part === part);
  const same = candidates.find(({ first, second }) => first === label && second === other);
  const reversed = candidates.find(({ first, second }) => first === other && second === label);
  const pair = same ?? reversed;
  if (pair === undefined) return null;
  const { difference, low, high, pHolm: p, pSeeds } = pair;
  const rest = { label, other, p, isTested: pSeeds !== null, isSignificant: differsByBothTests(pair) };
  if (same !== undefined) return { ...rest, difference, low, high };
  return { ...rest, difference: -difference, low: -high, high: -low };
}

/**
 * e.g. "RS² is 3.1 percentage points above Vanilla GRPO (95 % CI 1.0 to 5.2, p = 0.02)". For rates only.
 */
export function comparisonText({
  label,
  other,
  difference,
  low,
  high,
  p,
  isTested,
  isSignificant,
}: RowComparison): string {
  const basis = (from: number, to: number): string =>
    `95 % CI ${formatPoints(from)} to ${formatPoints(to)}, ${isTested ? formatP(p) : 'not tested'}`;
  if (!isTested)
    return `${label} minus ${other}: ${formatPoints(difference)} percentage points (${basis(low, high)})`;
  if (!isSignificant) {
    return `${label} does not differ significantly from ${other} (${formatPoints(difference)} percentage points, ${basis(low, high)})`;
  }
  return difference > 0
    ? `${label} is ${formatPoints(difference)} percentage points above ${other} (${basis(low, high)})`
    : `${label} is ${formatPoints(-difference)} percentage points below ${other} (${basis(-high, -low)})`;
}

/** e.g. "Pass@1 of agents alone". */
export function comparedText([metric, part]: Compared): string {
  return `${EXPERIMENT_METRIC_TITLES[metric]} of ${part === 'team' ? 'the team' : 'agents alone'}`;
}
