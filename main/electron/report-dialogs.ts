import { basename } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import type { CheckedPayload, ReportRequest, ReportSource } from '../../preload/contract/index';
import { askForExisting, askWhereToSave } from './ask-path';
import { FILE_EXTENSIONS, type FileExtension } from './report-files';

const BUNDLE: FileExtension = { ending: 'mars2.zip', name: 'Bundle' };

function saveAs(window: BrowserWindow, title: string, name: string, { ending, name: kind }: FileExtension) {
  return askWhereToSave(window, title, `${name}.${ending}`, [{ name: kind, extensions: [ending] }]);
}

function nameOf(source: ReportSource): string {
  switch (source.kind) {
    case 'study':
      return source.studyId;
    case 'reproduction':
      return source.reproductionId;
    case 'runs':
      return 'comparison';
    case 'filled-exhibit':
      return source.fill.exhibitId;
    case 'experiment':
      return source.experimentId;
    case 'usage':
      return 'usage';
  }
}

/** Where to save a report: a file, or a folder for all formats at once; null: cancelled. */
export async function chooseReportPath(
  window: BrowserWindow,
  request: ReportRequest,
): Promise<CheckedPayload<'report.write'> | null> {
  const { format, part, source } = request;
  if (format === 'all' || format === 'main') {
    const { canceled, filePaths } = await dialog.showOpenDialog(window, {
      title: format === 'all' ? 'Export every table and figure into a folder' : 'Export into a folder',
      properties: ['openDirectory', 'createDirectory'],
    });
    const path = canceled ? undefined : filePaths[0];
    return path === undefined ? null : { request, path };
  }
  const name = part ?? basename(nameOf(source));
  const path = await saveAs(
    window,
    `Export as ${FILE_EXTENSIONS[format].name}`,
    name,
    FILE_EXTENSIONS[format],
  );
  return path === null ? null : { request, path };
}

export async function chooseBundlePath(
  window: BrowserWindow,
  source: ReportSource,
): Promise<CheckedPayload<'bundle.write'> | null> {
  const path = await saveAs(window, 'Write a bundle for another lab', nameOf(source), BUNDLE);
  return path === null ? null : { source, path };
}

export async function chooseBundle(window: BrowserWindow): Promise<CheckedPayload<'bundle.open'> | null> {
  const path = await askForExisting(window, 'Open a bundle of another lab', 'file', [
    { name: 'Bundles', extensions: ['zip'] },
    { name: 'All files', extensions: ['*'] },
  ]);
  return path === null ? null : { path };
}
