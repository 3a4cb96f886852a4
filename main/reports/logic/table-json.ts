import type { ExhibitReference } from '../../../preload/contract/index';
import { boundsOf } from '../../../preload/contract/plans/index';
import { claimsOf } from './claim-rows';
import { inUnitOfFile } from './file-values';
import { printedTable } from './printed-table';
import type { ReportCell, ReportTable } from './report-table';

/**
 * A table as data with all that is said of it, each sentence once: what printed tables say below themselves, then what they
 * leave to the manifest. A paper's percent are rates, as ours are.
 */
export function jsonTable(table: ReportTable): object {
  const { sentences: ___, asides: _, shortTitle: __, searched, ...rest } = table;
  const written = {
    ...rest,
    ...(searched === undefined ? {} : { problemsSearched: searched }),
    ...(table.claims === undefined ? {} : { claims: claimsOf(table) }),
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(writtenCell) })),
    notes: allSaid(table),
  };
  const parts = [written, ...table.columns, ...table.rows, ...table.rows.flatMap(({ cells }) => cells)];
  const keys = new Set(parts.flatMap((part) => Object.keys(part)));
  return { ...written, fields: Object.fromEntries(Object.entries(FIELDS).filter(([key]) => keys.has(key))) };
}

/** All that is said of a table, whatever print has room for, each sentence once. */
export function allSaid(table: ReportTable): string[] {
  const { notes, asides } = printedTable(table);
  const texts = [...notes, ...asides, ...(table.sentences ?? [])];
  return texts.filter(
    (one, at) => !texts.some((other, index) => index !== at && repeatsSentence(other, one, index < at)),
  );
}

/** Does a sentence say what another one does? It may begin like it and say more; one on the scale is enough. */
function repeatsSentence(one: string, other: string, isFirst: boolean): boolean {
  const [head = ''] = /^\w+ scale: /.exec(other) ?? [];
  if (one === other || (head !== '' && one.startsWith(head))) return isFirst;
  return one.startsWith(other);
}

/** What those keys mean that do not say it, of a table, its rows and its cells; print has signs for some. */
const FIELDS = {
  unit: 'of a column: rate: a share, from 0 to 1 (notes and print have it in percent, differences in points); points: a difference of such shares, as a share, too; number: as it is',
  configuration: 'the name of the row in the other tables of this export',
  answeredBy: 'the policies that answered',
  inPlaceOf: "the paper's models for which they stand",
  claims: 'numbers reported of the paper that stand in no cell and are not compared',
  seeds: 'the numbers of the seeds; of a measured value how many there are',
  scale: "of what size models and problems are: pocket, recorded, desk, own or paper (the paper's)",
  nodes: 'N, the programs of each search tree; null: there is no tree, or it is not one number',
  complete: 'whether all measurements of the table are there',
  problemsSearched: 'problems that were searched, of the benchmark',
  moreMeaning: 'what the numbers in "more" are',
  printed: 'of a row: its label and group in print; of a column: whether print has it',
  ofScale: 'of a column: print has the scale of the values over it, too',
  ofPaper: 'label and group of the row in the paper',
  isAdded: 'true: we added the row, the paper has none such',
  value: 'the number; null: not known',
  ours: "the measured value with its interval, the spread of the seeds' own values, and these by seed; null: none (low, high: the interval has no width)",
  best: 'the highest of ours in its column, within its group of rows, or, where the columns are methods, in its row (in print bold)',
  test: 'a test against the best (against: null) or against the row or column named; isSignificant null: it could not be made (in print \u00a7), false: no significant difference was found (in print \u2020); null: none was to be made; difference, low, high: the value of the row or column named minus this one, with its 95 % interval; kind: which test gave p, bootstrap (over the problems) or seeds (t test over the seeds); pHolm: p after Holm\u2019s correction',
  letters:
    'between configurations that share a letter no significant difference was found; null: no letters here',
  reference: "the paper's numbers",
  difference: "ours minus the first of the paper's; null: not given, as at every scale but the paper's",
  notComparable:
    "why ours does not compare with the paper's (in print \u2021, or a note where it is true of every value)",
  state: 'whether its measurement is planned, running, done, failed or missing, and why; null: not said',
  more: 'further numbers of the value',
};

function writtenCell(cell: ReportCell): object {
  if (cell.kind !== 'estimate') return cell;
  const { ours } = cell;
  const [low, high] = ours === null ? [] : boundsOf(ours);
  return { ...inOneUnit(cell), ours: ours && { ...ours, low, high } };
}

function inOneUnit(cell: Extract<ReportCell, { kind: 'estimate' }>): object {
  if (cell.reference.length === 0) return cell;
  const rateOf = ({ value, unit, ...rest }: ExhibitReference): object => ({
    value: inUnitOfFile(value, unit),
    unit: unit === '%' ? 'rate' : unit,
    scale: 'paper',
    ...rest,
  });
  const { difference, reference } = cell;
  const [first] = reference;
  return {
    ...cell,
    reference: reference.map(rateOf),
    difference: difference === null || first === undefined ? null : inUnitOfFile(difference, first.unit),
  };
}
