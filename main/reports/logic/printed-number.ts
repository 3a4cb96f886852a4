import type { ExhibitReference, SeedSpread } from '../../../preload/contract/index';
import {
  fixedText,
  hasWidth,
  percentText,
  ratioText,
  signedText,
} from '../../../preload/contract/plans/index';
import type { ReportEstimate, ReportUnit } from './report-table';

/** A rate as percent and its differences as points, with one decimal; other numbers in groups of three digits. */
export function printNumber(value: number, unit: ReportUnit): string {
  switch (unit.kind) {
    case 'rate':
    case 'points':
      return percentText(value);
    case 'number': {
      if (unit.isRatio) return ratioText(Number.isFinite(value) ? value : null);
      const least = 10 ** -unit.digits;
      if (unit.isProbability && value > 0 && value < least / 2) return `< ${fixedText(least, unit.digits)}`;
      const [whole = '', rest] = fixedText(value, unit.digits).split('.');
      const grouped = whole.replace(/(\d)(?=(\d{3})+$)/g, '$1,');
      return rest === undefined ? grouped : `${grouped}.${rest}`;
    }
  }
}

/**
 * e.g. "[51.2, 59.1]"; of several seeds with their standard deviation, "[51.2, 59.1] SD 1.3". One of no width is none.
 */
export function printInterval({ low, high, seedSpread }: ReportEstimate, unit: ReportUnit): string {
  const spread = seedSpread === undefined ? '' : ` ${printSpread(seedSpread, unit)}`;
  const bounds = hasWidth({ low, high }) ? `[${printNumber(low, unit)}, ${printNumber(high, unit)}]` : '';
  return `${bounds}${spread}`.trim();
}

/** e.g. "SD 1.3"; of whole numbers with a digit after the point, as their deviation is none. */
export function printSpread({ sd }: SeedSpread, unit: ReportUnit): string {
  const isWhole = unit.kind === 'number' && unit.digits === 0 && sd < 100;
  return `SD ${printNumber(sd, isWhole ? { ...unit, digits: 1 } : unit)}`;
}

/** Equal values are given once; different ones side by side, e.g. "55.4 / 56.0". */
export function printReference(references: readonly ExhibitReference[]): string {
  return [...new Set(references.map(({ value, unit }) => fixedText(value, decimals(unit))))].join(' / ');
}

/** With its sign, e.g. "+1.3". */
export function printDifference(difference: number, unit: ExhibitReference['unit']): string {
  return signedText(difference, decimals(unit));
}

function decimals(unit: ExhibitReference['unit']): number {
  return unit === 'number' ? 3 : 1;
}
