import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  counted,
  fixedText,
  percentText,
  signedPercentText,
  signedText,
  trainingGainText,
} from '../../../preload/contract/plans';

test('half is rounded away from zero on both sides, as it is written and not as it is stored', () => {
  expect([1.25, -1.25, 8.35, -8.35, 1.005, 0.05].map((value) => fixedText(value, 1))).toEqual([
    ...['1.3', '−1.3', '8.4', '−8.4', '1.0', '0.1'],
  ]);
  expect(fixedText(1.005, 2)).toBe('1.01');
  // 167 and 201 of 2,000 problems.
  expect([0.0835, -0.0835, 0.1005].map((rate) => percentText(rate))).toEqual(['8.4', '−8.4', '10.1']);
  expect([0.0125, -0.0125, 0.0004, -0.0004].map(signedPercentText)).toEqual(['+1.3', '−1.3', '0.0', '0.0']);
  expect([signedText(0.005, 2), fixedText(12_345_678.5, 0), fixedText(3e18, 1)]).toEqual([
    ...['+0.01', '12345679', '3000000000000000000.0'],
  ]);
  expect([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) => fixedText(value, 1))).toEqual([
    ...['∞', '−∞'],
  ]);
});

test('a number and its negative differ in the sign alone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 4_000 }), (a, b) => {
      const [up, down] = [signedText(a / b, 1), signedText(-a / b, 1)];
      expect(down).toBe(up.replace('+', '−'));
      expect(Math.abs(Number(up) - a / b)).toBeLessThanOrEqual(0.05 + 1e-9);
    }),
  );
});

test('the sentence on a training rounds its interval by the same rule', () => {
  const gain = {
    agentId: 'a',
    problems: 8,
    before: 0.25,
    after: 0.2375,
    difference: -0.0125,
    oddsRatio: null,
  };
  expect(trainingGainText('A', { ...gain, low: -0.0125, high: 0.0125 })).toContain('interval −1.3 to 1.3');
});

test('a count agrees with its noun and with what follows it', () => {
  expect([0, 1, 2].map((count) => counted(count, 'seed'))).toEqual(['0 seeds', '1 seed', '2 seeds']);
  expect([1, 3].map((count) => counted(count, 'study was', 'studies were'))).toEqual([
    ...['1 study was', '3 studies were'],
  ]);
});
