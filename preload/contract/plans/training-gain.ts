import type { TrainingView } from '../training';
import type { TrainingGain } from '../training-evaluation';
import { oddsRatioText, percentText } from './number-text';
import { isOwnTraining, passOneLabel } from './training-methods';

/** Beside the rates of a training's evaluation. */
export const EVALUATION_INTERVALS =
  'Intervals: 95 %, percentile bootstrap over problems, as in an experiment of this training alone; where all problems agree, exact (Clopper and Pearson). Odds ratio: problems on which an agent does better after for each on which it did before; by how much does not count.';

/**
 * E.g. "Reader: Pass@1 31.3 % before training, 40.6 % after: 9.4 percentage points more (95 % interval 1.2 to 17.5, paired over 20
 * problems; odds ratio 3.00 [0.97, 11.2])." Odds ratio: problems with more first attempts that pass after for each with more before. `name`: the agent's.
 */
export function trainingGainText(name: string, gain: TrainingGain): string {
  const { before, after, difference, low, high, problems, oddsRatio } = gain;
  const amount =
    difference === 0
      ? 'no difference'
      : `${percentText(Math.abs(difference))} percentage points ${difference > 0 ? 'more' : 'less'}`;
  const interval = `95 % interval ${percentText(low)} to ${percentText(high)}, paired over ${problems} ${problems === 1 ? 'problem' : 'problems'}`;
  const odds = oddsRatio === null ? '' : `; odds ratio ${oddsRatioText(oddsRatio)}`;
  const isUnclear = low <= 0 && high >= 0;
  return `${name}: Pass@1 ${percentText(before)} % before training, ${percentText(after)} % after: ${amount} (${interval}${odds}).${isUnclear ? ' The interval includes 0: no gain or loss is shown.' : ''}`;
}

/**
 * What our own trainer has measured before its evaluation at the end, e.g. "Before the first update: Pass@1, n = 6: Reader
 * 16.7 %."; null: nothing.
 */
export function measuredSoFarText({
  latest,
  agents,
  spec,
  step,
}: Pick<TrainingView, 'latest' | 'agents' | 'spec' | 'step'>): string | null {
  if (!isOwnTraining(spec)) return null;
  const values = latest.filter(({ key, part }) => key === 'pass@1' && part === 'evaluation');
  if (values.length === 0) return null;
  const { every } = spec.evaluation;
  const when = every === 0 || step < every ? 'Before the first update' : 'Last measured during training';
  const rates = values.map(({ agentId, value }) => {
    const name = agents.find(({ id }) => id === agentId)?.name ?? agentId ?? 'team';
    return `${name} ${percentText(value)} %`;
  });
  return `${when}: ${passOneLabel('evaluation', spec)}: ${rates.join(', ')}.`;
}
