import type { ExhibitReference } from '../../../preload/contract/index';
import { inUnitOfFile } from './file-values';
import { printedTable } from './printed-table';
import type { ReportCell, ReportTable } from './report-table';

/**
 * A table as data with all that is said of it, each sentence once: what printed tables say below themselves, then what they
 * leave to the manifest. A paper's percent are rates, as ours are.
 */
export function jsonTable(table: ReportTable): object {
  const { sentences = [], asides: _, searched, ...rest } = table;
  const { notes, asides } = printedTable(table);
  const said = [...notes, ...asides, ...sentences];
  const cells = table.rows.flatMap((row) => row.cells);
  return {
    ...rest,
    ...(cells.some(({ kind }) => kind === 'estimate') ? { fields: FIELDS } : {}),
    ...(searched === undefined ? {} : { problemsSearched: searched }),
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(inOneUnit) })),
    notes: said.filter(
      (one, at) => !said.some((other, where) => where !== at && says(other, one, where < at)),
    ),
  };
}

/** Does a sentence say what another one does? It may begin like it and say more; one on the scale is enough. */
function says(one: string, other: string, isFirst: boolean): boolean {
  const [head = ''] = /^\w+ scale: /.exec(other) ?? [];
  if (one === other || (head !== '' && one.startsWith(head))) return isFirst;
  return one.startsWith(other);
}

/** What the keys of an estimate mean; print has signs for them. */
const FIELDS = {
  ours: 'the measured value with its interval; null: none',
  best: 'the highest of ours in its column, within its group of rows, or, where the columns are methods, in its row (in print bold)',
  test: 'a test against the best (against: null) or against the row or column named; isSignificant null: it could not be made (in print \u00a7), false: no significant difference was found (in print \u2020); null: none was to be made',
  letters: 'configurations that share a letter do not differ significantly; null: no letters here',
  reference: "the paper's numbers",
  difference: "ours minus the first of the paper's; null: not given, as at every scale but the paper's",
  notComparable:
    "why ours does not compare with the paper's (in print \u2021, or a note where it is true of every value)",
  state: 'whether its measurement is planned, running, done, failed or missing, and why; null: not said',
  more: 'further numbers of the value',
};

function inOneUnit(cell: ReportCell): object {
  if (cell.kind !== 'estimate' || cell.reference.length === 0) return cell;
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
