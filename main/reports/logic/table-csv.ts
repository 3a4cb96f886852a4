import type { Scale } from '../../../preload/contract/index';
import { boundsOf } from '../../../preload/contract/plans/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';
import { CLAIM_COLUMNS, claimRows, claimsOf } from './claim-rows';
import { csvAbout } from './csv-about';
import { inUnitOfFile } from './file-values';
import {
  type CellTest,
  estimatesIn,
  type ReportCell,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  spreadOf,
} from './report-table';

type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

/** A column of a wide file that is made of one column of estimates. */
type Part = readonly [suffix: string, of: (cell: Estimate) => CsvCell];

const SPREAD = ['sd', 'min', 'max'] as const;

/** The columns for one column of estimates; of the paper's number, letters and spread only those that some value has. */
function partsOf(estimates: readonly Estimate[], withDifference: boolean): Part[] {
  const has = (of: (cell: Estimate) => boolean, parts: readonly Part[]): readonly Part[] =>
    estimates.some(of) ? parts : [];
  return [
    ['', ({ ours }) => ours?.value ?? null],
    ['_low', ({ ours }) => ours && boundsOf(ours)[0]],
    ['_high', ({ ours }) => ours && boundsOf(ours)[1]],
    ['_problems', ({ ours }) => ours?.problems ?? null],
    ['_seeds', ({ ours }) => ours?.seeds ?? null],
    ...has(({ letters }) => letters !== null, [['_letters', ({ letters }) => letters]]),
    ...has(({ best, test }) => best || test !== null, [['_comparison', comparisonText]]),
    ...has(
      (cell) => spreadOf(cell) !== undefined,
      SPREAD.map((name) => [`_seed_${name}`, (cell) => spreadOf(cell)?.[name] ?? null]),
    ),
    ...has(
      ({ reference }) => reference.length > 0,
      [
        ['_paper', ({ reference: [first] }) => (first ? inUnitOfFile(first.value, first.unit) : null)],
        ['_paper_source', sourcesText],
        ...(withDifference ? [['_difference', differenceOf] as const] : []),
        ['_not_comparable', ({ notComparable }) => notComparable.join(' ') || null],
      ],
    ),
  ];
}

/** Is it the best, and what did its test find? null: neither, or it is not measured. */
function comparisonText({ ours, best, test }: Estimate): string | null {
  if (ours === null) return null;
  return [...(best ? ['best'] : []), ...(test === null ? [] : [testText(test)])].join('; ') || null;
}

function testText({ against, isSignificant }: CellTest): string {
  const other = against === null ? 'the best' : `"${against}"`;
  if (isSignificant === null) return `not tested against ${other}`;
  if (!isSignificant) return `no significant difference from ${other} was found (p >= 0.05 after Holm)`;
  return `significantly ${against === null ? 'lower than' : 'different from'} ${other} (p < 0.05 after Holm)`;
}

function differenceOf({ difference, reference }: Estimate): number | null {
  return difference === null ? null : inUnitOfFile(difference, reference[0]?.unit ?? '%');
}

/** Where the paper's number was read; with each number where there are several. */
function sourcesText({ reference }: Estimate): string | null {
  const sources = reference.map(({ value, unit, source }) =>
    reference.length === 1 ? source : `${source}: ${inUnitOfFile(value, unit)}`,
  );
  return sources.join('; ') || null;
}

/**
 * One row per configuration. Rates are in [0, 1] and in full precision, also those of a paper; `seeds` counts the seeds,
 * `seed_numbers` has them joined by spaces; a missing value is empty. `answered_by` and `in_place_of`, if some row has
 * them: policies that stand for a paper's models, and these models. A table of nothing measured has no seeds and no scale. `scale` is that of ours; a paper's numbers are in
 * columns of their own. `about_table`, in the first row alone: what the whole table is.
 */
