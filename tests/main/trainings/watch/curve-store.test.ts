import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastStep } from '../../../../main/trainings/logic/watch/alarm-facts';
import { CurveStore } from '../../../../main/trainings/logic/watch/curve-store';
import type { MetricRow } from '../../../../main/trainings/logic/watch/metric-names';
import { thinned } from '../../../../main/trainings/logic/watch/series';
import { TimeLine } from '../../../../main/trainings/logic/watch/time-line';
import { martiTrainingSchema } from '../../../../preload/contract';
import { pocketSpec } from '../../../support/watch-bench';

const rowOf = (step: number, value: number, more: Partial<MetricRow> = {}): MetricRow => ({
  agentId: 'a',
  step,
  part: 'train',
  key: 'reward',
  dataset: null,
  value,
  ...more,
});

/** Ascending steps with a value each. */
const points = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 50 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
    ),
    { minLength: 1, maxLength: 400 },
  )
  .map((gaps) => {
    let step = 0;
    const steps = gaps.map(([gap]) => {
      step += gap;
      return step;
    });
    return { steps, values: gaps.map(([, value]) => value) };
  });

describe('thinning', () => {
  test('keeps both ends, the lowest and the highest, in order, and no more than requested', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 4, max: 200 }), ({ steps, values }, limit) => {
        const thin = thinned(steps, values, limit);
        expect(thin.length).toBeLessThanOrEqual(Math.max(limit, 4));
        expect(thin).toEqual([...new Set(thin)].toSorted((a, b) => a - b));
        expect([thin[0], thin.at(-1)]).toEqual([0, steps.length - 1]);
        const shown = thin.map((at) => values[at] ?? Number.NaN);
        expect(Math.min(...shown)).toBe(Math.min(...values));
        expect(Math.max(...shown)).toBe(Math.max(...values));
        if (steps.length <= limit) expect(thin).toHaveLength(steps.length);
      }),
    );
  });
});

describe('a series', () => {
  test('of any length keeps its ends and extremes in bounded memory', () => {
    const store = new CurveStore();
    for (let step = 1; step <= 100_000; step++) {
      const value = step === 31_337 ? 9 : step === 77_777 ? -9 : Math.sin(step);
      store.add('metrics', rowOf(step, value, { samples: step * 128 }), step * 1_000);
    }
    const [all] = store.curves(100_000);
    if (all === undefined) throw new Error('no curve');
    expect(all.steps.length).toBeLessThanOrEqual(4_096);
    expect([all.steps[0], all.steps.at(-1)]).toEqual([1, 100_000]);
    expect([Math.max(...all.values), Math.min(...all.values)]).toEqual([9, -9]);
    expect(all.steps[all.values.indexOf(9)]).toBe(31_337);
    expect(all.samples?.[all.values.indexOf(-9)]).toBe(77_777 * 128);
    expect(all.seconds?.[all.values.indexOf(9)]).toBeCloseTo(31_336, 0);
    expect(store.curves(10)[0]?.steps).toHaveLength(10);
    // As dense at its begin as at its end.
    const shown = store.curves(1_000)[0]?.steps ?? [];
    expect(shown.filter((step) => step <= 50_000).length / shown.length).toBeCloseTo(0.5, 1);
  });

  test('continues where a resumed training continues', () => {
    const store = new CurveStore();
    for (const step of [1, 2, 3, 4, 5]) store.add('metrics', rowOf(step, step));
    for (const step of [3, 4]) store.add('metrics', rowOf(step, 10 * step));
    expect(store.curves(100)).toMatchObject([{ steps: [1, 2, 3, 4], values: [1, 2, 30, 40] }]);
  });

  test('holds finite values alone', () => {
    const store = new CurveStore();
    for (const [at, value] of [1, Number.NaN, 3, Number.POSITIVE_INFINITY].entries())
      store.add('metrics', rowOf(at, value));
    expect(store.curves(100)).toMatchObject([{ steps: [0, 2], values: [1, 3] }]);
    expect(store.latest()).toEqual([{ agentId: 'a', key: 'reward', part: 'train', value: 3 }]);
  });
});

