import type { ExhibitReference, Scale } from '../../../preload/contract/index';
import { boldNotes, isTested, TIES, UNTESTED } from './bold-notes';
import { letter, shortened } from './cell-text';
import { claimsNotes } from './claim-rows';
import { methodNotes } from './method-notes';
import { type PlacedNotes, placedNotes, type TableNote, WORD_LIMITS } from './printed-notes';
import { printDifference, printInterval, printNumber, printReference, printSpread } from './printed-number';
import { commonReasons, intervalsOf, limitNotes, meaningNotes, SEED_MEANING, spreadNotes } from './reading';
import { estimatesIn, type ReportCell, type ReportTable, type ReportUnit } from './report-table';
import { looksNote } from './results-table';
import { rowFacts } from './row-facts';
import { basisNotes, sourcesNote } from './source-notes';

/** One cell of a printed table, before LaTeX or Markdown. */
export type PrintedCell = {
  readonly text: string;
  /** Smaller, behind the text. */
  readonly interval: string;
  readonly bold: boolean;
  /** "\u2020": not significantly different from the best; "\u00a7": not tested against it; "\u2021": not comparable with the paper's. */
  readonly marks: string;
  /** Raised letters of the notes that name where a paper's number was read, e.g. "a, b"; "": there is one source at most. */
  readonly sources: string;
};

export type PrintedColumn = {
  readonly label: string;
  readonly group: string;
  readonly align: 'left' | 'right';
  /** Ours beside the paper's, which no other column may part. */
  readonly isBesidePrevious?: boolean;
};

export type PrintedTable = {
  readonly id: string;
  /** Of two lines at most; what it leaves out of the title is the first note under it. */
  readonly caption: string;
  /** The first column holds the rows' labels. */
  readonly columns: readonly PrintedColumn[];
  readonly rows: readonly { readonly group: string; readonly cells: readonly PrintedCell[] }[];
  /** Explanations of the marks, then the table's own notes. */
  readonly notes: readonly string[];
  /** The same as print has room for them. */
  readonly placed: Readonly<Record<keyof typeof WORD_LIMITS, PlacedNotes>>;
  /** Beside the table rather than under it, where there is such a place. */
  readonly asides: readonly string[];
};

const NOT_COMPARABLE = '\u2021';
const NONE = '\u2013';

const plain = (text: string): PrintedCell => ({ text, interval: '', bold: false, marks: '', sources: '' });

/** What all cells of a table share. */
type Layout = {
  /** Per column of the table: has it numbers of a paper? */
  readonly withReference: readonly boolean[];
  /** Differences are shown at the paper's own scale alone. */
  readonly withDifference: boolean;
  /** The scale that heads of columns name; "": the paper's, or the rows have several. */
  readonly scale: Scale | '';
  /** Reasons that hold for every value. */
  readonly sharedReasons: ReadonlySet<string>;
  /** Where the paper's numbers were read. */
  readonly sources: readonly string[];
  /** Was any value tested? */
  readonly hasTests: boolean;
};

function layoutOf(table: ReportTable): Layout {
  const scales = [...new Set(table.rows.flatMap(({ scale }) => scale ?? []))];
  const estimates = table.rows.flatMap(({ cells }) => estimatesIn(cells));
  const [scale] = scales;
  return {
    withReference: table.columns.map((_, at) =>
      estimatesIn(table.rows.map(({ cells }) => cells[at])).some(({ reference }) => reference.length > 0),
    ),
    withDifference: scales.includes('paper'),
    scale: scales.length === 1 && scale !== undefined && scale !== 'paper' ? scale : '',
    sharedReasons: commonReasons(estimates.filter(({ ours }) => ours !== null)),
    sources: [...new Set(estimates.flatMap(({ reference }) => reference.flatMap(sourcesOf)))],
    hasTests: estimates.some(isTested),
  };
}

/** A number that was read in several places names them all, e.g. "Table 1; Figure 3". */
function sourcesOf({ source }: ExhibitReference): string[] {
  return source.split('; ');
}

/** The paper's numbers, with the letters of their sources where the table has several. */
function paperCell(references: readonly ExhibitReference[], sources: readonly string[]): PrintedCell {
  if (references.length === 0) return plain(NONE);
  const letters = [...new Set(references.flatMap(sourcesOf))].map((source) =>
    letter(sources.indexOf(source)),
  );
  return {
    ...plain(printReference(references)),
    sources: sources.length < 2 ? '' : letters.join(', '),
  };
}

/**
 * One printed cell per cell, with its problems where the row has more (`mostProblems`); of a column with numbers of a
 * paper the paper's, ours and, at paper scale, the difference.
 */
