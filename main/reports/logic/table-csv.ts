import type { ExhibitReference, Scale } from '../../../preload/contract/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import {
  estimatesIn,
  type ReportCell,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
} from './report-table';

type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

/** The columns of a wide file for one column of estimates; the paper's number only if there is one. */
const WIDE = ['', '_low', '_high', '_problems', '_seeds', '_letters'] as const;

const wideCells = ({ ours, letters }: Estimate): CsvCell[] => [
  ours?.value ?? null,
  ours?.low ?? null,
  ours?.high ?? null,
  ours?.problems ?? null,
  ours?.seeds ?? null,
  letters,
];

/** Only of a column in which some value has it. */
const SPREAD = ['_seed_sd', '_seed_min', '_seed_max'] as const;

const spreadCells = ({ ours }: Estimate): CsvCell[] => [
  ours?.seedSpread?.sd ?? null,
  ours?.seedSpread?.min ?? null,
  ours?.seedSpread?.max ?? null,
];

/** A paper's percent or points as rates, so that a file has one unit. */
function inUnitOfFile(value: number, unit: ExhibitReference['unit']): number {
  return unit === 'number' ? value : Number((value / 100).toPrecision(12));
}

function differenceOf({ difference, reference }: Estimate): number | null {
  return difference === null ? null : inUnitOfFile(difference, reference[0]?.unit ?? '%');
}

/** Value and sources of the paper, why ours is not comparable, and at paper scale the difference. */
function referenceCells(cell: Estimate, withDifference: boolean): CsvCell[] {
  const { reference, notComparable } = cell;
  const [first] = reference;
  const sources = reference.map(({ value, unit, source }) => `${source}: ${inUnitOfFile(value, unit)}`);
  return [
    first === undefined ? null : inUnitOfFile(first.value, first.unit),
    sources.join('; ') || null,
    ...(withDifference ? [differenceOf(cell)] : []),
    notComparable.join(' ') || null,
  ];
}

/**
 * One row per configuration. Rates are in [0, 1] and in full precision, also those of a paper; `seeds` counts the seeds,
 * `seed_numbers` has them joined by spaces; a missing value is empty. `answered_by` and `in_place_of`, if some row has
 * them: policies that stand for a paper's models, and these models. A table of nothing measured has no seeds and no scale. `scale` is that of ours; a paper's numbers are in
 * columns of their own.
 */
export function wideCsv(table: ReportTable): CsvFile {
  const kinds = table.columns.map((_, at) => {
    const cells = table.rows.flatMap(({ cells }) => cells[at] ?? []);
    const isEstimate = cells.some(({ kind }) => kind === 'estimate');
    return {
      isEstimate,
      withSpread: estimatesIn(cells).some(({ ours }) => ours?.seedSpread !== undefined),
      withReference: cells.some((cell) => cell.kind === 'estimate' && cell.reference.length > 0),
    };
  });
  const standsIn = table.rows.some(({ inPlaceOf }) => inPlaceOf !== undefined && inPlaceOf !== '');
  const hasNodes = table.rows.some(({ nodes }) => nodes !== undefined && nodes !== null);
  const withDifference = table.rows.some(({ scale }) => scale === 'paper');
  const isMeasured = table.rows.length === 0 || table.rows.some(({ scale }) => scale !== null);
  const ofPaper = ['_paper', '_paper_source', ...(withDifference ? ['_difference'] : []), '_not_comparable'];
  const header = table.columns.flatMap(({ id }, at) => {
    if (!kinds[at]?.isEstimate) return [id];
    const { withSpread, withReference } = kinds[at];
    return [...WIDE, ...(withSpread ? SPREAD : []), ...(withReference ? ofPaper : [])].map(
      (suffix) => `${id}${suffix}`,
    );
  });
  return csvFile(
    [
      'group',
      'row',
      ...(standsIn ? ['answered_by', 'in_place_of'] : []),
      ...(isMeasured ? ['seeds', 'seed_numbers', 'scale'] : []),
      'complete',
      ...(hasNodes ? ['nodes_per_tree'] : []),
      ...(table.grading === undefined ? [] : ['grading']),
      ...header,
    ],
    table.rows.map((row): CsvCell[] => [
      row.group,
      row.label,
      ...(standsIn ? [row.answeredBy ?? null, row.inPlaceOf ?? null] : []),
      ...(isMeasured ? [row.seeds.length, row.seeds.join(' '), row.scale] : []),
      table.complete ? 'yes' : 'no',
      ...(hasNodes ? [row.nodes ?? null] : []),
      ...(table.grading === undefined ? [] : [table.grading]),
      ...table.columns.flatMap((_, at): CsvCell[] => {
        const cell = row.cells[at];
        if (cell?.kind === 'estimate') {
          const paper = kinds[at]?.withReference ? referenceCells(cell, withDifference) : [];
          const spread = kinds[at]?.withSpread ? spreadCells(cell) : [];
          return [...wideCells(cell), ...spread, ...paper];
        }
        return [cell === undefined ? null : cell.kind === 'text' ? cell.text : cell.value];
      }),
    ]),
  );
}

