import type { ExperimentMetric, ExperimentPair, ExperimentPart } from '../../../preload/contract';
import { points, probabilityWords } from '../words';
import { ALGORITHM_DRAWS } from './trained-rows';

/** The chance of any wrong claim within a metric and part that is accepted. */
export const LEVEL = 0.05;

export const EXPERIMENT_METRIC_TITLES: Readonly<Record<ExperimentMetric, string>> = {
  'pass@1': 'Pass@1',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'da@k': `DA@${ALGORITHM_DRAWS}`,
  'zero-advantage': 'Samples without a gradient',
};

export type Compared = readonly [ExperimentMetric, ExperimentPart];

/** One row against another one, from the first one's side. */
export type RowComparison = {
  readonly label: string;
  readonly other: string;
  /** label minus other. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** After Holm's correction. */
  readonly p: number;
  readonly isApart: boolean;
};

/** null: the two share nothing that this is told of. */
export function comparisonOf(
  pairs: readonly ExperimentPair[],
  [metric, part]: Compared,
  label: string,
  other: string,
): RowComparison | null {
  const ofIt = pairs.filter((pair) => pair.metric === metric && pair.part === part);
  const same = ofIt.find(({ first, second }) => first === label && second === other);
  const turned = ofIt.find(({ first, second }) => first === other && second === label);
  const pair = same ?? turned;
  if (pair === undefined) return null;
  const { difference, low, high, pHolm: p } = pair;
  const isApart = p < LEVEL;
  if (same !== undefined) return { label, other, difference, low, high, p, isApart };
  return { label, other, difference: -difference, low: -high, high: -low, p, isApart };
}

/** e.g. "RS² is 3.1 points above Vanilla GRPO (95 % interval 1.0 to 5.2, p = 0.01)". Of rates alone. */
export function comparisonWords({ label, other, difference, low, high, p, isApart }: RowComparison): string {
  const basis = (from: number, to: number): string =>
    `95 % interval ${points(from)} to ${points(to)}, ${probabilityWords(p)}`;
  if (!isApart) {
    return `${label} cannot be told from ${other} (${points(difference)} points, ${basis(low, high)})`;
  }
  return difference > 0
    ? `${label} is ${points(difference)} points above ${other} (${basis(low, high)})`
    : `${label} is ${points(-difference)} points below ${other} (${basis(-high, -low)})`;
}

/** e.g. "Pass@1 of agents alone". */
export function comparedWords([metric, part]: Compared): string {
  return `${EXPERIMENT_METRIC_TITLES[metric]} of ${part === 'team' ? 'the team' : 'agents alone'}`;
}
