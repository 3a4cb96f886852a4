/** Geometry of line charts: ranges, ticks and paths. Pure; pixels are whole or tenths. */

export type Range = { readonly low: number; readonly high: number };

/** Values of one quantity over another one; arrays are equally long, xs ascend. */
export type Points = { readonly xs: readonly number[]; readonly ys: readonly number[] };

/**
 * At most about `count` round numbers within [low, high]: multiples of 1, 2 or 5 times a power of ten, `least` or more apart
 * (1: whole numbers).
 */
export function niceTicks(low: number, high: number, count: number, least = 0): readonly number[] {
  if (!(high > low) || count < 1) return [low];
  const rough = Math.max(least, (high - low) / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough * 0.999) ?? 10 * power;
  const ticks: number[] = [];
  const first = Math.ceil(low / step - 1e-9);
  for (let at = first; at * step <= high + step * 1e-9; at++) ticks.push(Number((at * step).toPrecision(12)));
  // One label alone gives no scale: 8.1 to 8.9 in halves has only 8.5.
  return ticks.length < 2 && rough > least && count < 32 ? niceTicks(low, high, 2 * count, least) : ticks;
}

/**
 * The range that shows these values: with a little air, and from 0 where the values come near it. Values that are all
 * equal get a range around them.
 */
export function rangeOf(lowest: number, highest: number): Range {
  if (!(highest >= lowest)) return { low: 0, high: 1 };
  const span = highest - lowest;
  if (span === 0) {
    const air = Math.abs(lowest) * 0.5 || 1;
    return lowest >= 0 ? { low: 0, high: lowest + air } : { low: lowest - air, high: lowest + air };
  }
  const air = span * 0.06;
  const low = lowest >= 0 && lowest < span ? 0 : lowest - air;
  const high = highest <= 0 && -highest < span ? 0 : highest + air;
  return { low, high };
}

/** Values sampled for the usual range. */
const MAX_SAMPLES = 500;
/** A spike further away than this many usual spans would flatten the rest. */
const MAX_SPANS = 3;

/** Lowest and highest value; spikes beyond the range of 96 % of the values are cut so that the rest stays readable. */
export function rangeWithoutSpikes(values: readonly number[]): Range | null {
  const [first] = values;
  if (first === undefined) return null;
  let [lowest, highest] = [first, first];
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  const every = Math.max(1, Math.floor(values.length / MAX_SAMPLES));
  const sampled = Float64Array.from(
    { length: Math.ceil(values.length / every) },
    (_, at) => values[at * every] ?? 0,
  ).sort();
  const cut = Math.floor(sampled.length * 0.02);
  const low = sampled[cut] ?? lowest;
  const high = sampled[sampled.length - 1 - cut] ?? highest;
  if (high === low) return { low: lowest, high: highest };
  const far = MAX_SPANS * (high - low);
  return { low: Math.max(lowest, low - far), high: Math.min(highest, high + far) };
}

/** From a value to a pixel; the range has a width. */
export function pixelOf(value: number, { low, high }: Range, from: number, to: number): number {
  return from + ((value - low) / (high - low)) * (to - from);
}

/**
 * The same curve by fewer points: of each of `buckets` equal stretches of x its first, lowest, highest and last. What
 * is drawn at so many pixels looks the same.
 */
export function outline({ xs, ys }: Points, buckets: number): Points {
  const count = xs.length;
  if (count <= buckets * 4) return { xs, ys };
  const start = xs[0] ?? 0;
  const width = ((xs[count - 1] ?? start) - start) / buckets || 1;
  const columns: number[] = [];
  let from = 0;
  while (from < count) {
    const bucket = Math.floor(((xs[from] ?? 0) - start) / width);
    let to = from;
    let lowest = from;
    let highest = from;
    while (to + 1 < count && Math.floor(((xs[to + 1] ?? 0) - start) / width) === bucket) {
      to += 1;
      if ((ys[to] ?? 0) < (ys[lowest] ?? 0)) lowest = to;
      if ((ys[to] ?? 0) > (ys[highest] ?? 0)) highest = to;
    }
    for (const at of [...new Set([from, lowest, highest, to])].sort((a, b) => a - b)) columns.push(at);
    from = to + 1;
  }
  return { xs: columns.map((at) => xs[at] ?? 0), ys: columns.map((at) => ys[at] ?? 0) };
}

type Frame = { readonly x: (value: number) => number; readonly y: (value: number) => number };

/** The "d" of a line through the points. */
export function linePath({ xs, ys }: Points, { x, y }: Frame): string {
  let path = '';
  for (let at = 0; at < xs.length; at++) {
    path += `${at === 0 ? 'M' : 'L'}${x(xs[at] ?? 0).toFixed(1)},${y(ys[at] ?? 0).toFixed(1)}`;
  }
  return path;
}

/** The "d" of the surface between two lines over the same xs. */
export function bandPath(
  xs: readonly number[],
  low: readonly number[],
  high: readonly number[],
  frame: Frame,
): string {
  if (xs.length === 0) return '';
  const back = { xs: [...xs].reverse(), ys: [...low].reverse() };
  return `${linePath({ xs, ys: high }, frame)}L${linePath(back, frame).slice(1)}Z`;
}

/** Position of the last point at or before x; -1: there is none. */
export function positionAt(xs: readonly number[], x: number): number {
  let from = 0;
  let to = xs.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((xs[middle] ?? 0) <= x) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** The pixel of the newest point, at the edge where it lies outside of `range`; null without points. */
export function lastPoint(
  { xs, ys }: Points,
  range: Range,
  frame: { readonly x: (value: number) => number; readonly y: (value: number) => number },
): { readonly x: number; readonly y: number } | null {
  const x = xs.at(-1);
  const y = ys.at(-1);
  return x === undefined || y === undefined
    ? null
    : { x: frame.x(x), y: frame.y(Math.min(range.high, Math.max(range.low, y))) };
}
