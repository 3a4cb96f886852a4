import type { BrowserWindow, FileFilter } from 'electron';
import type { Refusal } from '../../preload/contract/index';
import type { Call } from '../app/index';
import { askForExisting, askWhereToSave, CANCELLED, type WindowHandlers } from './ask-path';
import { chooseBundle, chooseBundlePath, chooseReportPath } from './report-dialogs';
import { writeReportFiles } from './report-files';

const NOT_THERE: Refusal = {
  code: 'not-allowed',
  message: 'A path can be named only while this window shows the service of another machine.',
};
const ROWS: FileFilter[] = [
  { name: 'JSON, JSON lines, Parquet', extensions: ['jsonl', 'ndjson', 'json', 'gz', 'parquet'] },
  { name: 'All files', extensions: ['*'] },
];

const CSV: FileFilter[] = [{ name: 'CSV', extensions: ['csv'] }];

/** Files that are read, each chosen in a dialog. `callThere`: commands of the machine whose service is shown. */
export function importHandlers(window: BrowserWindow, call: Call, callThere: Call | null): WindowHandlers {
  let lastPath: string | null = null;
  return {
    'import.chooseBenchmark': async ({ folder, there, ...request }) => {
      if (there !== undefined) {
        if (callThere === null) return { ok: false, error: NOT_THERE };
        return callThere('import.benchmark', { path: there, ...request }, 'terminal');
      }
      const choose = () =>
        folder
          ? askForExisting(window, 'Import a folder of files as a benchmark', 'folder')
          : askForExisting(window, 'Import a file as a benchmark', 'file', ROWS);
      const path = request.markUnparsed && lastPath !== null ? lastPath : await choose();
      if (path === null) return CANCELLED;
      lastPath = path;
      return call('import.benchmark', { path, ...request }, 'terminal');
    },
    'import.chooseRecording': async (request) => {
      const path = await askForExisting(window, 'Import recorded answers as an agent', 'file', ROWS);
      if (path === null) return CANCELLED;
      return call('import.recording', { path, ...request }, 'terminal');
    },
    'bundle.chooseOpen': async () => {
      const chosen = await chooseBundle(window);
      if (chosen === null) return CANCELLED;
      return call('bundle.open', chosen, 'terminal');
    },
  };
}

/** Files that are written where a dialog says. */
export function exportHandlers(window: BrowserWindow, call: Call): WindowHandlers {
  const askForCsv = (name: string) => askWhereToSave(window, `Export ${name} as CSV`, `${name}.csv`, CSV);
  return {
    'job.chooseLogFile': async ({ jobId, log }) => {
      const path = await askWhereToSave(window, 'Save the whole log', `${log}.log`);
      if (path === null) return CANCELLED;
      return call('job.saveLog', { jobId, log, path }, 'terminal');
    },
    'machine.chooseSavedFile': async ({ machineId, path }) => {
      // A name of another system's: no part of it may leave the folder that the user chooses.
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/[\p{Cc}\\:*?"<>|]/gu, '_') || 'file';
      const to = await askWhereToSave(window, 'Save the file', name);
      if (to === null) return CANCELLED;
      return call('machine.saveFile', { machineId, path, to }, 'terminal');
    },
    'diagnostics.choose': async ({ text }) => {
      const title = 'Save the report of a problem';
      const kinds = [{ name: 'Text', extensions: ['txt'] }];
      const path = await askWhereToSave(window, title, 'workbench-problem.txt', kinds);
      if (path === null) return CANCELLED;
      // The dialog has asked before a file is replaced.
      return call('diagnostics.write', { path, text, overwrite: true }, 'terminal');
    },
    'experiment.chooseExport': async ({ experimentId, kind }) => {
      const path = await askForCsv(kind);
      if (path === null) return CANCELLED;
      return call('experiment.export', { experimentId, kind, path }, 'terminal');
    },
    'training.chooseExport': async ({ trainingId, format }) => {
      const path = await askForExisting(window, 'Export the curves into a folder', 'folder');
      if (path === null) return CANCELLED;
      return call('training.export', { trainingId, format, path }, 'terminal');
    },
    'export.choose': async ({ studyId, kind }) => {
      // Two files with fixed names: the user chooses the folder.
      const path =
        kind === 'marti'
          ? await askForExisting(window, "Export MARTI's two score files into a folder", 'folder')
          : await askForCsv(kind);
      if (path === null) return CANCELLED;
      return call('export.write', { studyId, kind, path }, 'terminal');
    },
    'report.choose': async ({ request }) => {
      const chosen = await chooseReportPath(window, request);
      if (chosen === null) return CANCELLED;
      return call('report.write', chosen, 'terminal');
    },
    'report.chooseFolder': async ({ files }) => {
      const folder = await askForExisting(window, 'Export tables and figures into a folder', 'folder');
      if (folder === null) return CANCELLED;
      return writeReportFiles(files, folder, (request) => call('report.write', request, 'terminal'));
    },
    'bundle.choose': async ({ source }) => {
      const request = await chooseBundlePath(window, source);
      if (request === null) return CANCELLED;
      return call('bundle.write', request, 'terminal');
    },
  };
}
