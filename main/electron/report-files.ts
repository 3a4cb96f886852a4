import { join } from 'node:path';
import {
  type Answer,
  type CheckedPayload,
  type ReportFile,
  type ReportFormat,
  type WrittenReport,
  writtenReportSchema,
} from '../../preload/contract/index';

export type FileExtension = { readonly ending: string; readonly name: string };

/** The ending of a file of each format, and what a dialog calls it. */
export const FILE_EXTENSIONS: Readonly<Record<Exclude<ReportFormat, 'all' | 'main'>, FileExtension>> = {
  csv: { ending: 'csv', name: 'CSV' },
  'csv-long': { ending: 'csv', name: 'CSV' },
  latex: { ending: 'tex', name: 'LaTeX' },
  markdown: { ending: 'md', name: 'Markdown' },
  json: { ending: 'json', name: 'JSON' },
  svg: { ending: 'svg', name: 'SVG' },
  pdf: { ending: 'pdf', name: 'PDF' },
  png: { ending: 'png', name: 'PNG' },
};

/**
 * Writes each table and figure into the folder, named after itself, one after another; ends at the first refusal.
 * @param files - what to write
 * @param folder - chosen by a person
 * @param write - the command that writes one
 */
export async function writeReportFiles(
  files: readonly ReportFile[],
  folder: string,
  write: (request: CheckedPayload<'report.write'>) => Promise<Answer<unknown>>,
): Promise<Answer<WrittenReport>> {
  const written: WrittenReport['files'] = [];
  for (const request of files) {
    const { part, format, width } = request;
    const long = format === 'csv-long' ? '.long' : '';
    const wide = width === 'two-columns' ? '.two-columns' : '';
    const path = join(folder, `${part}${wide}${long}.${FILE_EXTENSIONS[format].ending}`);
    const answer = await write({ request, path });
    if (!answer.ok) return answer;
    written.push(...writtenReportSchema.parse(answer.value).files);
  }
  return { ok: true, value: { files: written } };
}
