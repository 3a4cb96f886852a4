import type { Payload } from '../../preload/contract/commands/index';
import type { ReportPart, ReportSource } from '../../preload/contract/report';
import { exportedText } from '../text/reports';
import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';
import { readStored, writeStored } from './stored-state';

export const TABLE_FORMATS = ['latex', 'markdown', 'csv', 'csv-long', 'json'] as const;
export const FIGURE_FORMATS = ['pdf', 'svg', 'png', 'csv'] as const;
export const FIGURE_WIDTHS = ['one-column', 'two-columns'] as const;

/** How tables and figures are written, and which were ticked last. */
export type ExportChoice = {
  readonly table: (typeof TABLE_FORMATS)[number];
  readonly figure: (typeof FIGURE_FORMATS)[number];
  readonly width: (typeof FIGURE_WIDTHS)[number];
  /** Ids of parts; empty: never chosen. */
  readonly parts: readonly string[];
};

const STORED = 'export';
/** More than any report has; storage that holds more is damaged. */
const MAX_PARTS = 100;

/** The choice of the last export; for the first one LaTeX and PDF in a column's width. */
export function lastExport(): ExportChoice {
  const stored = storedFields();
  const one = <T extends string>(options: readonly [T, ...T[]], value: unknown): T =>
    options.find((option) => option === value) ?? options[0];
  const parts = Array.isArray(stored.parts) ? stored.parts : [];
  return {
    table: one(TABLE_FORMATS, stored.table),
    figure: one(FIGURE_FORMATS, stored.figure),
    width: one(FIGURE_WIDTHS, stored.width),
    parts: parts.filter((id) => typeof id === 'string').slice(0, MAX_PARTS),
  };
}

function storedFields(): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(readStored(STORED) ?? '{}');
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}

export function rememberExport(choice: ExportChoice): void {
  writeStored(STORED, JSON.stringify(choice));
}

/** The parts ticked last, if they exist; else the first table and the first figure. */
export function tickedParts(parts: readonly ReportPart[], last: readonly string[]): readonly string[] {
  const known = parts.filter(({ id }) => last.includes(id));
  const first = (['table', 'figure'] as const).flatMap(
    (kind) => parts.find((part) => part.kind === kind) ?? [],
  );
  return (known.length > 0 ? known : first).map(({ id }) => id);
}

/** What is asked of main for one part. */
export type ExportedPart = Omit<Payload<'report.chooseFolder'>['files'][number], 'source'>;

export function exportedPart({ id, kind }: ReportPart, { table, figure, width }: ExportChoice): ExportedPart {
  return kind === 'table' ? { part: id, format: table } : { part: id, format: figure, width };
}

/**
 * Asks where to save, writes, and shows a notice with the path; a cancelled dialog shows nothing. False: nothing was
 * written.
 */
export async function writeExport(
  { client, notices }: { readonly client: WorkbenchClient; readonly notices: Notices },
  source: ReportSource,
  parts: readonly ExportedPart[] | 'all',
): Promise<boolean> {
  const [only, ...others] = parts === 'all' ? [] : parts;
  const written =
    parts === 'all' || (only !== undefined && others.length === 0)
      ? await client.call('report.choose', { request: { source, ...(only ?? { format: 'all' }) } })
      : await client.call('report.chooseFolder', { files: parts.map((part) => ({ source, ...part })) });
  if (!written.ok) {
    notices.showRefusal(written.error);
    return false;
  }
  const { files } = written.value;
  const [first] = files;
  if (first === undefined) notices.show({ level: 'info', message: 'There was nothing to export.' });
  else notices.showWritten(exportedText(files), first.path);
  return first !== undefined;
}
