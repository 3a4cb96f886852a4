import { assertNever } from '../base/index';
import { latexTable } from './logic/latex';
import { markdownTable } from './logic/markdown';
import type { ReportTable } from './logic/report-table';
import { longCsv, wideCsv } from './logic/table-csv';
import { jsonTable } from './logic/table-json';

/** In the order in which they are offered. */
export const TABLE_FORMATS = ['csv', 'csv-long', 'latex', 'markdown', 'json'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
export const FIGURE_FORMATS = ['svg', 'pdf', 'png', 'csv', 'json'] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** The table's bytes in this format; equal tables give equal bytes. */
export function renderTable(table: ReportTable, format: TableFormat): Buffer {
  switch (format) {
    case 'csv':
      return Buffer.from(wideCsv(table).text);
    case 'csv-long':
      return Buffer.from(longCsv(table).text);
    case 'latex':
      return Buffer.from(latexTable(table));
    case 'markdown':
      return Buffer.from(markdownTable(table));
    case 'json':
      return jsonBytes(jsonTable(table));
    default:
      return assertNever(format);
  }
}
