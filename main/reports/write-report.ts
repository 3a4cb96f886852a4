import { basename, dirname, join, resolve } from 'node:path';
import type { Refusal, ReportRequest, ReportSource, WrittenReport } from '../../preload/contract/index';
import { failed, ok, type Result, shellWords } from '../base/index';
import { makeUserFolder, replaceUserFile, writeReasonOf } from '../storage/index';
import type { ReportDeps } from './deps';
import type { DrawFigure } from './figure-worker';
import { digestOf } from './file-digests';
import { explanationsOf } from './logic/explanations';
import type { FigureWidth } from './logic/frame';
import { mainOf } from './logic/main-documents';
import type { ReportFigure } from './logic/report-figure';
import type { ReportTable } from './logic/report-table';
import type { SourceDocuments } from './logic/source-documents';
import { USAGE_PARTS } from './logic/usage-tables';
import { COMMAND, manifestBytes, manifestName, manifestOf } from './manifest';
import {
  FIGURE_FORMATS,
  type FigureFormat,
  renderTable,
  TABLE_FORMATS,
  type TableFormat,
} from './render-table';
import { buildDocuments, resolveSource } from './report-source';

type File = { readonly name: string; readonly bytes: Buffer };

/** File extensions. */
const FILE_EXTENSIONS: Readonly<Record<TableFormat | FigureFormat, string>> = {
  csv: 'csv',
  'csv-long': 'long.csv',
  latex: 'tex',
  markdown: 'md',
  json: 'json',
  svg: 'svg',
  pdf: 'pdf',
  png: 'png',
};

function includesFormat<const F extends readonly string[]>(formats: F, format: string): format is F[number] {
  return formats.includes(format);
}

function partNotFound({ part, format }: ReportRequest, { tables, figures }: SourceDocuments): Refusal {
  if (tables.length + figures.length === 0) {
    return {
      code: 'bad-input',
      message: 'There is nothing to export yet, because nothing has been measured.',
    };
  }
  const names = [...tables, ...figures].map(({ id }) => id).join(', ');
  return {
    code: 'bad-input',
    message:
      part === undefined
        ? `Nothing here can be written as ${format}.`
        : `There is no table or figure "${part}" that can be written as ${format}.`,
    hint: `There are: ${names}. Tables are written as ${TABLE_FORMATS.join(', ')}; figures as ${FIGURE_FORMATS.join(', ')}.`,
  };
}

/** Renders the requested part; without one, the first that has this format. */
async function renderPart(
  request: ReportRequest,
  documents: SourceDocuments,
  draw: DrawFigure,
): Promise<Result<{ readonly bytes: Buffer; readonly documents: SourceDocuments }, Refusal>> {
  const { format, part, width } = request;
  const isRequested = ({ id }: ReportTable | ReportFigure): boolean => part === undefined || id === part;
  const table = documents.tables.find(isRequested);
  if (table !== undefined && includesFormat(TABLE_FORMATS, format)) {
    return ok({ bytes: renderTable(table, format), documents: { tables: [table], figures: [] } });
  }
  const figure = documents.figures.find(isRequested);
  if (figure !== undefined && includesFormat(FIGURE_FORMATS, format)) {
    return ok({ bytes: await draw(figure, format, width), documents: { tables: [], figures: [figure] } });
  }
  return failed(partNotFound(request, documents));
}

/** Name of a table's file inside a folder or a bundle. */
export function tableFile(tableId: string, format: TableFormat): string {
  return `tables/${tableId}.${FILE_EXTENSIONS[format]}`;
}

/** What a folder holds: of each table and figure these formats, and pictures in these widths. */
const MAIN = {
  tables: ['csv', 'latex', 'markdown'],
  figures: ['pdf'],
  widths: ['one-column'],
} as const satisfies FolderFormats;
const EVERYTHING = {
  tables: TABLE_FORMATS,
  figures: FIGURE_FORMATS,
  widths: ['one-column', 'two-columns'],
} as const satisfies FolderFormats;

type FolderFormats = {
  readonly tables: readonly TableFormat[];
  readonly figures: readonly FigureFormat[];
  readonly widths: readonly FigureWidth[];
};

async function renderFolder(
  { tables, figures }: SourceDocuments,
  formats: FolderFormats,
  draw: DrawFigure,
): Promise<File[]> {
  const files: File[] = [];
  for (const table of tables) {
    for (const format of formats.tables) {
      files.push({ name: tableFile(table.id, format), bytes: renderTable(table, format) });
    }
  }
  for (const figure of figures) {
    for (const format of formats.figures) {
      const isPicture = format !== 'csv' && format !== 'json';
      for (const width of isPicture ? formats.widths : (['one-column'] as const)) {
        const size = isPicture ? `.${width}` : '';
        files.push({
          name: `figures/${figure.id}${size}.${FILE_EXTENSIONS[format]}`,
          bytes: await draw(figure, format, width),
        });
      }
    }
  }
  return files;
}