function printedCells(
  cell: ReportCell,
  unit: ReportUnit,
  withReference: boolean,
  layout: Layout & { readonly mostProblems: number },
) {
  switch (cell.kind) {
    case 'text':
      return [plain(shortened(cell.text))];
    case 'number':
      return [
        {
          ...plain(cell.value === null ? NONE : printNumber(cell.value, unit)),
          interval: cell.seedSpread === undefined ? '' : printSpread(cell.seedSpread, unit),
        },
      ];
    case 'estimate': {
      const { ours, reference, difference } = cell;
      const [first] = reference;
      const isOdd = cell.notComparable.some((reason) => !layout.sharedReasons.has(reason));
      const tie = cell.test?.isSignificant === false ? TIES : '';
      const isFewer = ours !== null && ours.problems < layout.mostProblems && ours.problems > 0;
      const fewer = isFewer ? ` (n = ${ours.problems})` : '';
      const untested = layout.hasTests && cell.test?.isSignificant === null ? UNTESTED : '';
      const own: PrintedCell =
        ours === null
          ? plain(NONE)
          : {
              ...plain(printNumber(ours.value, unit)),
              interval: `${printInterval(ours, unit)}${fewer}`.trim(),
              bold: cell.best,
              marks: `${tie}${untested}${isOdd ? NOT_COMPARABLE : ''}`,
            };
      if (!withReference) return [own];
      const shown =
        difference === null || first === undefined ? NONE : printDifference(difference, first.unit);
      return [paperCell(reference, layout.sources), own, ...(layout.withDifference ? [plain(shown)] : [])];
    }
  }
}

/**
 * Measured values are under their scale, once over columns side by side, so that no number is taken for one of the
 * paper's.
 */
function columnsOf(table: ReportTable, { withReference, withDifference, scale }: Layout): PrintedColumn[] {
  const percent = (unit: ReportUnit): string =>
    unit.kind === 'rate' ? ' (%)' : unit.kind === 'points' ? ' (points)' : '';
  const ours = scale === '' ? '' : `, ${scale}`;
  const over = (group: string): string => (group === '' ? scale : `${group}${ours}`);
  return table.columns.flatMap((column, at): PrintedColumn[] => {
    if (!column.printed) return [];
    const kinds = table.rows.map(({ cells }) => cells[at]?.kind);
    const isMeasured = kinds.includes('estimate') || column.unit.kind !== 'number';
    const isText = kinds.every((kind) => kind === 'text');
    if (!withReference[at]) {
      const isUnder = column.ofScale === true || (isMeasured && !isText);
      const group = isUnder ? over(column.group) : column.group;
      const label = `${column.label}${percent(column.unit)}`;
      return [{ label, group, align: isText ? 'left' : 'right' }];
    }
    const group = `${column.group === '' ? '' : `${column.group}, `}${column.label}${percent(column.unit)}`;
    return ['Paper', `Ours${ours}`, ...(withDifference ? ['Difference'] : [])].map((label, place) => ({
      label,
      group,
      align: 'right',
      isBesidePrevious: place > 0,
    }));
  });
}

/** Why values are not there in a column that others have, and what no number of the paper means. */
function dashNotes(table: ReportTable, { withReference }: Layout): string[] {
  const shown = table.columns.flatMap(({ label, printed }, at) =>
    printed
      ? table.rows.flatMap(({ cells, isAdded = false }) =>
          estimatesIn([cells[at]]).map((cell) => ({ label, at, isAdded, ...cell })),
        )
      : [],
  );
  const isMeasured = (at: number): boolean => shown.some((cell) => cell.at === at && cell.ours !== null);
  const reasons = shown.flatMap(({ at, label, ours, state }) => {
    const [, why] = /^(?:missing|failed): (.*)/s.exec(state ?? '') ?? [];
    return ours === null && why !== undefined && isMeasured(at) ? `${label}: ${why}` : [];
  });
  const reasonTexts = [...new Set(reasons)].map((reason) => reason.replace(/\.$/, ''));
  const unknown = shown.filter(({ at, reference }) => withReference[at] === true && reference.length === 0);
  const isEmpty = (cell: (typeof shown)[number]) => cell.ours === null && cell.reference.length > 0;
  if (shown.some(isEmpty) && shown.some(({ ours }) => ours !== null))
    reasonTexts.push('ours is not measured');
  if (unknown.some(({ isAdded }) => !isAdded)) reasonTexts.push('the paper\u2019s is not known');
  if (unknown.some(({ isAdded }) => isAdded)) reasonTexts.push('a row of ours, not of the paper');
  return reasonTexts.length === 0 ? [] : [`No value (${NONE}): ${reasonTexts.join('; ')}.`];
}

const inFull = (full: string): TableNote => ({ full });

