export type Rows = ReadonlyArray<Readonly<Record<string, string>>>;

/** Enough for files of ours: no cell holds a comma or a quote, but for the last column of the table. */
export function readCsv(text: string): Rows {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i] ?? '', cell])));
}