describe('a book of curves', () => {
  test('prefers what the trainer writes into files to what it prints', () => {
    const store = new CurveStore();
    store.add('log', rowOf(1, 0.51));
    store.add('log', rowOf(1, 0.3, { key: 'entropy' }));
    store.add('metrics', rowOf(1, 0.5078125));
    expect(store.curves(100).map(({ key, values }) => [key, values])).toEqual([
      ['reward', [0.5078125]],
      ['entropy', [0.3]],
    ]);
  });

  test('gives the latest value of each part: what is learned from and what is held out are two quantities', () => {
    const store = new CurveStore();
    const key = 'pass@1';
    store.add('metrics', rowOf(1, 0.3, { key, part: 'evaluation' }));
    store.add('metrics', rowOf(2, 0.9, { key }));
    expect(store.latest()).toEqual([
      { agentId: 'a', key, part: 'train', value: 0.9 },
      { agentId: 'a', key, part: 'evaluation', value: 0.3 },
    ]);
  });

  test('names the data set where there are several', () => {
    const store = new CurveStore();
    const evaluation = { part: 'evaluation', key: 'pass@1' } as const;
    store.add('metrics', rowOf(1, 0.2, { ...evaluation, dataset: 'lcb' }));
    expect(store.curves(100).map(({ key }) => key)).toEqual(['pass@1']);
    store.add('metrics', rowOf(1, 0.3, { ...evaluation, dataset: 'mbpp' }));
    expect(store.curves(100).map(({ key }) => key)).toEqual(['pass@1/lcb', 'pass@1/mbpp']);
  });

  test('holds no more than two thousand quantities', () => {
    const store = new CurveStore();
    for (let at = 0; at < 2_500; at++) store.add('metrics', rowOf(1, 1, { key: `k${at}`, part: 'other' }));
    expect(store.curves(10)).toHaveLength(2_000);
  });

  test('counts seconds from the first point of the training, whoever made it', () => {
    const store = new CurveStore();
    store.add('metrics', rowOf(1, 1), 60_000);
    store.add('metrics', rowOf(1, 1, { agentId: 'b' }), 90_000);
    store.add('metrics', rowOf(1, 1, { agentId: null, part: 'evaluation' }), 120_000);
    expect(store.curves(10).map(({ seconds }) => seconds)).toEqual([[0], [30], [60]]);
  });

  test('returns the least number of updates of an agent that learns', () => {
    const store = new CurveStore();
    store.add('metrics', rowOf(12, 1));
    expect(leastStep(store, pocketSpec(), ['a', 'b'])).toBe(0);
    store.add('metrics', rowOf(7, 1, { agentId: 'b' }));
    expect(leastStep(store, pocketSpec(), ['a', 'b'])).toBe(7);
    // Of MARTI the agent's own step, where the global one runs ahead of it.
    store.add('own-steps', rowOf(5, 1, { agentId: 'a' }));
    store.add('own-steps', rowOf(6, 1, { agentId: 'b' }));
    const marti = { kind: 'marti', checkout: '/m', agents: [{ model: 'a' }], data: '/d', output: '/o' };
    const spec = martiTrainingSchema.parse({ ...marti, preset: 'multi' });
    expect(leastStep(store, spec, ['a', 'b'])).toBe(5);
    // Agents that share weights learn as one.
    expect(leastStep(store, martiTrainingSchema.parse({ ...marti, preset: 'shared' }), ['a', 'b', 'c'])).toBe(
      5,
    );
  });
});

describe('a time line', () => {
  test('interpolates the time of a step between two known ones, and the step at a time', () => {
    const line = new TimeLine();
    for (const [step, ms] of [
      [10, 1_000],
      [20, 3_000],
      [40, 9_000],
    ] as const)
      line.add(step, ms);
    expect([5, 10, 15, 30, 99].map((step) => line.at(step))).toEqual([1_000, 1_000, 2_000, 6_000, 9_000]);
    expect([0, 3_500, 99_000].map((ms) => line.stepBefore(ms))).toEqual([null, 20, 40]);
    expect(line.gaps).toEqual([2_000, 6_000]);
  });
});
