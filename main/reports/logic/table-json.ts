import type { ExhibitReference } from '../../../preload/contract/index';
import { inUnitOfFile } from './file-values';
import { printedTable } from './printed-table';
import type { ReportCell, ReportTable } from './report-table';

/**
 * A table as data with all that is said of it, each sentence once: what printed tables say below themselves, then what they
 * leave to the manifest. A paper's percent are rates, as ours are.
 */
export function jsonTable(table: ReportTable): object {
  const { sentences = [], asides: _, ...rest } = table;
  const { notes, asides } = printedTable(table);
  return {
    ...rest,
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(inOneUnit) })),
    notes: [...new Set([...notes, ...asides, ...sentences])],
  };
}

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
