import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import type { ReportCell, ReportTable } from './report-table';

type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

/** The columns of a wide file for one column of estimates; the paper's number only if there is one. */
const WIDE = ['', '_low', '_high', '_problems', '_seeds', '_letters'] as const;
const WIDE_REFERENCE = ['_paper', '_paper_unit', '_paper_source', '_difference', '_not_comparable'] as const;

const wideCells = ({ ours, letters }: Estimate): CsvCell[] => [
  ours?.value ?? null,
  ours?.low ?? null,
  ours?.high ?? null,
  ours?.problems ?? null,
  ours?.seeds ?? null,
  letters,
];

function referenceCells({ reference, difference, notComparable }: Estimate): CsvCell[] {
  const [first] = reference;
  return [
    first?.value ?? null,
    first?.unit ?? null,
    reference.map(({ value, unit, source }) => `${source}: ${value} (${unit})`).join('; ') || null,
    difference,
    notComparable.join(' ') || null,
  ];
}

/**
 * One row per configuration. Rates are in [0, 1] and in full precision; `seeds` counts the seeds, `seed_numbers` has
 * them joined by spaces; a missing value is empty. `answered_by` and `in_place_of`, if some row has them: policies that
 * stand for a paper's models, and these models.
 */
export function wideCsv(table: ReportTable): CsvFile {
  const kinds = table.columns.map((_, at) => {
    const cells = table.rows.flatMap(({ cells }) => cells[at] ?? []);
    const isEstimate = cells.some(({ kind }) => kind === 'estimate');
    return {
      isEstimate,
      withReference: cells.some((cell) => cell.kind === 'estimate' && cell.reference.length > 0),
    };
  });
  const standsIn = table.rows.some(({ inPlaceOf }) => inPlaceOf !== undefined && inPlaceOf !== '');
  const header = table.columns.flatMap(({ id }, at) => {
    if (!kinds[at]?.isEstimate) return [id];
    const suffixes = [...WIDE, ...(kinds[at]?.withReference ? WIDE_REFERENCE : [])];
    return suffixes.map((suffix) => `${id}${suffix}`);
  });
  return csvFile(
    [
      'group',
      'row',
      ...(standsIn ? ['answered_by', 'in_place_of'] : []),
      'seeds',
      'seed_numbers',
      'scale',
      'complete',
      ...header,
    ],
    table.rows.map((row): CsvCell[] => [
      row.group,
      row.label,
      ...(standsIn ? [row.answeredBy ?? null, row.inPlaceOf ?? null] : []),
      row.seeds.length,
      row.seeds.join(' '),
      row.scale,
      table.complete ? 'yes' : 'no',
      ...table.columns.flatMap((_, at): CsvCell[] => {
        const cell = row.cells[at];
        if (cell?.kind === 'estimate') {
          return [...wideCells(cell), ...(kinds[at]?.withReference ? referenceCells(cell) : [])];
        }
        return [cell === undefined ? null : cell.kind === 'text' ? cell.text : cell.value];
      }),
    ]),
  );
}

/** One row per value: the same columns for every table, then those of `more`. */
export function longCsv(table: ReportTable): CsvFile {
  const extra = [
    ...new Set(
      table.rows.flatMap(({ cells }) =>
        cells.flatMap((cell) => (cell.kind === 'estimate' ? Object.keys(cell.more) : [])),
      ),
    ),
  ];
  const rows = table.rows.flatMap((row) =>
    table.columns.map((column, at): CsvCell[] => {
      const cell = row.cells[at];
      const estimate = cell?.kind === 'estimate' ? cell : null;
      return [
        table.id,
        row.group,
        row.label,
        row.answeredBy ?? null,
        row.inPlaceOf ?? null,
        column.group,
        column.id,
        cell?.kind === 'text' ? cell.text : null,
        estimate?.ours?.value ?? (cell?.kind === 'number' ? cell.value : null),
        estimate?.ours?.low ?? null,
        estimate?.ours?.high ?? null,
        column.unit.kind,
        estimate?.ours?.problems ?? null,
        row.seeds.length,
        row.seeds.join(' '),
        row.scale,
        estimate?.letters ?? null,
        estimate === null ? null : estimate.best ? 'yes' : 'no',
        ...(estimate === null ? [null, null, null, null, null] : referenceCells(estimate)),
        estimate?.state ?? null,
        table.complete ? 'yes' : 'no',
        ...extra.map((name) => estimate?.more[name] ?? null),
      ];
    }),
  );
  const reference = WIDE_REFERENCE.map((name) => name.slice(1));
  return csvFile(
    [
      'table',
      'row_group',
      'row',
      'answered_by',
      'in_place_of',
      'column_group',
      'column',
      'text',
      'value',
      'low',
      'high',
      'unit',
      'problems',
      'seeds',
      'seed_numbers',
      'scale',
      'letters',
      'best',
      ...reference,
      'state',
      'complete',
      ...extra,
    ],
    rows,
  );
}
