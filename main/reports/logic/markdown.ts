import { type PrintedCell, printedTable } from './printed-table';
import type { ReportTable } from './report-table';

/** Escapes a label: it must not end the cell or be read as markup. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~]/g, (mark) => `\\${mark}`);
}

function cell({ text, interval, bold, marks, sources }: PrintedCell): string {
  const value = bold ? `**${escaped(text)}**` : escaped(text);
  const raised = sources === '' ? '' : `<sup>${escaped(sources)}</sup>`;
  return `${value}${marks}${raised}${interval === '' ? '' : ` ${escaped(interval)}`}`;
}

/** A table as GitHub's Markdown: the name of a group has a row of its own. */
export function markdownTable(table: ReportTable): string {
  const { caption, columns, rows, placed } = printedTable(table);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    `**${escaped(caption)}**`,
    '',
    row(columns.map(({ label, group }) => escaped(group === '' ? label : `${group}: ${label}`))),
    row(columns.map(({ align }) => (align === 'left' ? '---' : '---:'))),
    ...rows.flatMap(({ group, cells }, at) => [
      ...(group === '' || group === rows[at - 1]?.group
        ? []
        : [row([`*${escaped(group)}*`, ...cells.slice(1).map(() => '')])]),
      row(cells.map(cell)),
    ]),
  ];
  const { under } = placed.markdown;
  if (under.length > 0) lines.push('', ...under.map((note) => `- ${escaped(note)}`));
  return `${lines.join('\n')}\n`;
}
