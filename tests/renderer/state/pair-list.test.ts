import { describe, expect, test } from 'vitest';
import type { MetricName, Pair } from '../../../preload/contract';
import { listedPairs } from '../../../renderer/state';

function pair(metric: MetricName, at: number, pHolm: number, difference = 0.1): Pair {
  return {
    metric,
    first: `b${at}`,
    second: `a${at}`,
    difference,
    low: 0,
    high: 0.2,
    problems: 100,
    separable: pHolm < 0.05,
    test: { kind: 'mcnemar', onlyFirst: 1, onlySecond: 0, p: pHolm, pHolm },
    oddsRatio: null,
    detectable: null,
    problemsNeeded: null,
  };
}

const chosenMetric = 'pass@n';

describe('the differences of a study', () => {
  test('are all shown in their order where they are few', () => {
    const few = [pair('pass@n', 0, 1), pair('pass@1', 1, 0.01)];
    expect(listedPairs(few, chosenMetric)).toEqual({ metrics: [], metric: null, pairs: few });
  });

  test('are shown metric by metric where they are many, the surest and then the largest first', () => {
    const many = [
      ...Array.from({ length: 40 }, (_, at) => pair('pass@1', at, 1)),
      pair('pass@n', 0, 1, 0.05),
      pair('pass@n', 1, 1, -0.2),
      pair('pass@n', 2, 0.01),
    ];
    const list = listedPairs(many, chosenMetric);
    expect([list.metrics, list.metric]).toEqual([['pass@1', 'pass@n'], 'pass@n']);
    expect(list.pairs.map(({ first }) => first)).toEqual(['b2', 'b1', 'b0']);
  });

  test('of a metric that is not there are those of the first that is', () => {
    const many = Array.from({ length: 50 }, (_, at) => pair('pass@1', at, 1));
    expect(listedPairs(many, chosenMetric).metric).toBe('pass@1');
  });
});