/** The command that writes a source's report again, without its format. */
function sourceCommand(source: ReportSource): readonly string[] {
  switch (source.kind) {
    case 'study':
      return ['export', source.studyId];
    case 'reproduction':
      return ['export', source.reproductionId];
    case 'runs':
      return ['export', ...source.runs.map(({ runId }) => runId)];
    case 'experiment':
      return ['export', source.experimentId];
    case 'filled-exhibit': {
      const { exhibitId, studyId, filled, lines = [] } = source.fill;
      // Studies at hand are named by the exhibit's file.
      if (filled.some((row) => row.studyId !== undefined)) return ['exhibits', 'fill', exhibitId];
      if (studyId === undefined) {
        const named = lines.flatMap(({ seriesId, trainings }) => trainings.map((id) => `${seriesId}=${id}`));
        return ['exhibits', 'fill', exhibitId, ...named.flatMap((line) => ['--line', line])];
      }
      const rows = filled.flatMap((row) => ['--row', `${row.configurationId}=${row.configuration}`]);
      return ['exhibits', 'fill', exhibitId, '--study', studyId, ...rows];
    }
    case 'usage':
      return ['jobs', 'usage', ...(source.month === null ? [] : ['--month', source.month])];
  }
}

function commandOf({ source, format, part, width, figures }: ReportRequest): string {
  const command = [...COMMAND, ...sourceCommand(source)];
  const allFigures = figures === undefined ? [] : ['--figures', figures];
  // An exhibit that a study fills is written by a command of its own.
  if (source.kind === 'filled-exhibit') return shellWords([...command, ...allFigures, '--out', 'DIR']);
  if (source.kind === 'usage') {
    const by = USAGE_PARTS.find(({ id }) => id === part)?.by ?? 'project';
    return shellWords([...command, '--by', by, '--csv', 'FILE']);
  }
  const isPicture = format === 'svg' || format === 'pdf' || format === 'png';
  return shellWords([
    ...command,
    ...['--format', format],
    ...(part === undefined ? [] : ['--part', part]),
    ...(isPicture ? ['--width', width] : []),
    ...allFigures,
    ...['--out', format === 'all' || format === 'main' ? 'DIR' : 'FILE'],
  ]);
}

/**
 * Writes the requested file, or for the formats "main" and "all" a folder, with its manifest: FILE.manifest.json next to a file,
 * manifest.json in a folder. The manifest is written last: where it exists, every file that it lists is complete.
 */
export async function writeReport(
  { request, path }: { readonly request: ReportRequest; readonly path: string },
  deps: ReportDeps,
): Promise<Result<WrittenReport, Refusal>> {
  const content = resolveSource(request.source, deps);
  if (!content.ok) return content;
  const built = await buildDocuments(content.value, deps);
  if (!built.ok) return built;
  const documents = request.format === 'main' ? mainOf(built.value, request.figures) : built.value;
  const target = resolve(path);
  const isFolder = request.format === 'all' || request.format === 'main';
  const folder = isFolder ? target : dirname(target);
  const files: File[] = [];
  let written: SourceDocuments = documents;
  if (isFolder) {
    const formats = request.format === 'main' ? MAIN : EVERYTHING;
    files.push(...(await renderFolder(documents, formats, deps.draw)));
  } else {
    const rendered = await renderPart(request, documents, deps.draw);
    if (!rendered.ok) return rendered;
    files.push({ name: basename(target), bytes: rendered.value.bytes });
    written = rendered.value.documents;
  }
  if (files.length === 0) return failed(partNotFound(request, documents));
  const manifest = await manifestOf(
    {
      source: request.source,
      content: content.value,
      command: commandOf(request),
      files: files.map(({ name, bytes }) => digestOf(name, bytes)),
      ...explanationsOf(written),
    },
    deps,
  );
  files.push({ name: manifestName(target, isFolder), bytes: manifestBytes(manifest) });
  const saved: { path: string; bytes: number }[] = [];
  try {
    for (const file of files) {
      const at = join(folder, file.name);
      if (isFolder) await makeUserFolder(dirname(at));
      await replaceUserFile(at, file.bytes);
      saved.push({ path: at, bytes: file.bytes.length });
    }
  } catch (error) {
    return failed({
      code: 'bad-input',
      message: `The export could not be written to ${target}: ${writeReasonOf(target, error)}.`,
      hint: 'Choose an existing, writable folder.',
    });
  }
  return ok({ files: saved });
}
