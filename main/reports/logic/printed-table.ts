import type { ExhibitReference, Scale } from '../../../preload/contract/index';
import { boldNotes, isTested, TIES, UNTESTED } from './bold-notes';
import { letter, shortened } from './cell-text';
import { claimsNote } from './claim-rows';
import { methodNotes } from './method-notes';
import { type PlacedNotes, placedNotes } from './printed-notes';
import { printDifference, printInterval, printNumber, printReference, printSpread } from './printed-number';
import { intervalsOf, limitNotes, meaningNotes, SEED_MEANING, secondHandNote, spreadNotes } from './reading';
import { estimatesIn, type ReportCell, type ReportTable, type ReportUnit } from './report-table';
import { looksNote } from './results-table';
import { rowFacts } from './row-facts';

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
  readonly caption: string;
  /** Of two lines at most; what it leaves out of the title is the first note under it. */
  readonly shortCaption: string;
  /** The first column holds the rows' labels. */
  readonly columns: readonly PrintedColumn[];
  readonly rows: readonly { readonly group: string; readonly cells: readonly PrintedCell[] }[];
  /** Explanations of the marks, then the table's own notes. */
  readonly notes: readonly string[];
  /** The same where there is little room. */
  readonly placed: PlacedNotes;
  /** The claims of the paper in one of these notes, which asides have in full; "": it has none. */
  readonly claims: string;
  /** Beside the table rather than under it, where there is such a place. */
  readonly asides: readonly string[];
};

const NOT_COMPARABLE = '\u2021';
const NONE = '\u2013';

const plain = (text: string): PrintedCell => ({ text, interval: '', bold: false, marks: '', sources: '' });

type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

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

/** One printed cell per cell; of a column with numbers of a paper the paper's, ours and, at paper scale, the difference. */
function printedCells(cell: ReportCell, unit: ReportUnit, withReference: boolean, layout: Layout) {
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
      const untested = layout.hasTests && cell.test?.isSignificant === null ? UNTESTED : '';
      const own: PrintedCell =
        ours === null
          ? plain(NONE)
          : {
              ...plain(printNumber(ours.value, unit)),
              interval: printInterval(ours, unit),
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
      const group = isMeasured && !isText ? over(column.group) : column.group;
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

/** A reason that applies to every value of the table becomes one note instead of a mark everywhere. */
function commonReasons(estimates: readonly Estimate[]): ReadonlySet<string> {
  const [first, ...others] = estimates;
  const shared = (first?.notComparable ?? []).filter((reason) =>
    others.every(({ notComparable }) => notComparable.includes(reason)),
  );
  return new Set(others.length === 0 ? [] : shared);
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
  if (unknown.some(({ isAdded }) => isAdded)) reasonTexts.push('the paper has no such row, we added it');
  return reasonTexts.length === 0 ? [] : [`No value (${NONE}): ${reasonTexts.join('; ')}.`];
}

/** Notes that explain the marks in use, and why values are not comparable, once each. */
function markNotes(table: ReportTable, layout: Layout): string[] {
  const { sharedReasons, sources } = layout;
  const estimates = table.rows.flatMap(({ cells }) => estimatesIn(cells)).filter(({ ours }) => ours !== null);
  const spread = estimates.some(({ ours }) => ours?.seedSpread !== undefined);
  // Odds ratios say beside themselves over what their interval is.
  const hasOdds = table.columns.some(({ id }) => id.startsWith('odds_ratio'));
  const ofOdds = hasOdds ? '; of odds ratios: exact, over problems' : '';
  const means = spread
    ? `Each ${hasOdds ? 'difference' : 'value'} is the mean over the seeds. ${SEED_MEANING}. `
    : '';
  const intervals = `${means}In brackets: interval (${intervalsOf(table)}${ofOdds}).${spread ? ` SD: standard deviation of the seeds' own ${hasOdds ? 'differences' : 'values'}.` : ''}`;
  const notes = [
    ...spreadNotes(table),
    ...(estimates.length > 0 ? [intervals] : []),
    ...boldNotes(table, layout.hasTests),
    ...dashNotes(table, layout),
    ...meaningNotes(table),
  ];
  const read = secondHandNote(sources);
  if (sources.length === 1) notes.push(`Paper: ${sources[0]}.${read}`);
  if (sources.length > 1) {
    notes.push(`Paper: ${sources.map((source, at) => `${letter(at)}: ${source}`).join('; ')}.${read}`);
  }
  if (sharedReasons.size > 0) notes.push([...sharedReasons].join(' '));
  const reasons = [...new Set(estimates.flatMap(({ notComparable }) => notComparable))].filter(
    (reason) => !sharedReasons.has(reason),
  );
  if (reasons.length > 0) {
    notes.push(`${NOT_COMPARABLE}: not comparable with the paper's number. ${reasons.join(' ')}`);
  }
  const claims = claimsNote(table, sources);
  if (claims !== '') notes.push(claims);
  return notes;
}

/** Lays a table out for print: percent with one decimal, the paper's number and ours side by side. */
export function printedTable(table: ReportTable): PrintedTable {
  const layout = layoutOf(table);
  const facts = rowFacts(table);
  const captionOf = (title: string): string =>
    [title, facts.caption, table.complete ? '' : 'Not complete yet', ...looksNote(table)]
      .filter((sentence) => sentence !== '')
      .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
      .join(' ');
  const { title, shortTitle = title } = table;
  const columns = columnsOf(table, layout);
  // Counts have no scale over them.
  const isNamed = columns.some(({ group, label }) => `${group} ${label}`.includes(layout.scale));
  const rowTitle = isNamed || table.rowTitle === '' ? table.rowTitle : `${table.rowTitle} (${layout.scale})`;
  const marks = markNotes(table, layout);
  const limits = limitNotes(layout.scale === '' ? null : layout.scale, [
    ...table.notes,
    ...layout.sharedReasons,
  ]);
  const basis =
    layout.sources.length > 0 && table.paperBasis ? [`The paper measured on ${table.paperBasis}.`] : [];
  const notes = [...marks, ...basis, ...table.notes, ...methodNotes(table), ...limits];
  const { under, beside } = placedNotes(notes, { marks, limits });
  return {
    id: table.id,
    caption: captionOf(title),
    shortCaption: captionOf(shortTitle),
    columns: [
      { label: rowTitle, group: '', align: 'left' },
      ...facts.columns.map(({ label }) => ({ label, group: '', align: 'right' as const })),
      ...columns,
    ],
    rows: table.rows.map(({ label, group, printed, cells }, row) => ({
      group: printed?.group ?? group,
      cells: [
        plain(printed?.label ?? label),
        ...facts.columns.map(({ texts }) => plain(texts[row] ?? '')),
        ...table.columns.flatMap((column, at) => {
          const cell = cells[at];
          if (!column.printed || cell === undefined) return [];
          return printedCells(cell, column.unit, layout.withReference[at] === true, layout);
        }),
      ],
    })),
    notes,
    placed: { under: [...(shortTitle === title ? [] : [`${title}.`]), ...under], beside },
    claims: claimsNote(table, layout.sources),
    asides: table.asides ?? [],
  };
}
