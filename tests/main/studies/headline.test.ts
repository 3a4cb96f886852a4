import { expect, test } from 'vitest';
import { headlineOf } from '../../../main/studies/logic/headline';
import type { Analysis, Curve } from '../../../preload/contract';

const cell = (value: number): Analysis['rows'][number]['cells'][number] => ({
  metric: 'pass@n',
  value,
  low: value - 0.1,
  high: value,
  problems: 60,
  candidates: 1_440,
  faults: 0,
});

const row = (configuration: string, value: number, nodesPerTree = 24): Analysis['rows'][number] => ({
  configuration,
  team: configuration,
  scale: 'pocket',
  seeds: [1],
  nodesPerTree,
  distinctShare: 1,
  cells: [cell(value)],
});

const curve = (configuration: string, length: number): Curve => ({
  configuration,
  measure: 'pass@n',
  axis: 'nodes',
  points: Array.from({ length }, (_, at) => ({ n: at + 1, value: (at + 1) / length, low: 0, high: 1 })),
});

test('the headline is the best configuration by Pass@N, the first of equals with how many are level, and its own curve', () => {
  const rows = [row('single', 0.5), row('team', 0.9), row('copy', 0.9), row('samples only', 0, 0)];
  const headline = headlineOf({ rows, curves: [curve('single', 24), curve('team', 4)] });
  expect(headline).toEqual({
    configuration: 'team',
    level: 1,
    value: 0.9,
    low: 0.8,
    high: 0.9,
    n: 24,
    problems: 60,
    curve: [0.25, 0.5, 0.75, 1],
  });
});

test('a long curve is thinned to 24 points from the first node to the last', () => {
  const { curve: thin = [] } = headlineOf({ rows: [row('a', 1, 240)], curves: [curve('a', 240)] }) ?? {};
  expect(thin).toHaveLength(24);
  expect([thin[0], thin.at(-1)]).toEqual([0.0042, 1]);
});

test('of trees that end with their recording it says the nodes that there are', () => {
  expect(headlineOf({ rows: [{ ...row('a', 1, 40), longestTree: 16 }], curves: [] })?.n).toBe(16);
});

test('without a search tree there is no headline', () => {
  expect(headlineOf({ rows: [row('a', 0, 0)], curves: [] })).toBeNull();
});
