import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandsFor, gridMove } from '../../../renderer/shared/studies/grid-moves';
import { pointAt } from '../../../renderer/widgets/curve-chart';
import { topOf } from '../../../renderer/widgets/curve-figure';
import { sortedRows } from '../../../renderer/widgets/data-table';
import { thinned } from '../../../renderer/widgets/thinned';

describe('the bands of the grid', () => {
  test('sixty problems stand in one band in a window of 1280 pixels', () => {
    expect(bandsFor(60, 920)).toMatchObject({ perBand: 60, count: 1 });
  });

  test('few problems do not become giants', () => {
    expect(bandsFor(4, 900).pitch).toBe(24);
  });

  test('many rows stand denser, so that more of them are in sight together', () => {
    expect(bandsFor(175, 850, 3).pitch).toBe(16);
    expect(bandsFor(175, 850, 20)).toEqual({ pitch: 12, perBand: 60, count: 3 });
  });

  test('bands are about equally long', () => {
    expect(bandsFor(60, 810)).toMatchObject({ perBand: 30, count: 2 });
    expect(bandsFor(60, 730)).toMatchObject({ perBand: 30, count: 2 });
  });

  test('every column has a place, and no band is wider than the room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.integer({ min: 60, max: 3_000 }),
        fc.integer({ min: 1, max: 60 }),
        (columns, width, rows) => {
          const { pitch, perBand, count } = bandsFor(columns, width, rows);
          expect(perBand * count).toBeGreaterThanOrEqual(columns);
          expect(perBand * pitch).toBeLessThanOrEqual(width);
        },
      ),
      { seed: 1 },
    );
  });
});

describe('walking the grid', () => {
  const size = { rows: 3, columns: 25, perBand: 10 };

  test.each([
    ['ArrowRight', { row: 0, column: 0 }, { row: 0, column: 1 }],
    ['j', { row: 1, column: 24 }, { row: 1, column: 24 }],
    ['k', { row: 1, column: 3 }, { row: 1, column: 2 }],
    ['ArrowDown', { row: 2, column: 4 }, { row: 0, column: 14 }],
    ['ArrowDown', { row: 2, column: 24 }, { row: 2, column: 24 }],
    ['ArrowUp', { row: 0, column: 14 }, { row: 2, column: 4 }],
    ['End', { row: 2, column: 0 }, { row: 2, column: 24 }],
  ] as const)('%s from %j leads to %j', (key, from, to) => {
    expect(gridMove(key, from, size)).toEqual(to);
  });

  test('other keys are not the grid’s', () => {
    expect(gridMove('x', { row: 0, column: 0 }, size)).toBeNull();
  });
});

describe('curves', () => {
  const points = [1, 3, 5].map((x) => ({ x, y: x / 10, low: x / 20, high: x / 8 }));

  test('a reading holds until the next point', () => {
    expect([0, 1, 2, 4, 9].map((x) => pointAt(points, x)?.x ?? null)).toEqual([null, 1, 1, 3, 5]);
  });

  test('the scale ends at the tenth above the highest band', () => {
    const series = (high: number) => [
      { id: 'a', label: 'a', color: '', points: [{ x: 1, y: 0.1, low: 0, high }] },
    ];
    expect([0.61, 0.6, 1].map((high) => topOf(series(high)))).toEqual([0.7, 0.6, 1]);
    expect(topOf([])).toBe(1);
    const withReference = series(0.2).map((one) => ({ ...one, reference: [{ x: 1, y: 0.85 }] }));
    expect(topOf(withReference)).toBe(0.9);
  });

  test('thinning keeps both ends, the order, and never more than asked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 2, maxLength: 500 }),
        fc.integer({ min: 2, max: 60 }),
        (all, most) => {
          const items = all.map((value, at) => ({ value, at }));
          const thin = thinned(items, most);
          expect(thin.length).toBeLessThanOrEqual(Math.max(most, 2));
          expect([thin[0], thin.at(-1)]).toEqual([items[0], items.at(-1)]);
          expect(thin.map(({ at }) => at)).toEqual([...thin.map(({ at }) => at)].sort((a, b) => a - b));
        },
      ),
      { seed: 1 },
    );
  });
});

describe('tables', () => {
  const columns = [
    { id: 'n', label: 'n', track: '1fr', cell: () => null, sortValue: (row: { n: number }) => row.n },
  ];
  const rows = [{ n: 2 }, { n: 1 }, { n: 3 }];

  test('are sorted by a head and leave their rows as they are', () => {
    expect(sortedRows(rows, columns, { column: 'n', down: true }).map(({ n }) => n)).toEqual([3, 2, 1]);
    expect(rows.map(({ n }) => n)).toEqual([2, 1, 3]);
    expect(sortedRows(rows, columns, null)).toBe(rows);
  });
});
