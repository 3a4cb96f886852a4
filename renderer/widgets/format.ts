/** Numbers and times as texts; the same everywhere. Rates are shares in [0, 1], shown in percent. */

import { timeText } from '../../preload/contract/plans/local-time';
import {
  hasWidth,
  percentText as percent,
  signedPercentText as pointsDifference,
} from '../../preload/contract/plans/number-text';

export { percent, pointsDifference };

/** "51.2 – 72.5", in percent. */
export function percentRange(low: number, high: number, digits = 1): string {
  return `${percent(low, digits)} – ${percent(high, digits)}`;
}

/** "51.2 – 72.5, SD 1.3": with the standard deviation over the seeds, where there are several; no interval without a width. */
export function spreadRange(low: number, high: number, spread: { readonly sd: number } | undefined): string {
  return [
    ...(hasWidth({ low, high }) ? [percentRange(low, high)] : []),
    ...(spread === undefined ? [] : [`SD ${percent(spread.sd)}`]),
  ].join(', ');
}

/** 12345 -> "12,345". */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** "1 problem", "40 problems", "1,200 candidates". */
export function plural(value: number, singular: string, many = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : many}`;
}

/** "seed 11", "seeds 11, 12": which they are, where how many is what counts. */
export function seedNumbers(seeds: readonly number[]): string {
  return `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`;
}

/** A length of time in words of at most two units: "8 s", "2 min 30 s", "3 h 5 min", "2 d 4 h". */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joined(hours, 'h', minutes % 60, 'min');
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Rounds an estimate: to 5 s below a minute, 10 s below five, whole minutes above. */
export function roughDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const step = seconds < 60 ? 5 : seconds < 300 ? 10 : seconds < 3600 ? 60 : 600;
  return duration(Math.max(step, Math.round(seconds / step) * step) * 1000);
}

/** How long ago: "just now", "5 min ago", "3 h ago", "2 d ago". Times are milliseconds since the epoch. */
export function ago(then: number, now: number): string {
  const seconds = (now - then) / 1000;
  if (seconds < 45) return 'just now';
  if (seconds < 3_600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} d ago`;
}

/** "812 B", "14.2 kB", "3.1 MB", "2.5 TB". */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  if (size < 1_000_000) return `${(size / 1_000).toFixed(1)} kB`;
  if (size < 1_000_000_000) return `${(size / 1_000_000).toFixed(1)} MB`;
  if (size < 1_000_000_000_000) return `${(size / 1_000_000_000).toFixed(1)} GB`;
  return `${(size / 1_000_000_000_000).toFixed(1)} TB`;
}

/** "14:02" of today, "20 Nov 14:02" of another day. `at` is an ISO date. */
export function clockTime(at: string, now: Date = new Date()): string {
  return timeText(at, now.getTime());
}
