import type { Exhibit } from '../../../preload/contract/index';
import { isSecondHand } from '../../../preload/contract/plans/index';
import type { CsvCell } from '../../base/index';
import { letter } from './cell-text';
import { inUnitOfFile } from './file-values';
import type { TableNote } from './printed-notes';

type Claims = { readonly claims?: Exhibit['claims'] };

/** In a wide file, the rows that are claims have their numbers here, since no column says what they measure. */
export const CLAIM_COLUMNS = ['claim', 'claim_unit', 'claim_source'] as const;

/** A number of the paper that stands in no cell of its table, as files have it. */
type Claim = {
  readonly text: string;
  readonly value: number;
  readonly unit: string;
  readonly source: string;
  readonly remark?: string;
};

/** Files have rates from 0 to 1, also where they differ by points. */
const UNITS: Readonly<Record<string, string>> = { '%': 'rate', points: 'difference of rates' };

/** One for each number of each claim. */
export function claimsOf({ claims = [] }: Claims): Claim[] {
  return claims.flatMap(({ text, reference, remark }) =>
    reference.map(({ value, unit, source }) => ({
      ...{ text, value: inUnitOfFile(value, unit), unit: UNITS[unit] ?? unit, source },
      ...(remark === undefined ? {} : { remark }),
    })),
  );
}

/** The last rows of a wide file with these columns. */
export function claimRows(table: Claims, columns: readonly string[]): CsvCell[][] {
  return claimsOf(table).map(({ text, value, unit, source, remark }) => {
    const row: Readonly<Record<string, CsvCell>> = {
      ...{ group: 'Claims', row: text, scale: 'paper' },
      ...{ claim: value, claim_unit: unit, claim_source: source, note: remark ?? null },
    };
    return columns.map((name) => row[name] ?? null);
  });
}

/** All claims in one note; none: no note. `sources`: those that have letters. The asides of a table have them with remarks. */
export function claimsNotes({ claims = [] }: Claims, sources: readonly string[]): TableNote[] {
  if (claims.length === 0) return [];
  const start = 'Reported of the paper, in no cell and not compared.';
  const texts = claims.map(({ text, reference }) => {
    const values = reference.map(({ value, unit, source }, at) => {
      const where = sources.length > 1 && sources.includes(source) ? letter(sources.indexOf(source)) : source;
      const isLast = reference[at + 1]?.source !== source;
      return `${value.toFixed(1)}${unit === 'number' ? '' : ` ${unit}`}${isLast ? ` [${where}]` : ''}`;
    });
    return `${text}: ${values.join(', ')}`;
  });
  const short = claims.map(({ text, reference }) => {
    const mark = reference.some(isSecondHand) ? ' (second-hand)' : '';
    return `${text}: ${reference.map(({ value, unit }) => `${value.toFixed(1)}${unit === 'number' ? '' : ` ${unit}`}`).join(', ')}${mark}`;
  });
  return [{ full: `${start} ${texts.join('. ')}.`, print: `${start} ${short.join('. ')}.` }];
}