/** Notes that explain the marks in use, and why values are not comparable, once each. */
function markNotes(table: ReportTable, layout: Layout): Readonly<Record<'marks' | 'claims', TableNote[]>> {
  const { sharedReasons, sources } = layout;
  const estimates = table.rows.flatMap(({ cells }) => estimatesIn(cells)).filter(({ ours }) => ours !== null);
  const spread = estimates.some(({ ours }) => ours?.seedSpread !== undefined);
  // Odds ratios say beside themselves over what their interval is.
  const hasOdds = table.columns.some(({ id }) => id.startsWith('odds_ratio'));
  const ofOdds = hasOdds ? '; of odds ratios: exact, over problems' : '';
  const means = spread
    ? `Each ${hasOdds ? 'difference' : 'value'} is the mean over the seeds. ${SEED_MEANING}. `
    : '';
  const intervals = {
    full: `${means}In brackets: interval (${intervalsOf(table)}${ofOdds}).${spread ? ` SD: standard deviation of the seeds' own ${hasOdds ? 'differences' : 'values'}.` : ''}`,
    print: `${spread ? 'Means and SD over the seeds, ' : ''}[interval: ${intervalsOf(table)}${ofOdds}].`,
  };
  const notes: TableNote[] = [
    ...meaningNotes(table),
    ...spreadNotes(table),
    ...(estimates.length > 0 ? [intervals] : []),
    ...boldNotes(table, layout.hasTests),
    ...dashNotes(table, layout).map(inFull),
  ];
  if (sources.length > 0) notes.push(sourcesNote(sources));
  if (sharedReasons.size > 0) {
    const [limit] = limitNotes(layout.scale === '' ? null : layout.scale, []);
    const print = [...sharedReasons].map((one) => (one.startsWith('Pocket scale: ') ? (limit ?? one) : one));
    notes.push({ full: [...sharedReasons].join(' '), print: print.join(' ') });
  }
  const reasons = [...new Set(estimates.flatMap(({ notComparable }) => notComparable))].filter(
    (reason) => !sharedReasons.has(reason),
  );
  if (reasons.length > 0) {
    const print = `${NOT_COMPARABLE}: not comparable with the paper's number.`;
    notes.push({ full: `${print} ${reasons.join(' ')}`, print });
  }
  return { marks: notes, claims: claimsNotes(table, sources) };
}

/** Lays a table out for print: percent with one decimal, the paper's number and ours side by side. */
export function printedTable(table: ReportTable): PrintedTable {
  const layout = layoutOf(table);
  const facts = rowFacts(table);
  const { title, shortTitle = title } = table;
  const columns = columnsOf(table, layout);
  // Counts have no scale over them.
  const isNamed = columns.some(({ group, label }) => `${group} ${label}`.includes(layout.scale));
  const rowTitle = isNamed || table.rowTitle === '' ? table.rowTitle : `${table.rowTitle} (${layout.scale})`;
  const { marks, claims } = markNotes(table, layout);
  const limits = limitNotes(layout.scale === '' ? null : layout.scale, [
    ...table.notes,
    ...layout.sharedReasons,
  ]).map(inFull);
  const basis = basisNotes(table, layout.sources);
  const others = [...basis, ...[...table.notes, ...methodNotes(table)].map(inFull)];
  const notes = [...marks, ...claims, ...others, ...limits];
  // What is in the caption already is not said again.
  const titleNote = shortTitle === title ? '' : `${title.replace(`: ${shortTitle}`, '')}.`;
  const placed = (most: number) => placedNotes(notes, { marks, limits, claims, basis }, titleNote, most);
  return {
    id: table.id,
    caption: [shortTitle, facts.caption, table.complete ? '' : 'Not complete yet', ...looksNote(table)]
      .filter((sentence) => sentence !== '')
      .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
      .join(' '),
    columns: [
      { label: rowTitle, group: '', align: 'left' },
      ...facts.columns.map(({ label }) => ({ label, group: '', align: 'right' as const })),
      ...columns,
    ],
    rows: table.rows.map(({ label, group, printed, cells }, row) => {
      const mostProblems = Math.max(...estimatesIn(cells).map(({ ours }) => ours?.problems ?? 0));
      const ofRow = { ...layout, mostProblems };
      return {
        group: printed?.group ?? group,
        cells: [
          plain(printed?.label ?? label),
          ...facts.columns.map(({ texts }) => plain(texts[row] ?? '')),
          ...table.columns.flatMap((column, at) => {
            const cell = cells[at];
            if (!column.printed || cell === undefined) return [];
            return printedCells(cell, column.unit, layout.withReference[at] === true, ofRow);
          }),
        ],
      };
    }),
    notes: notes.filter((note) => !claims.includes(note)).map(({ full }) => full),
    placed: { latex: placed(WORD_LIMITS.latex), markdown: placed(WORD_LIMITS.markdown) },
    asides: table.asides ?? [],
  };
}
