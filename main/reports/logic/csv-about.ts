import { methodNotes } from './method-notes';
import { intervalsInFile, limitNotes, meaningNotes, secondHandNote, spreadNotes } from './reading';
import { estimatesIn, type ReportTable, spreadOf } from './report-table';
import { looksNote } from './results-table';

/** All that a reader of the file alone must know of it, said once. `moreMeaning`: of further columns. */
export function csvAbout(table: ReportTable, moreMeaning = ''): string {
  const { title, columns, rows, notes, tests = '', paperBasis = '' } = table;
  const sentence = (start: string, text: string): string => (text === '' ? '' : `${start}${text}.`);
  return [
    `${title}.`,
    ...meaningNotes({ columns: columns.map((column) => ({ ...column, printed: true })) }),
    columns.some(({ unit }) => unit.kind === 'rate') ? 'Rates are from 0 to 1.' : '',
    sentence('Intervals: ', intervalsInFile(table)),
    sentence('Tests against the best of a column: ', tests),
    ...spreadNotes(table),
    ...columnNotes(table),
    sentence('The paper measured on ', paperBasis),
    sentence('', moreMeaning),
    ...looksNote(table),
    ...notes,
    ...methodNotes(table),
    ...new Set(rows.flatMap(({ scale }) => limitNotes(scale, notes))),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** What columns of the file are that print has no column for, and what an empty one means. */
function columnNotes({ rows, bestOf, claims }: ReportTable): string[] {
  const cells = rows.flatMap((row) => row.cells);
  const estimates = estimatesIn(cells);
  const isGrouped = rows.some(({ group }) => group !== '');
  const place = bestOf === 'row' ? 'row' : `column${isGrouped ? ' and group' : ''}`;
  const isAgainstMethod = estimates.some(({ test }) => test !== null && test.against !== null);
  const sources = estimates.flatMap(({ reference }) => reference.map(({ source }) => source));
  const isAdded = rows.some((row) => row.isAdded);
  const lines: [isShown: boolean, text: string][] = [
    [
      (claims ?? []).length > 0,
      'Rows that are claims (with a number in "claim", or "claim" in "whose"): numbers reported of the paper that stand in no cell of it and are not compared.',
    ],
    [true, 'complete: whether all measurements of the table are there.'],
    [
      cells.some((cell) => spreadOf(cell) !== undefined),
      "seed_sd, seed_min, seed_max: standard deviation, least and greatest of the seeds' own numbers.",
    ],
    [
      estimates.some(({ best }) => best),
      `comparison: "best" is the highest of ours in its ${place}, by number; that is no test.`,
    ],
    [
      estimates.some(({ test }) => test?.isSignificant === false),
      'That no significant difference was found does not show that there is none.',
    ],
    [
      isAgainstMethod,
      'comparison is empty: the value that others are tested against, or one that was not tested.',
    ],
    [
      estimates.some(({ reference }) => reference.length > 0),
      `No number of the paper: ${isAdded ? 'rows whose names say "ours" are not in it; of others ' : ''}it is not known.${secondHandNote(sources)}`,
    ],
  ];
  return lines.flatMap(([isShown, text]) => (isShown ? [text] : []));
}
