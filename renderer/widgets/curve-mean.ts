import { type Points, positionAt } from './chart-scale';

export type Mean = Points & {
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Curves that have come as far as each point. */
  readonly counts: readonly number[];
};

/** More points than this cannot be seen at any chart width. */
const MAX_POINTS = 600;

/**
 * The mean of several curves with the lowest and highest beside it, at every x that any of them has. Between two of its
 * points a curve goes straight; before its first and after its last it does not count.
 */
export function meanOf(curves: readonly Points[]): Mean {
  const xs = [...new Set(curves.flatMap((curve) => curve.xs))].sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(xs.length / MAX_POINTS));
  const mean: number[] = [];
  const low: number[] = [];
  const high: number[] = [];
  const counts: number[] = [];
  const positions = xs.filter((_, at) => at % step === 0 || at === xs.length - 1);
  for (const x of positions) {
    const values = curves.flatMap((curve) => {
      const value = valueAt(curve, x);
      return value === null ? [] : [value];
    });
    mean.push(values.reduce((sum, value) => sum + value, 0) / values.length);
    low.push(Math.min(...values));
    high.push(Math.max(...values));
    counts.push(values.length);
  }
  return { xs: positions, ys: mean, low, high, counts };
}

/** null: the curve has not begun at x, or has ended before. */
export function valueAt({ xs, ys }: Points, x: number): number | null {
  const at = positionAt(xs, x);
  const x0 = xs[at];
  const y0 = ys[at];
  if (x0 === undefined || y0 === undefined) return null;
  if (x0 === x) return y0;
  const x1 = xs[at + 1];
  const y1 = ys[at + 1];
  if (x1 === undefined || y1 === undefined) return null;
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