export function wideCsv(table: ReportTable): CsvFile {
  const withDifference = table.rows.some(({ scale }) => scale === 'paper');
  const parts = table.columns.map((_, at) => {
    const estimates = estimatesIn(table.rows.map(({ cells }) => cells[at]));
    return estimates.length === 0 ? null : partsOf(estimates, withDifference);
  });
  // Estimates have their own.
  const searched = parts.every((own) => own === null) ? table.searched : undefined;
  // A column of the same name says it of each row.
  const benchmark = table.columns.some(({ id }) => id === 'benchmark') ? '' : (table.benchmark ?? '');
  const [isNamed, isNoted] = [
    table.rows.some(({ configuration }) => configuration !== undefined),
    [...table.rows, ...claimsOf(table)].some((row) => 'note' in row || 'remark' in row),
  ];
  const standsIn = table.rows.some(({ inPlaceOf }) => inPlaceOf !== undefined && inPlaceOf !== '');
  const hasNodes = table.rows.some(({ nodes }) => nodes !== undefined && nodes !== null);
  const isMeasured = table.rows.length === 0 || table.rows.some(({ scale }) => scale !== null);
  const hasSpread = table.columns.map((_, at) =>
    table.rows.some(({ cells }) => spreadOf(cells[at]) !== undefined),
  );
  const claimColumns = (table.claims ?? []).length === 0 ? [] : CLAIM_COLUMNS;
  const names = [
    'group',
    'row',
    ...(isNamed ? ['configuration'] : []),
    ...(standsIn ? ['answered_by', 'in_place_of'] : []),
    ...(isMeasured ? ['seeds', 'seed_numbers', 'scale'] : []),
    'complete',
    ...(searched === undefined ? [] : ['problems']),
    ...(hasNodes ? ['nodes_per_tree'] : []),
    ...(table.grading === undefined ? [] : ['grading']),
    ...table.columns.flatMap(
      ({ id }, at) =>
        parts[at]?.map(([suffix]) => `${id}${suffix}`) ?? [
          id,
          ...(hasSpread[at] ? SPREAD.map((name) => `${id}_seed_${name}`) : []),
        ],
    ),
    ...claimColumns,
    ...(isNoted ? ['note'] : []),
    ...(benchmark === '' ? [] : ['benchmark']),
    'about_table',
  ];
  const rows = table.rows.map((row, at): CsvCell[] => [
    row.group,
    row.label,
    ...(isNamed ? [row.configuration ?? null] : []),
    ...(standsIn ? [row.answeredBy ?? null, row.inPlaceOf ?? null] : []),
    ...(isMeasured ? [row.seeds.length, row.seeds.join(' '), row.scale] : []),
    table.complete ? 'yes' : 'no',
    ...(searched === undefined ? [] : [searched]),
    ...(hasNodes ? [row.nodes ?? null] : []),
    ...(table.grading === undefined ? [] : [table.grading]),
    ...table.columns.flatMap((_, at): CsvCell[] => {
      const cell = row.cells[at];
      const own = parts[at];
      if (cell?.kind === 'estimate') return (own ?? []).map(([, of]) => of(cell));
      // A column of estimates has as many columns in a row without one.
      if (own) return own.map(() => null);
      return [
        cell === undefined ? null : cell.kind === 'text' ? cell.text : cell.value,
        ...(hasSpread[at] ? SPREAD.map((name) => spreadOf(cell)?.[name] ?? null) : []),
      ];
    }),
    ...claimColumns.map(() => null),
    ...(isNoted ? [row.note ?? null] : []),
    ...(benchmark === '' ? [] : [benchmark]),
    at === 0 ? csvAbout(table) : null,
  ]);
  return csvFile(names, [...rows, ...claimRows(table, names)]);
}

const LONG = [
  'table',
  'row_group',
  'row',
  'configuration',
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
  'comparison',
  'source',
  'difference',
  'not_comparable',
  'state',
  'complete',
  'benchmark',
  'note',
] as const;

/** The columns of a long file by name; what is left out is empty. */
type LongRow = Partial<Record<(typeof LONG)[number], CsvCell>>;

const PAPER: Scale = 'paper';

