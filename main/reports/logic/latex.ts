import { COMPLEMENT_SENTENCE, COMPLEMENT_SHORT } from '../../../preload/contract/plans/index';
import { latexText } from './latex-text';
import { type PrintedCell, type PrintedColumn, type PrintedTable, printedTable } from './printed-table';
import type { ReportTable } from './report-table';
import { wrappedText } from './wrapped-text';

function cell({ text, interval, bold, marks, sources }: PrintedCell): string {
  const value = bold ? `\\textbf{${latexText(text)}}` : latexText(text);
  const small = interval === '' ? '' : ` {\\scriptsize ${latexText(interval)}}`;
  const raised = sources === '' ? '' : `\\textsuperscript{${latexText(sources)}}`;
  return `${value}${latexText(marks)}${raised}${small}`;
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** In characters: heads of columns are no wider than their longest word or this. */
const HEAD = 14;

/** A head in as many lines as it takes. */
function head({ label, align }: PrintedColumn): string {
  const longest = Math.max(HEAD, ...label.split(' ').map(({ length }) => length));
  const { lines } = wrappedText(label, longest, (text) => text.length);
  if (lines.length < 2) return latexText(label);
  return `\\shortstack[${align.charAt(0)}]{${lines.map(latexText).join(' \\\\ ')}}`;
}

/** The line above the columns with the names of their groups and a rule under each; none without groups. */
function groupLines(columns: readonly PrintedColumn[]): string[] {
  if (columns.every(({ group }) => group === '')) return [];
  const heads: string[] = [];
  const rules: string[] = [];
  for (let at = 0; at < columns.length; ) {
    const group = columns[at]?.group ?? '';
    let end = at + 1;
    while (group !== '' && columns[end]?.group === group) end += 1;
    if (group === '') heads.push('');
    else {
      heads.push(`\\multicolumn{${end - at}}{c}{${latexText(group)}}`);
      rules.push(`\\cmidrule(lr){${at + 1}-${end}}`);
    }
    at = end;
  }
  return [`${heads.join(' & ')} \\\\`, rules.join(' ')];
}

/** Characters that fit into one of two columns in small print, including gaps between the table's columns. */
const COLUMN = 46;

/** Approximate number of characters in the widest lines of all columns together. */
function roughWidth({ columns, rows }: PrintedTable): number {
  return columns.reduce((sum, { label }, at) => {
    const cells = rows.map(
      ({ cells }) => (cells[at]?.text.length ?? 0) + 0.75 * (cells[at]?.interval.length ?? 0),
    );
    return sum + 2 + Math.max(Math.min(label.length, HEAD), ...cells);
  }, 0);
}

/** Scales what is in the braces down to the line, and leaves it as it is where it fits. */
const SHRINK = '\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%';

/** So many stay on the page of the table, which no page can break. */
const MAX_WORDS_UNDER = 120;

const words = (text: string): number => text.split(/\s+/).length;

/** The first notes stand under the table, with what no pocket table is without; the others in a paragraph of their own. */
function placed(notes: readonly string[]): {
  readonly under: readonly string[];
  readonly after: readonly string[];
} {
  const isAlwaysUnder = (note: string): boolean =>
    note === COMPLEMENT_SENTENCE || note === `${COMPLEMENT_SHORT}.`;
  let left = MAX_WORDS_UNDER - notes.filter(isAlwaysUnder).reduce((sum, note) => sum + words(note), 0);
  let isFull = false;
  const under = notes.filter((note) => {
    if (isAlwaysUnder(note)) return true;
    left -= words(note);
    isFull ||= left < 0;
    return !isFull;
  });
  return { under, after: notes.filter((note) => !under.includes(note)) };
}

/**
 * A table for a paper. Needs booktabs and graphicx, which scales it down where it is wider than its line. One that is wider
 * than a column goes over both. The first notes are under it in small print, the others in a paragraph after it, which pages
 * may break.
 */
export function latexTable(table: ReportTable): string {
  const printed = printedTable(table);
  const { caption, columns, rows, notes, asides } = printed;
  const isWide = roughWidth(printed) > COLUMN;
  const latexLabel = `tab:${(table.latexLabel ?? printed.id).replace(/[^a-zA-Z0-9:-]+/g, '-')}`;
  const lines = [
    '% UTF-8. Needs \\usepackage{booktabs,graphicx}.',
    `\\begin{table${isWide ? '*' : ''}}`,
    '  \\centering',
    `  \\caption{${latexText(caption)}}`,
    `  \\label{${latexLabel}}`,
    '  \\small\\setlength{\\tabcolsep}{4pt}',
    `  ${SHRINK}`,
    `  \\begin{tabular}{${columns.map(({ align }) => align.charAt(0)).join('')}}`,
    '    \\toprule',
    ...groupLines(columns).map((line) => `    ${line}`),
    `    ${columns.map(head).join(' & ')} \\\\`,
    '    \\midrule',
  ];
  let group = '';
  rows.forEach((row, at) => {
    if (row.group !== group) {
      if (at > 0) lines.push('    \\midrule');
      if (row.group !== '') {
        lines.push(`    \\multicolumn{${columns.length}}{l}{\\textit{${latexText(row.group)}}} \\\\`);
      }
      group = row.group;
    }
    lines.push(`    ${row.cells.map(cell).join(' & ')} \\\\`);
  });
  lines.push('    \\bottomrule', '  \\end{tabular}}');
  const { under, after } = placed(notes);
  // Paths may be broken, as no hyphenation knows them.
  const joined = (some: readonly string[]): string =>
    some.map((note) => latexText(note).replace(/\/|\\_/g, '$&\\allowbreak{}')).join(' \\textbullet{} ');
  if (under.length > 0) {
    lines.push('', '  \\smallskip', `  \\parbox{\\linewidth}{\\footnotesize ${joined(under)}}`);
  }
  lines.push(`\\end{table${isWide ? '*' : ''}}`);
  if (after.length > 0) {
    lines.push(
      '',
      `{\\footnotesize\\noindent\\textbf{Notes on Table~\\ref{${latexLabel}}.} ${joined(after)}\\par}`,
      '',
    );
  }
  lines.push(...asides.map((aside) => `% ${oneLine(aside)}`), '');
  return lines.join('\n');
}
