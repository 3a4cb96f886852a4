import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HEADER_HEIGHT,
  headWidth,
  matrixExtent,
  matrixMove,
  pitchFor,
  scrollTo,
  squareAt,
  visibleRange,
} from '../../../renderer/compare/solve-geometry';

const sizes = fc.record({
  rows: fc.integer({ min: 1, max: 500 }),
  columns: fc.integer({ min: 1, max: 2_000 }),
});
const widths = fc.integer({ min: 100, max: 2_400 });

describe('the matrix', () => {
  test('of 175 problems fits next to the longest names without scrolling at 1280 pixels', () => {
    const size = { rows: 20, columns: 175 };
    const room = 1_048 - headWidth(['x'.repeat(60)]);
    expect(matrixExtent(size, pitchFor(size, room)).width).toBeLessThanOrEqual(room);
  });

  test('gives the square that is pointed at, however it is scrolled', () => {
    fc.assert(
      fc.property(sizes, widths, fc.nat(), fc.nat(), (size, width, a, b) => {
        const pitch = pitchFor(size, width);
        const at = { row: a % size.rows, column: b % size.columns };
        const window = { width, height: 400, scrollLeft: 0, scrollTop: 0 };
        const scrolled = scrollTo(at, pitch, window);
        const point = {
          x: (at.column + 0.5) * pitch.x - scrolled.scrollLeft,
          y: HEADER_HEIGHT + (at.row + 0.5) * pitch.y - scrolled.scrollTop,
        };
        expect(squareAt(point, size, pitch, scrolled)).toEqual(at);
        // And it is in sight there.
        expect(point.x).toBeLessThanOrEqual(width);
        expect(point.y).toBeLessThanOrEqual(400);
        const visible = visibleRange(size, pitch, { ...window, ...scrolled });
        expect(at.row).toBeGreaterThanOrEqual(visible.rows[0]);
        expect(at.row).toBeLessThan(visible.rows[1]);
        expect(at.column).toBeGreaterThanOrEqual(visible.columns[0]);
        expect(at.column).toBeLessThan(visible.columns[1]);
      }),
    );
  });

  test('paints no more than the window holds', () => {
    const size = { rows: 500, columns: 2_000 };
    const pitch = pitchFor(size, 800);
    const { rows, columns } = visibleRange(size, pitch, {
      width: 800,
      height: 500,
      scrollLeft: 1_234,
      scrollTop: 777,
    });
    expect(rows[1] - rows[0]).toBeLessThanOrEqual(Math.ceil(500 / pitch.y) + 1);
    expect(columns[1] - columns[0]).toBeLessThanOrEqual(Math.ceil(800 / pitch.x) + 1);
  });

  test('has no square in its crown or outside of its rows and columns', () => {
    const size = { rows: 2, columns: 3 };
    const pitch = { x: 10, y: 20 };
    const still = { scrollLeft: 0, scrollTop: 0 };
    expect(squareAt({ x: 5, y: HEADER_HEIGHT - 1 }, size, pitch, still)).toBeNull();
    expect(squareAt({ x: 30, y: HEADER_HEIGHT + 5 }, size, pitch, still)).toBeNull();
    expect(squareAt({ x: 5, y: HEADER_HEIGHT + 40 }, size, pitch, still)).toBeNull();
    expect(squareAt({ x: 29, y: HEADER_HEIGHT + 39 }, size, pitch, still)).toEqual({ row: 1, column: 2 });
  });

  test.each([
    ['ArrowRight', { row: 1, column: 2 }],
    ['ArrowLeft', { row: 1, column: 0 }],
    ['ArrowUp', { row: 0, column: 1 }],
    ['ArrowDown', { row: 1, column: 1 }],
    ['Home', { row: 1, column: 0 }],
    ['End', { row: 1, column: 2 }],
    ['x', null],
  ])('walks by %s, and stays at its edges', (key, to) => {
    expect(matrixMove(key, { row: 1, column: 1 }, { rows: 2, columns: 3 })).toEqual(to);
  });
});
