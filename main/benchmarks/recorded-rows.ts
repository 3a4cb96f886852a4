import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf } from '../storage';
import { readImportLines } from './import-file';
import { refusedImport } from './import-refusals';
import { isRowFile } from './logic/import-options';
import { rowsOfObject } from './logic/recorded-row';
import { withinRowSize } from './logic/row-size';
import type { ReadTable } from './table-reader';

/** A list or object over many lines is read whole; twice that is the longest text that V8 makes. */
const MAX_WHOLE_CHARACTERS = 256 * 1024 ** 2;

/** Called for each row in order; `where` begins a sentence, e.g. "line 7". A refusal ends the reading. */
type TakeRow = (row: unknown, where: string) => Refusal | null;

export type RowReader = {
  readonly take: TakeRow;
  /** Called with a note about all rows of a file. */
  readonly note: (text: string) => void;
};

/** The files that a path stands for: itself, or all files of rows in a folder, in the order of their names. */
export async function filesOfRows(path: string): Promise<Result<readonly string[], Refusal>> {
  try {
    if (!(await stat(path)).isDirectory()) return ok([path]);
    const names = (await readdir(path)).filter(isRowFile).sort();
    if (names.length > 0) return ok(names.map((name) => join(path, name)));
    return failed(
      refusedImport(
        path,
        'no file in it ends in .jsonl, .ndjson, .json (or one of these with .gz) or .parquet.',
      ),
    );
  } catch (error) {
    // The file reader, which every import shares, reports a missing file.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok([path]);
    return failed(refusedImport(path, `${reasonOf(error)}.`));
  }
}

/** Rows by their place in a list: "row 1" is the first. */
function takeList(rows: readonly unknown[], take: TakeRow): Refusal | null {
  for (const [index, row] of rows.entries()) {
    const refusal = take(row, `row ${index + 1}`);
    if (refusal !== null) return refusal;
  }
  return null;
}

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** A list of rows, a file's one object of rows, or a row. */
function takeValue(value: unknown, where: string, { take, note }: RowReader): Refusal | null {
  if (Array.isArray(value)) return takeList(value, take);
  const inside = typeof value === 'object' && value !== null ? rowsOfObject(value) : null;
  if (inside === null) return take(value, where);
  if (inside.note !== null) note(inside.note);
  return takeList(inside.rows, take);
}

/**
 * Reads rows from a file of JSON lines, one JSON list of rows, or one JSON object that holds them, plain or
 * gzipped, or from a Parquet table. Gives the number of lines that were not blank.
 */
export async function readRows(
  path: string,
  reader: RowReader,
  readTable?: ReadTable,
): Promise<Result<number, Refusal>> {
  /** The lines of a value that ends on a later line. */
  const open: string[] = [];
  let characters = 0;
  let lastLine = 0;
  const takeLine = (line: string, number: number): Refusal | null => {
    const value = open.length === 0 ? parsed(line) : null;
    if (value !== null) return takeValue(value.value, `line ${number}`, reader);
    // Only a file's first line may begin a value of many lines; anywhere else it is a broken row.
    const begins = number === 1 && (line.startsWith('[') || line === '{');
    if (open.length === 0 && !begins) {
      return refusedImport(path, `line ${number} is not JSON; one JSON object a line is needed.`);
    }
    characters += line.length;
    open.push(line);
    lastLine = number;
    if (characters <= MAX_WHOLE_CHARACTERS) return null;
    return refusedImport(path, `it is one JSON value of more than ${MAX_WHOLE_CHARACTERS} characters.`);
  };
  const read = await readImportLines(path, takeLine, { readTable });
  if (!read.ok || open.length === 0) return read;
  const text = withinRowSize(open.join('\n'));
  if (!text.ok) return failed(refusedImport(path, `its value ${text.error}`));
  const document = parsed(text.value);
  if (document === null) {
    const none = `it begins like one JSON value, but up to its line ${lastLine} it is not valid JSON. It may have been cut off.`;
    return failed(refusedImport(path, none));
  }
  const refusal = takeValue(document.value, 'its value', reader);
  return refusal === null ? read : failed(refusal);
}