const LONG = [
  'table',
  'row_group',
  'row',
  'answered_by',
  'in_place_of',
  'column_group',
  'column',
  'whose',
  'text',
  'value',
  'low',
  'high',
  'unit',
  'problems',
  'seeds',
  'seed_numbers',
  'nodes_per_tree',
  'scale',
  'letters',
  'best',
  'source',
  'difference',
  'not_comparable',
  'state',
  'complete',
] as const;

/** The columns of a long file by name; what is left out is empty. */
type LongRow = Partial<Record<(typeof LONG)[number], CsvCell>>;

const PAPER: Scale = 'paper';

/** The paper's numbers of a cell, a row a source, then ours. */
function longRows(table: ReportTable, row: ReportRow, column: ReportColumn, cell: ReportCell): LongRow[] {
  const place: LongRow = {
    table: table.id,
    row_group: row.group,
    row: row.label,
    column_group: column.group,
    column: column.id,
  };
  const estimate = cell.kind === 'estimate' ? cell : null;
  const references = estimate?.reference ?? [];
  const paper = references.map(({ value, unit, source }): LongRow => {
    const kind = unit === '%' ? 'rate' : unit;
    return { ...place, whose: 'paper', value: inUnitOfFile(value, unit), unit: kind, scale: PAPER, source };
  });
  return [
    ...paper,
    {
      ...place,
      answered_by: row.answeredBy ?? null,
      in_place_of: row.inPlaceOf ?? null,
      whose: 'ours',
      text: cell.kind === 'text' ? cell.text : null,
      value: estimate?.ours?.value ?? (cell.kind === 'number' ? cell.value : null),
      low: estimate?.ours?.low ?? null,
      high: estimate?.ours?.high ?? null,
      unit: column.unit.kind,
      problems: estimate?.ours?.problems ?? null,
      seeds: row.seeds.length,
      seed_numbers: row.seeds.join(' '),
      nodes_per_tree: row.nodes ?? null,
      scale: row.scale,
      letters: estimate?.letters ?? null,
      best: estimate === null ? null : estimate.best ? 'yes' : 'no',
      difference: estimate === null ? null : differenceOf(estimate),
      not_comparable: estimate?.notComparable.join(' ') || null,
      state: estimate?.state ?? null,
      complete: table.complete ? 'yes' : 'no',
    },
  ];
}

/** Its further columns, with the spread of the seeds where it has one. */
function moreOf({ more, ours }: Estimate): Estimate['more'] {
  if (ours?.seedSpread === undefined) return more;
  const { sd, min, max } = ours.seedSpread;
  return { ...more, seed_sd: sd, seed_min: min, seed_max: max };
}

/** One row per value, ours and the paper's apart: the same columns for every table, then those of `more`. */
export function longCsv(table: ReportTable): CsvFile {
  const estimates = table.rows.flatMap(({ cells }) => estimatesIn(cells));
  const extra = [...new Set(estimates.flatMap((cell) => Object.keys(moreOf(cell))))];
  const rows = table.rows.flatMap((row) =>
    table.columns.flatMap((column, at): CsvCell[][] => {
      const cell = row.cells[at];
      if (cell === undefined) return [];
      const more = cell.kind === 'estimate' ? moreOf(cell) : {};
      return longRows(table, row, column, cell).map((values) => [
        ...LONG.map((name) => values[name] ?? null),
        ...extra.map((name) => (values.whose === 'ours' ? (more[name] ?? null) : null)),
        ...(table.grading === undefined ? [] : [values.whose === 'ours' ? table.grading : null]),
      ]);
    }),
  );
  return csvFile([...LONG, ...extra, ...(table.grading === undefined ? [] : ['grading'])], rows);
}
