import {
  cellLines,
  GAP,
  type LatexColumn,
  type LatexPart,
  latexLayout,
  mayHaveLines,
  ROW_GAP,
  spansOf,
} from './latex-layout';
import { latexText } from './latex-text';
import { latexWidth } from './latex-width';
import { type PrintedCell, type PrintedTable, printedTable } from './printed-table';
import type { ReportTable } from './report-table';

/** A value, and under it its interval and its standard deviation, in one cell. */
const OVER = '\\def\\valueover#1#2{\\begin{tabular}[t]{@{}r@{}}#1\\\\[-2pt]\\scriptsize #2\\end{tabular}}';

function cell(printed: PrintedCell, { wraps, width }: LatexColumn): string {
  const { text, bold, marks, sources } = printed;
  if (wraps) return inLines(breakable(text, width), width);
  const raised = sources === '' ? '' : `\\textsuperscript{${latexText(sources)}}`;
  const value = `${bold ? `\\textbf{${latexText(text)}}` : latexText(text)}${latexText(marks)}${raised}`;
  const small = cellLines(printed).map(latexText);
  return small.length === 0 ? value : `\\valueover{${value}}{${small.join('\\\\[-2pt]\\scriptsize ')}}`;
}

/** Words that are longer than their line end anywhere. */
function breakable(text: string, width: number): string {
  return text
    .split(' ')
    .map((word) =>
      latexWidth(word, 8) > width ? [...word].map(latexText).join('\\allowbreak{}') : latexText(word),
    )
    .join(' ');
}

/** A text that continues in the next line. */
function inLines(text: string, width: number): string {
  return `\\parbox[t]{${Math.ceil(width)}pt}{\\raggedright ${text}\\strut}`;
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function stacked(lines: readonly string[], align: string): string {
  const written = lines.map(latexText).join(' \\\\ ');
  return lines.length < 2 ? written : `\\shortstack[${align.charAt(0)}]{${written}}`;
}

/** The line above the columns with the names of their groups and a rule under each; none without groups. */
function groupLines(columns: readonly LatexColumn[]): string[] {
  const spans = spansOf(columns);
  if (spans.every(({ head }) => head.length === 0)) return [];
  const rules = spans.flatMap(({ head, from, to }) =>
    head.length === 0 ? [] : `\\cmidrule(lr){${from + 1}-${to}}`,
  );
  const heads = spans.map(({ head, from, to }) =>
    head.length === 0 ? '' : `\\multicolumn{${to - from}}{c}{${stacked(head, 'c')}}`,
  );
  return [`${heads.join(' & ')} \\\\`, rules.join(' ')];
}

function tabular({ rows }: PrintedTable, { columns, rows: shown, width }: LatexPart): string[] {
  const lines = [
    `\\begin{tabular}{@{}${columns.map(({ align }) => align.charAt(0)).join('')}@{}}`,
    '  \\toprule',
    ...groupLines(columns).map((line) => `  ${line}`),
    `  ${columns.map(({ head, align }) => stacked(head, align)).join(' & ')} \\\\`,
    '  \\midrule',
  ];
  let group = '';
  shown.forEach((at, index) => {
    const row = rows[at];
    if (row === undefined) return;
    if (row.group !== group) {
      if (index > 0) lines.push('  \\midrule');
      const name = `\\textit{${latexText(row.group)}}`;
      if (row.group !== '') {
        lines.push(`  \\multicolumn{${columns.length}}{@{}l@{}}{${inLines(name, width)}} \\\\`);
      }
      group = row.group;
    }
    const cells = columns.map((column) => cell(row.cells[column.at] as PrintedCell, column));
    lines.push(`  ${cells.join(' & ')} \\\\${mayHaveLines(row.cells, columns) ? `[${ROW_GAP}pt]` : ''}`);
  });
  return [...lines, '  \\bottomrule', '\\end{tabular}'];
}

/**
 * A table for a paper. Needs booktabs. Its values are in \footnotesize, and what is under them in \scriptsize: a table
 * that is wider than a column goes over both, one wider than a page has its columns in parts, and one longer than a
 * page continues in the next float. Under it, in print, is what no reader may do without; everything else that is said
 * of it is in comments.
 */
export function latexTable(table: ReportTable): string {
  const printed = printedTable(table);
  const { id, caption, placed, asides } = printed;
  // Paths may be broken, as no hyphenation knows them.
  const under = placed.latex.under
    .map((note) => latexText(note).replace(/\/|\\_/g, '$&\\allowbreak{}'))
    .join(' \\textbullet{} ');
  const { pages, isWide } = latexLayout(printed, placed.latex.under.join(' * '));
  const float = `table${isWide ? '*' : ''}`;
  const label = (table.latexLabel ?? id).replace(/[^a-zA-Z0-9:-]+/g, '-');
  const lines = ['% UTF-8. Needs \\usepackage{booktabs}.'];
  pages.forEach((parts, page) => {
    lines.push(
      `\\begin{${float}}`,
      '  \\centering',
      ...(page === 0
        ? [`  \\caption{${latexText(caption)}}`, `  \\label{tab:${label}}`]
        : ['  \\addtocounter{table}{-1}', '  \\caption{(continued)}']),
      `  \\smallskip\\footnotesize\\setlength{\\tabcolsep}{${GAP}pt}`,
      `  ${OVER}`,
    );
    parts.forEach((part, at) => {
      if (at > 0) lines.push('', '  \\medskip');
      lines.push(...tabular(printed, part).map((line) => `  ${line}`));
    });
    if (page === pages.length - 1 && under !== '') {
      lines.push('', '  \\smallskip', `  \\parbox{\\linewidth}{\\scriptsize ${under}}`);
    }
    lines.push(`\\end{${float}}`);
  });
  const beside = [...placed.latex.beside, ...asides];
  if (beside.length > 0) lines.push('', '% What else is said of this table, for whoever writes about it:');
  lines.push(...beside.map((note) => `% ${oneLine(note)}`), '');
  return lines.join('\n');
}
