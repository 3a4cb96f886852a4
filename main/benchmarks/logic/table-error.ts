/** Limits of a table. */
export type TableLimits = {
  readonly rows: number;
  /** Of one row as JSON. */
  readonly rowBytes: number;
  /** Of all rows as JSON. */
  readonly bytes: number;
};

const DAMAGED_HINT = 'Download it again, or import the data as JSON lines.';
export const TOO_LARGE_HINT = 'Is it the right file? If so, import a part of it, or the data as JSON lines.';

/** Why a table is not read. The message is the end of a sentence that begins with the file. */
export class TableError extends Error {
  constructor(
    message: string,
    /** A hint for the user. */
    readonly hint: string = DAMAGED_HINT,
  ) {
    super(message);
  }
}

/** The table may be sound, and asks for more than a table gets. */
export function demandingTable(place: string, problem: string): TableError {
  return new TableError(`the Parquet file ${problem} (at ${place}).`, TOO_LARGE_HINT);
}

/** `place`: in the table, e.g. "row group 1 of 2"; `how`: what happened there. */
export function damagedTable(place: string, how: string): TableError {
  return new TableError(
    `the Parquet file is damaged, or uses a feature that is not supported (${place}: ${how}).`,
  );
}
