import { assertNever } from '../base/index';
import { jsonBytes, type TableFormat } from './formats';
import { latexTable } from './logic/latex';
import { markdownTable } from './logic/markdown';
import type { ReportTable } from './logic/report-table';
import { longCsv, wideCsv } from './logic/table-csv';

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
      return jsonBytes(table);
    default:
      return assertNever(format);
  }
}