/** The paper's numbers of a cell, a row a source, then ours. */
function longRows(table: ReportTable, row: ReportRow, at: number, cell: ReportCell): LongRow[] {
  const column = table.columns[at] as ReportColumn;
  const place: LongRow = {
    table: table.id,
    row_group: row.group,
    row: row.label,
    column_group: column.group,
    column: column.id,
  };
  const estimate = cell.kind === 'estimate' ? cell : null;
  const references = estimate?.reference ?? [];
  const [low, high] = estimate?.ours ? boundsOf(estimate.ours) : [null, null];
  const paper = references.map(({ value, unit, source }): LongRow => {
    const kind = unit === '%' ? 'rate' : unit;
    const number = { value: inUnitOfFile(value, unit), unit: kind, source };
    // Its own models answered there, for which ours stand.
    const whose = { whose: 'paper', answered_by: row.inPlaceOf ?? null };
    const names = { row_group: row.ofPaper?.group ?? row.group, row: row.ofPaper?.label ?? row.label };
    return {
      ...place,
      ...names,
      ...whose,
      ...number,
      scale: PAPER,
    };
  });
  return [
    ...paper,
    {
      ...place,
      configuration: row.configuration ?? null,
      answered_by: row.answeredBy ?? null,
      in_place_of: row.inPlaceOf ?? null,
      whose: 'ours',
      text: cell.kind === 'text' ? cell.text : null,
      value: estimate?.ours?.value ?? (cell.kind === 'number' ? cell.value : null),
      ...{ low, high },
      unit: (column.unit.kind === 'number' ? column.unit.of : undefined) ?? column.unit.kind,
      problems: estimate?.ours?.problems ?? (estimate === null ? (table.searched ?? null) : null),
      seeds: row.seeds.length,
      seed_numbers: row.seeds.join(' '),
      nodes_per_tree: row.nodes ?? null,
      scale: row.scale,
      letters: estimate?.letters ?? null,
      comparison: estimate === null ? null : comparisonText(estimate),
      difference: estimate === null ? null : differenceOf(estimate),
      not_comparable: estimate?.notComparable.join(' ') || null,
      state: estimate?.state ?? null,
      complete: table.complete ? 'yes' : 'no',
      benchmark: table.benchmark ?? null,
      note: row.note ?? null,
    },
  ];
}

/** Its further columns, with the spread of the seeds where it has one. */
function moreOf(cell: ReportCell): Estimate['more'] {
  const spread = Object.entries(spreadOf(cell) ?? {}).map(([name, value]) => [`seed_${name}`, value]);
  return { ...(cell.kind === 'estimate' ? cell.more : {}), ...Object.fromEntries(spread) };
}

/** What the columns are that only this file has. */
const LONG_MEANS: Partial<Record<(typeof LONG)[number], string>> = {
  text: 'what a cell says that is no number',
  letters: 'between configurations that share one no significant difference was found',
  state: 'how far the measurement of a value is',
  difference: "ours minus the paper's, at the paper's scale alone",
};

/** One row per value, ours and the paper's apart: the same columns for every table, then those of `more`. */
export function longCsv(table: ReportTable): CsvFile {
  const extra = [
    ...new Set(table.rows.flatMap(({ cells }) => cells.flatMap((cell) => Object.keys(moreOf(cell))))),
  ];
  const { moreMeaning: more = '' } = table;
  const rows = table.rows.flatMap((row) =>
    table.columns.flatMap((_, at): CsvCell[][] => {
      const cell = row.cells[at];
      if (cell === undefined) return [];
      const more = moreOf(cell);
      return longRows(table, row, at, cell).map((values) => [
        ...LONG.map((name) => values[name] ?? null),
        ...extra.map((name) => (values.whose === 'ours' ? (more[name] ?? null) : null)),
        ...(table.grading === undefined ? [] : [values.whose === 'ours' ? table.grading : null]),
      ]);
    }),
  );
  for (const { text: row, remark: note = null, ...claim } of claimsOf(table)) {
    const values: LongRow = { ...claim, table: table.id, row, note, whose: 'claim', scale: PAPER };
    const further = [...extra, ...(table.grading === undefined ? [] : ['grading'])];
    rows.push([...LONG.map((name) => values[name] ?? null), ...further.map(() => null)]);
  }
  const means = LONG.flatMap((name, at) => {
    const meaning = LONG_MEANS[name];
    return meaning !== undefined && rows.some((row) => row[at] !== null) ? [`${name}: ${meaning}`] : [];
  });
  const empty = LONG.filter((_, at) => rows.every((row) => row[at] === null || row[at] === ''));
  const unused =
    empty.length === 0 ? [] : [`Empty here, as the columns are those of every table: ${empty.join(', ')}`];
  const about = csvAbout(table, [...means, ...(more === '' ? [] : [more]), ...unused]);
  return csvFile(
    [...LONG, ...extra, ...(table.grading === undefined ? [] : ['grading']), 'about_table'],
    rows.map((row, at) => [...row, at === 0 ? about : null]),
  );
}
