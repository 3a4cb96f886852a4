import type { ExhibitReference } from '../../../preload/contract/index';
import type { ReportEstimate, ReportUnit } from './report-table';

/** A true minus sign, and none before a zero. */
function signed(text: string): string {
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text.replace('-', '\u2212');
}

/** A rate as percent and its differences as points, with one decimal; other numbers in groups of three digits. */
export function printNumber(value: number, unit: ReportUnit): string {
  switch (unit.kind) {
    case 'rate':
    case 'points':
      return signed((value * 100).toFixed(1));
    case 'number': {
      if (value === Number.POSITIVE_INFINITY) return '\u221e';
      const [whole = '', rest] = value.toFixed(unit.digits).split('.');
      const grouped = whole.replace(/(\d)(?=(\d{3})+$)/g, '$1,');
      return signed(rest === undefined ? grouped : `${grouped}.${rest}`);
    }
  }
}

/** e.g. "[51.2, 59.1]"; of several seeds with their standard deviation, "[51.2, 59.1] SD 1.3". */
export function printInterval({ low, high, seedSpread }: ReportEstimate, unit: ReportUnit): string {
  const spread = seedSpread === undefined ? '' : ` SD ${printNumber(seedSpread.sd, unit)}`;
  return `[${printNumber(low, unit)}, ${printNumber(high, unit)}]${spread}`;
}

/** Equal values are given once; different ones side by side, e.g. "55.4 / 56.0". */
export function printReference(references: readonly ExhibitReference[]): string {
  return [
    ...new Set(references.map(({ value, unit }) => signed(value.toFixed(unit === 'number' ? 3 : 1)))),
  ].join(' / ');
}

/** With its sign, e.g. "+1.3". */
export function printDifference(difference: number, unit: ExhibitReference['unit']): string {
  const text = signed(difference.toFixed(unit === 'number' ? 3 : 1));
  return /^[\u2212]/.test(text) || Number(text) === 0 ? text : `+${text}`;
}
