import type { ExhibitReference } from '../../../preload/contract/index';
import {
  type ReportCell,
  type ReportEstimate,
  type ReportTable,
  type ReportUnit,
  scaleText,
} from './report-table';

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
      const [whole = '', rest] = value.toFixed(unit.digits).split('.');
      const grouped = whole.replace(/(\d)(?=(\d{3})+$)/g, '$1,');
      return signed(rest === undefined ? grouped : `${grouped}.${rest}`);
    }
  }
}

/** e.g. "[51.2, 59.1]". */
export function printInterval({ low, high }: ReportEstimate, unit: ReportUnit): string {
  return `[${printNumber(low, unit)}, ${printNumber(high, unit)}]`;
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

/** One cell of a printed table, before LaTeX or Markdown. */
export type PrintedCell = {
  readonly text: string;
  /** Smaller, behind the text. */
  readonly interval: string;
  readonly bold: boolean;
  /** "\u2020": not significantly different from the best; "\u2021": not comparable with the paper's. */
  readonly marks: string;
};

export type PrintedColumn = {
  readonly label: string;
  readonly group: string;
  readonly align: 'left' | 'right';
};

export type PrintedTable = {
  readonly id: string;
  readonly caption: string;
  /** The first column holds the rows' labels. */
  readonly columns: readonly PrintedColumn[];
  readonly rows: readonly { readonly group: string; readonly cells: readonly PrintedCell[] }[];
  /** Explanations of the marks, then the table's own notes. */
  readonly notes: readonly string[];
};

const TIES = '\u2020';
const NOT_COMPARABLE = '\u2021';
const NONE = '\u2013';

/** Longer texts, e.g. prompts, are complete only in CSV and JSON. */
const LONGEST_TEXT = 60;

const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}\u2026`;

const plain = (text: string): PrintedCell => ({ text, interval: '', bold: false, marks: '' });

/** One printed cell per cell; three for a cell with a paper's number: the paper's, ours, the difference. */
function printedCells(
  cell: ReportCell,
  unit: ReportUnit,
  withReference: boolean,
  sharedReasons: ReadonlySet<string>,
): PrintedCell[] {
  switch (cell.kind) {
    case 'text':
      return [plain(shortened(cell.text))];
    case 'number':
      return [plain(cell.value === null ? NONE : printNumber(cell.value, unit))];
    case 'estimate': {
      const { ours, reference, difference } = cell;
      const first = reference[0];
      const own: PrintedCell =
        ours === null
          ? plain(NONE)
          : {
              text: printNumber(ours.value, unit),
              interval: printInterval(ours, unit),
              bold: cell.best,
              marks: `${cell.tiesBest ? TIES : ''}${cell.notComparable.some((reason) => !sharedReasons.has(reason)) ? NOT_COMPARABLE : ''}`,
            };
      if (!withReference) return [own];
      return [
        plain(first === undefined ? NONE : printReference(reference)),
        own,
        plain(difference === null || first === undefined ? NONE : printDifference(difference, first.unit)),
      ];
    }
  }
}

const hasReference = (cell: ReportCell | undefined): boolean =>
  cell?.kind === 'estimate' && cell.reference.length > 0;

function columnsOf(table: ReportTable, withReference: readonly boolean[]): PrintedColumn[] {
  const percent = (unit: ReportUnit): string => (unit.kind === 'rate' ? ' (%)' : '');
  const columns = table.columns.flatMap((column, at): PrintedColumn[] => {
    if (!column.printed) return [];
    const isText = table.rows.every(({ cells }) => cells[at]?.kind === 'text');
    if (!withReference[at]) {
      const label = `${column.label}${percent(column.unit)}`;
      return [{ label, group: column.group, align: isText ? 'left' : 'right' }];
    }
    const group = `${column.group === '' ? '' : `${column.group}, `}${column.label}${percent(column.unit)}`;
    return ['Paper', 'Ours', 'Difference'].map((label) => ({ label, group, align: 'right' }));
  });
  return [{ label: table.rowTitle, group: '', align: 'left' }, ...columns];
}

type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

function measured(table: ReportTable): readonly Estimate[] {
  return table.rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell.kind === 'estimate' && cell.ours !== null ? [cell] : [])),
  );
}

/** A reason that applies to every value of the table becomes one note instead of a mark everywhere. */
function commonReasons(estimates: readonly Estimate[]): ReadonlySet<string> {
  const [first, ...others] = estimates;
  const shared = (first?.notComparable ?? []).filter((reason) =>
    others.every(({ notComparable }) => notComparable.includes(reason)),
  );
  return new Set(others.length === 0 ? [] : shared);
}

/** Notes that explain the marks in use, and why values are not comparable, once each. */
function markNotes(estimates: readonly Estimate[], sharedReasons: ReadonlySet<string>): string[] {
  const notes: string[] = [];
  if (estimates.length > 0) notes.push('In brackets: 95 % interval.');
  if (estimates.some(({ best }) => best)) notes.push('Bold: the highest of its column.');
  if (estimates.some(({ tiesBest }) => tiesBest)) {
    notes.push(`${TIES}: not significantly different from the highest of its column.`);
  }
  if (sharedReasons.size > 0) notes.push([...sharedReasons].join(' '));
  const reasons = [...new Set(estimates.flatMap(({ notComparable }) => notComparable))].filter(
    (reason) => !sharedReasons.has(reason),
  );
  if (reasons.length > 0) {
    notes.push(`${NOT_COMPARABLE}: not comparable with the paper's number. ${reasons.join(' ')}`);
  }
  return notes;
}

/** Lays a table out for print: percent with one decimal, the paper's number, ours and their difference side by side. */
export function printedTable(table: ReportTable): PrintedTable {
  const withReference = table.columns.map((_, at) => table.rows.some(({ cells }) => hasReference(cells[at])));
  const scale = scaleText(table);
  const estimates = measured(table);
  const sharedReasons = commonReasons(estimates);
  const sentences = [table.title, scale, table.complete ? '' : 'Not complete yet'].filter(
    (sentence) => sentence !== '',
  );
  return {
    id: table.id,
    caption: sentences.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(' '),
    columns: columnsOf(table, withReference),
    rows: table.rows.map(({ label, group, printed, cells }) => ({
      group: printed?.group ?? group,
      cells: [
        plain(printed?.label ?? label),
        ...table.columns.flatMap((column, at) => {
          const cell = cells[at];
          if (!column.printed || cell === undefined) return [];
          return printedCells(cell, column.unit, withReference[at] === true, sharedReasons);
        }),
      ],
    })),
    notes: [...markNotes(estimates, sharedReasons), ...table.notes],
  };
}
