import { parsedJson } from '../../base';

/** Messages between the rows from the program that reads tables; rows are lines of their own: `{...}`. */
export type TableLine =
  /** The first line: how many rows the table says to have. */
  | { readonly kind: 'total'; readonly rows: number }
  /** The part that is read next, written before it is read: if the program ends, it ended there. */
  | { readonly kind: 'place'; readonly place: string }
  /** The last line of a table that is not read: a `TableError`. */
  | { readonly kind: 'refusal'; readonly message: string; readonly hint: string }
  /** The last line of a table that was read to its end. */
  | { readonly kind: 'end' };

/** The last line on stderr of a program that ended itself because it had grown too large. */
export const OUT_OF_MEMORY = 'The table needs too much memory.';

/** Rows are JSON objects, so their lines begin with this; no other line does. */
const ROW = 0x7b;

export function isRowLine(firstByte: number | undefined): boolean {
  return firstByte === ROW;
}

/** One line, its newline included. */
export function tableLine(line: TableLine): string {
  const { kind, ...fields } = line;
  return `${kind} ${JSON.stringify(fields)}\n`;
}

/** Null where the text is no line of `tableLine`. */
export function parseTableLine(text: string): TableLine | null {
  const space = text.indexOf(' ');
  const kind = text.slice(0, space);
  const fields = parsedJson(text.slice(space + 1));
  if (typeof fields !== 'object' || fields === null) return null;
  if (kind === 'end') return { kind };
  if (kind === 'total' && 'rows' in fields && typeof fields.rows === 'number')
    return { kind, rows: fields.rows };
  if (kind === 'place' && 'place' in fields && typeof fields.place === 'string')
    return { kind, place: fields.place };
  if (kind === 'refusal' && 'message' in fields && typeof fields.message === 'string') {
    const hint = 'hint' in fields && typeof fields.hint === 'string' ? fields.hint : '';
    return { kind, message: fields.message, hint };
  }
  return null;
}
