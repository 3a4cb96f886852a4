export type CsvCell = string | number | null;

export type CsvFile = { readonly text: string; readonly rows: number };

/**
 * RFC 4180, with one guard: a text that a spreadsheet would run as a formula gets an apostrophe in front.
 * Numbers are written in full (the shortest text that reads back as the same number).
 */
function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (cell === Number.POSITIVE_INFINITY) return 'inf'; // as pandas and R read it
  if (typeof cell === 'number') return String(cell);
  const guarded = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function csvFile(header: readonly string[], rows: ReadonlyArray<readonly CsvCell[]>): CsvFile {
  const lines = [header, ...rows].map((row) => row.map(csvCell).join(','));
  return { text: `${lines.join('\n')}\n`, rows: rows.length };
}

/** The cells of each line of RFC 4180 text. A quote that is not closed ends with the text. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, isQuoted] = [[] as string[], '', false];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text.charAt(at + 1) === '"') {
        cell += char;
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === ',' || char === '\n') {
      row.push(cell);
      cell = '';
      if (char === ',') continue;
      rows.push(row);
      row = [];
    } else if (char !== '\r') cell += char;
  }
  return cell === '' && row.length === 0 ? rows : [...rows, [...row, cell]];
}
