import { type EnteredValue, enteredValueSchema } from '../../../preload/contract';
import { csvRows, failed, ok, type Result } from '../../base';

const COLUMNS = ['row', 'column', 'line', 'x', 'value', 'page', 'where', 'note'] as const;
/** Lines to list at most. */
const MAX_PROBLEMS = 20;

/**
 * Values of the paper from a CSV file with a header: `row` and `column` of a cell, or `line` and `x` of a point, then `value`,
 * `page`, `where` and, if there is one, `note`. All of them, or what is wrong in each line.
 */
export function valuesOfCsv(text: string): Result<readonly EnteredValue[], readonly string[]> {
  const [header = [], ...rows] = csvRows(text.replace(/^\uFEFF/, ''));
  const names = header.map((name) => name.trim());
  const unknown = names.filter((name) => !COLUMNS.some((known) => known === name));
  const missing = ['value', 'page', 'where'].filter((name) => !names.includes(name));
  if (unknown.length + missing.length > 0) {
    return failed([
      ...unknown.map((name) => `There is no column "${name}". Columns are: ${COLUMNS.join(', ')}.`),
      ...missing.map((name) => `The column "${name}" is missing in the first line.`),
    ]);
  }
  const values: EnteredValue[] = [];
  const problems: string[] = [];
  rows.forEach((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return;
    const field = (name: (typeof COLUMNS)[number]): string => cells[names.indexOf(name)]?.trim() ?? '';
    const value = valueInLine(field);
    if (value.ok) values.push(value.value);
    else problems.push(`Line ${index + 2}: ${value.error}`);
  });
  if (problems.length > 0) return failed(problems.slice(0, MAX_PROBLEMS));
  return values.length === 0 ? failed(['It has no values below its first line.']) : ok(values);
}

type Field = (name: (typeof COLUMNS)[number]) => string;

function valueInLine(field: Field): Result<EnteredValue, string> {
  const isPoint = field('line') !== '';
  if (isPoint && field('row') + field('column') !== '') {
    return failed('Name a row and a column, or a line and an x, not both.');
  }
  const parsed = enteredValueSchema.safeParse({
    at: isPoint
      ? { kind: 'point', line: field('line'), x: numberOf(field('x')) }
      : { kind: 'cell', row: field('row'), column: field('column') },
    value: numberOf(field('value')),
    page: numberOf(field('page')),
    where: field('where'),
    note: field('note'),
  });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return failed(`${String(issue?.path.at(-1) ?? 'it')}: ${issue?.message}.`);
}

/** An empty field is no zero. */
function numberOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
