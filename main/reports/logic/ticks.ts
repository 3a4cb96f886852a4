/** Maps a value to a position on the page. */
export type PositionOf = (value: number) => number;

/** Round numbers 1, 2, 2.5 or 5 times a power of ten, so that about `wanted` of them lie in [low, high]. */
function niceStep(span: number, count: number): number {
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.85) ?? 10;
  return lead * power;
}

/** The smallest range around [low, high] with round ends, and the round numbers in it. */
export function linearTicks(
  low: number,
  high: number,
  wanted: number,
): { readonly from: number; readonly to: number; readonly ticks: readonly number[] } {
  const span = high - low > 0 ? high - low : Math.max(Math.abs(high), 1);
  const step = niceStep(span, wanted);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  return { from: first * step, to: last * step, ticks };
}

/** For larger numbers powers of ten are used: few readers see 4096 as round. */
const LARGEST_POWER_OF_TWO = 1_024;

/**
 * Round numbers in [low, high] for a log axis: powers of two for budgets such as nodes, plus the end of the range; else
 * 1, 2 and 5 times powers of ten, or only powers of ten over a long range.
 */
export function logTicks(low: number, high: number): readonly number[] {
  const isCount = low >= 1 && high <= LARGEST_POWER_OF_TWO;
  const ticks = isCount
    ? powers(2, [1], low, high)
    : powers(10, high / low > 300 ? [1] : [1, 2, 5], low, high);
  if (ticks.length < 2) return [low, high];
  const last = ticks.at(-1) ?? high;
  return isCount && high / last > 1.3 ? [...ticks, high] : ticks;
}

function powers(base: number, leads: readonly number[], low: number, high: number): number[] {
  const first = Math.floor(Math.log(low) / Math.log(base)) - 1;
  const last = Math.ceil(Math.log(high) / Math.log(base)) + 1;
  const all = Array.from({ length: last - first + 1 }, (_, at) => base ** (first + at)).flatMap((power) =>
    leads.map((lead) => Number((lead * power).toPrecision(12))),
  );
  return all.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

/** A short form: 1500 as "1.5k", 2000000 as "2M". */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  const trim = (number: number): string => String(Number(number.toPrecision(3)));
  if (size >= 1e9) return `${trim(value / 1e9)}G`;
  if (size >= 1e6) return `${trim(value / 1e6)}M`;
  if (size >= 1e4) return `${trim(value / 1e3)}k`;
  return trim(value);
}
