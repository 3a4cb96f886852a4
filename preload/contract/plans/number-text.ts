import type { OddsRatio } from '../analysis';

/**
 * A number with this many decimals, the same in the window, the terminal and every file: half is rounded away from zero
 * on both sides, with a true minus sign, and none before a zero.
 */
export function fixedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–';
  const size = Math.abs(value);
  const scale = 10 ** digits;
  const scaled = size * scale;
  // 8.35 is stored as 8.3499999999999996: fifteen digits say what was meant.
  const rounded = scaled < 1e15 ? Math.round(Number(scaled.toPrecision(15))) / scale : size;
  const text = rounded.toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** The same with a plus sign before what is above zero. */
export function signedText(value: number, digits: number): string {
  const text = fixedText(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** 0.6251 -> "62.5", -0.02 -> "−2.0": a share or a difference of shares in percent. */
export function percentText(rate: number, digits = 1): string {
  return fixedText(rate * 100, digits);
}

/** Sums of doubles that should be 0 are smaller than this, and nothing that a trainer logs. */
export const ROUNDING_NOISE = 1e-12;

/**
 * Is it an interval? Where all resamples are the same it has no width, and says nothing; their sums may be off in the last
 * digit.
 */
export function hasWidth({ low, high }: { readonly low: number; readonly high: number }): boolean {
  return high - low >= ROUNDING_NOISE;
}

/** The ends of an interval in a file of data: empty where it has no width. */
export function boundsOf(interval: {
  readonly low: number;
  readonly high: number;
}): readonly [low: number | null, high: number | null] {
  return hasWidth(interval) ? [interval.low, interval.high] : [null, null];
}

/** A difference of shares in percentage points, always with its sign: "+8.3", "−2.0". */
export function signedPercentText(rate: number): string {
  return signedText(rate * 100, 1);
}

/** A p-value, the same wherever it stands: two digits that count, "0.27", "0.012", "0.0031", and below that "< 0.0001". */
export function pText(p: number): string {
  return p < 0.0001 ? '< 0.0001' : fixedText(p, p < 0.01 ? 4 : p < 0.1 ? 3 : 2);
}

/** In a sentence: "p = 0.012", "p < 0.0001". */
export function pEquation(p: number): string {
  const text = pText(p);
  return text.startsWith('<') ? `p ${text}` : `p = ${text}`;
}

/** MiB in GiB: "23.5", from 100 on without a decimal. */
export function gibText(mib: number): string {
  const gib = mib / 1_024;
  return fixedText(gib, gib >= 100 ? 0 : 1);
}

/** An odds ratio, "< 0.01", "0.42", "3.70", "120"; null is infinite. */
export function ratioText(value: number | null): string {
  if (value === null) return '∞';
  if (value > 0 && value < 0.005) return '< 0.01';
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** An odds ratio with its interval, "3.70 [0.42, ∞]"; a dash where no problem differs. */
export function oddsRatioText(odds: OddsRatio | null): string {
  return odds === null ? '–' : `${ratioText(odds.value)} [${ratioText(odds.low)}, ${ratioText(odds.high)}]`;
}

/** "1 cell", "2 cells". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Who has the highest of `of` values: "team, best of 3"; of a tie "team and 2 others, level, best of 4". */
export function leaderText(name: string, level = 0, of = 0): string {
  const tie = level === 0 ? name : `${name} and ${counted(level, 'other')}, level`;
  return of < 2 || level === of - 1 ? tie : `${tie}, best of ${of}`;
}
