import { COMPLEMENT_SENTENCE, COMPLEMENT_SHORT } from '../../../preload/contract/plans/index';
import { methodNotes } from './method-notes';
import { isNeeded, MORE, type TableNote } from './printed-notes';
import { intervalsInFile, limitNotes, meaningNotes, spreadNotes } from './reading';
import { estimatesIn, type ReportTable, spreadOf } from './report-table';
import { looksNote } from './results-table';
import { secondHandNote } from './source-notes';

/** Nobody reads more in a cell of a spreadsheet; a long file has columns of its own to explain. */
const MAX_CHARACTERS = { wide: 1_500, long: 2_000 } as const;

/**
 * What a reader of the file alone must know of it, said once, and as much of the rest as there is room for. `more`: of a
 * long file, what its further columns are.
 */
export function csvAbout(table: ReportTable, more: readonly string[] | null = null): string {
  const { title, columns, rows, notes, tests = '', paperBasis = '' } = table;
  const sentence = (start: string, text: string): string[] => (text === '' ? [] : [`${start}${text}.`]);
  const limits = [...new Set(rows.flatMap(({ scale }) => limitNotes(scale, notes)))];
  const needed = [
    `${title}.`,
    ...sentence('Intervals: ', intervalsInFile(table)),
    ...looksNote(table),
    ...notes.filter(isNeeded),
    ...limits.filter((one) => / scale: /.test(one)),
  ];
  const parts = [
    `${title}.`,
    ...meaningNotes({ columns: columns.map((column) => ({ ...column, printed: true })) }).map(inFull),
    columns.some(({ unit }) => unit.kind === 'rate') ? 'Rates are from 0 to 1.' : '',
    ...needed.slice(1),
    ...notes.filter((note) => /\bSearch: /.test(note)),
    ...(more ?? []).flatMap((text) => sentence('', text)),
    ...sentence('Tests against the best of a column: ', tests),
    ...columnNotes(table),
    ...spreadNotes(table).map(inFull),
    ...sentence('The paper measured on ', paperBasis),
    ...notes,
    ...methodNotes(table),
    ...limits,
  ];
  const said = [...new Set(parts)].filter((part) => part !== '');
  const shown = new Set(needed);
  let left = MAX_CHARACTERS[more === null ? 'wide' : 'long'] - MORE.length - shortened([...shown]).length;
  for (const part of said) {
    if (shown.has(part) || part.length >= left) continue;
    shown.add(part);
    left -= part.length + 1;
  }
  const text = shortened(said.filter((part) => shown.has(part)));
  return shown.size === said.length ? text : `${text} ${MORE}`;
}

const inFull = ({ full }: TableNote): string => full;

const shortened = (parts: readonly string[]): string =>
  parts.join(' ').replace(COMPLEMENT_SENTENCE, `${COMPLEMENT_SHORT}.`);

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
