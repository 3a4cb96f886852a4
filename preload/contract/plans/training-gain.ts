import type { TrainingGain } from '../training-evaluation';

/**
 * E.g. "Reader: Pass@1 31.3 % before training, 40.6 % after: 9.4 percentage points more (95 % interval 1.2 to 17.5, paired over 20
 * problems)." `name`: the agent's.
 */
export function trainingGainText(name: string, gain: TrainingGain): string {
  const { before, after, difference, low, high, problems } = gain;
  const amount =
    difference === 0
      ? 'no difference'
      : `${points(Math.abs(difference))} percentage points ${difference > 0 ? 'more' : 'less'}`;
  const interval = `95 % interval ${points(low)} to ${points(high)}, paired over ${problems} ${problems === 1 ? 'problem' : 'problems'}`;
  const isUnclear = low <= 0 && high >= 0;
  return `${name}: Pass@1 ${points(before)} % before training, ${points(after)} % after: ${amount} (${interval}).${isUnclear ? ' The interval includes 0: no gain or loss is shown.' : ''}`;
}

function points(share: number): string {
  // Not "-0.0".
  return (Math.round(share * 1_000) / 10 + 0).toFixed(1).replace('-', '−');
}
