import { expect, test } from 'vitest';
import { trainingGainText } from '../../../preload/contract/plans';

const GAIN = {
  agentId: 'one',
  problems: 20,
  before: 0.3125,
  after: 0.40625,
  difference: 0.09375,
  oddsRatio: null,
};

test('a gain is told with both rates and its paired interval', () => {
  expect(trainingGainText('One', { ...GAIN, low: 0.0121, high: 0.175 })).toBe(
    'One: Pass@1 31.3 % before training, 40.6 % after: 9.4 percentage points more (95 % interval 1.2 to 17.5, paired over 20 problems).',
  );
});

test('a gain has its effect size where some problem differs', () => {
  const oddsRatio = { value: 3, low: 0.75, high: null };
  expect(trainingGainText('One', { ...GAIN, low: 0.0121, high: 0.175, oddsRatio })).toContain(
    'paired over 20 problems; odds ratio 3.00 [0.75, ∞]).',
  );
});

test('an interval that includes 0 is called by its name, also for a loss', () => {
  const loss = { ...GAIN, after: 0.25, difference: -0.0625, low: -0.15, high: 0 };
  expect(trainingGainText('One', loss)).toBe(
    'One: Pass@1 31.3 % before training, 25.0 % after: 6.3 percentage points less (95 % interval −15.0 to 0.0, paired over 20 problems). The interval includes 0: no gain or loss is shown.',
  );
  const none = { ...GAIN, after: 0.3125, difference: 0, low: -0.00001, high: 0.05, problems: 1 };
  expect(trainingGainText('One', none)).toContain(
    'after: no difference (95 % interval 0.0 to 5.0, paired over 1 problem).',
  );
});
