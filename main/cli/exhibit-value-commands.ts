import { readFile, stat } from 'node:fs/promises';
import type { EnteredPlace, ExhibitEntry } from '../../preload/contract/index';
import { enteredPlaceText, enteredSource } from '../../preload/contract/plans/index';
import { type CliOptions, UsageError } from './cli-options';
import { type CommandSpec, option } from './grammar';
import { ask, EXIT, type Host, printRefusal, printStatus } from './host';

const PLACE = [
  option('--cell <row.column>', 'the cell'),
  option('--line <name>', "instead: a line of the figure by its id, or as the paper's figure calls it"),
  option('--x <n>', 'with --line: where on its x axis'),
];
/** A file with values of one exhibit is small. */
const MAX_BYTES = 1_000_000;

/** Values of a paper that a lab enters because it has the paper. */
export const exhibitValueCommands: readonly CommandSpec[] = [
  {
    usage: 'set-value <exhibit>',
    about: 'enter a value of the paper that our sources lack, with page and table',
    details: `It says everywhere that your lab entered it, and from where. Example:
mars2 exhibits set-value mars2-systems --cell 14b-base.pass-n --value 74.3 --page 7 --where "Table 3"`,
    options: [
      ...PLACE,
      option('--value <number>', 'as the paper prints it, e.g. 61.7 percent'),
      option('--page <n>', 'page of the PDF'),
      option('--where <text>', 'table or figure, e.g. "Table 3"'),
      option('--note <text>', 'if something needs saying'),
    ],
    run: setValue,
  },
  {
    usage: 'import-values <exhibit> <file>',
    about: 'enter values from a CSV file: all of them, or none if a line is wrong',
    details:
      'Its first line: row,column,value,page,where,note for cells; line,x,value,page,where,note for points.',
    run: importValues,
  },
  {
    usage: 'remove-value <exhibit>',
    about: 'remove a value that was entered',
    options: PLACE,
    run: removeValue,
  },
];

function placeOf(options: CliOptions): EnteredPlace {
  const [cell, line] = [options.text('cell'), options.text('line')];
  if ((cell === undefined) === (line === undefined)) {
    throw new UsageError('Name a cell (--cell ROW.COLUMN) or a point (--line NAME --x N).');
  }
  if (line !== undefined) return { kind: 'point', line, x: numberOf(options, 'x') };
  const [row = '', column = '', ...rest] = cell?.split('.') ?? [];
  if (column === '' || rest.length > 0) throw new UsageError(`"${cell}" is not a cell. Write ROW.COLUMN.`);
  return { kind: 'cell', row, column };
}

function numberOf(options: CliOptions, name: string): number {
  options.required(name);
  return options.number(name, -1e9, 1e9) ?? 0;
}

async function setValue(workbench: Host, options: CliOptions): Promise<number> {
  const value = {
    at: placeOf(options),
    value: numberOf(options, 'value'),
    page: options.count('page', 1, 9_999) ?? Number(options.required('page')),
    where: options.required('where'),
    note: options.text('note') ?? '',
  };
  const exhibitId = options.word(0, 'The exhibit');
  return report(await ask(workbench, 'exhibit.set-values', { exhibitId, values: [value] }));
}

async function importValues(workbench: Host, options: CliOptions): Promise<number> {
  const exhibitId = options.word(0, 'The exhibit');
  const path = options.word(1, 'The file');
  const size = await stat(path).then(
    (status) => status.size,
    () => null,
  );
  if (size === null) throw new UsageError(`The file ${path} cannot be read.`);
  if (size > MAX_BYTES) throw new UsageError(`The file ${path} is larger than 1 MB.`);
  const text = await readFile(path, 'utf8');
  return report(await ask(workbench, 'exhibit.import-values', { exhibitId, text }));
}

async function removeValue(workbench: Host, options: CliOptions): Promise<number> {
  const at = placeOf(options);
  const exhibitId = options.word(0, 'The exhibit');
  return report(await ask(workbench, 'exhibit.remove-value', { exhibitId, at }));
}

type Answer = Awaited<ReturnType<typeof ask<'exhibit.set-values'>>>;

/** Prints what is entered now. */
function report(answer: Answer): number {
  if (!answer.ok) return printRefusal(answer.error);
  process.stdout.write(enteredText(answer.value));
  if ((answer.value.entered ?? []).length === 0) printStatus('Nothing is entered for this exhibit.');
  return EXIT.done;
}

/** The entered values of an exhibit, a line each; "": none. */
export function enteredText({ entered = [] }: ExhibitEntry): string {
  return entered.map((one) => `${enteredPlaceText(one.at)}: ${one.value}. ${enteredSource(one)}.\n`).join('');
}
