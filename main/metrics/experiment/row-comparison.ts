import type { ExperimentMetric, ExperimentPair, ExperimentPart } from '../../../preload/contract';
import { formatP, formatPoints } from '../format';
import { ALGORITHM_DRAWS } from './trained-rows';

/** Family-wise significance level within a metric and part. */
export const LEVEL = 0.05;

export const EXPERIMENT_METRIC_TITLES: Readonly<Record<ExperimentMetric, string>> = {
  'pass@1': 'Pass@1',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'da@k': `DA@${ALGORITHM_DRAWS}`,
  'zero-advantage': 'Samples without a gradient',
};

export type Compared = readonly [ExperimentMetric, ExperimentPart];

/** A comparison of one row with another, from the first row's side. */
export type RowComparison = {
  readonly label: string;
  readonly other: string;
  /** label minus other. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** After Holm's correction. */
  readonly p: number;
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
  const turned = candidates.find(({ first, second }) => first === other && second === label);
  const pair = same ?? turned;
  if (pair === undefined) return null;
  const { difference, low, high, pHolm: p } = pair;
  const isSignificant = p < LEVEL;
  if (same !== undefined) return { label, other, difference, low, high, p, isSignificant };
  return { label, other, difference: -difference, low: -high, high: -low, p, isSignificant };
}

/** e.g. "RS² is 3.1 points above Vanilla GRPO (95 % CI 1.0 to 5.2, p = 0.01)". For rates only. */
export function comparisonText({
  label,
  other,
  difference,
  low,
  high,
  p,
  isSignificant,
}: RowComparison): string {
  const basis = (from: number, to: number): string =>
    `95 % CI ${formatPoints(from)} to ${formatPoints(to)}, ${formatP(p)}`;
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
