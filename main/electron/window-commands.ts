import { type BrowserWindow, dialog, type FileFilter, shell } from 'electron';
import { type Answer, type CommandName, commands, type Refusal } from '../../preload/contract/index';
import type { Call, Workbench } from '../app/index';
import { copyPicture, savePicture } from './pictures';
import { chooseBundle, chooseBundlePath, chooseReportPath } from './report-dialogs';
import { writeReportFiles } from './report-files';
import { WrittenFiles } from './written-files';

/** Commands that need a system dialog. null: not one of them; the workbench itself answers. */
export type WindowCommands = (name: string, payload: unknown) => Promise<Answer<unknown>> | null;

const CANCELLED: Refusal = { code: 'cancelled', message: 'No file was chosen; nothing was changed.' };
const NOT_OPENED: Refusal = { code: 'cancelled', message: 'The address was not opened.' };
const NOT_WRITTEN: Refusal = {
  code: 'not-allowed',
  message: 'The folder was not shown: this window has not written that file.',
};
const IN_SERVICE: Refusal = { code: 'conflict', message: 'The background service runs already.' };
const NO_SERVICE: Refusal = { code: 'conflict', message: 'No background service runs.' };
const IS_SHOWN: Refusal = {
  code: 'conflict',
  message: "This window shows this computer's workbench already.",
};
const NOT_THERE: Refusal = {
  code: 'not-allowed',
  message: 'A path can be named only while this window shows the service of another machine.',
};
const ROWS: FileFilter[] = [
  { name: 'JSON, JSON lines, Parquet', extensions: ['jsonl', 'ndjson', 'json', 'gz', 'parquet'] },
  { name: 'All files', extensions: ['*'] },
];

/** Moves the window's work into a service and back, after the answer; null: it is there already. */
export type ServiceSwitch = {
  readonly start: ((registers: boolean) => void) | null;
  readonly takeBack: (() => void) | null;
  /** Shows the service of a machine, or says why it cannot; null: one is shown. */
  readonly showMachine: ((machineId: string) => Promise<Answer<() => void>>) | null;
  /** Shows this computer's workbench again; null: it is shown. */
  readonly showHere: (() => void) | null;
  /** Commands of the machine's service with paths of that machine; null: none is shown. */
  readonly callThere: Call | null;
};

/** The path comes only from the dialog: a page can open the dialog but never name a file. */
export function createWindowCommands(
  window: BrowserWindow,
  workbench: Workbench,
  service: ServiceSwitch,
): WindowCommands {
  const choose = async (title: string, property: 'openFile' | 'openDirectory'): Promise<string | null> => {
    const { canceled, filePaths } = await dialog.showOpenDialog(window, {
      title,
      properties: [property],
      ...(property === 'openFile' ? { filters: ROWS } : {}),
    });
    return canceled ? null : (filePaths[0] ?? null);
  };

  const chooseCsv = async (name: string): Promise<string | null> => {
    const { canceled, filePath } = await dialog.showSaveDialog(window, {
      title: `Export ${name} as CSV`,
      defaultPath: `${name}.csv`,
      filters: [{ name: 'CSV', extensions: ['csv'] }],
    });
    return canceled || filePath === '' ? null : filePath;
  };

  const written = new WrittenFiles();
  const handlers: Partial<Record<CommandName, (payload: unknown) => Promise<Answer<unknown>>>> = {
    'import.chooseBenchmark': async (payload) => {
      const { folder, there, ...request } = commands['import.chooseBenchmark'].payload.parse(payload);
      if (there !== undefined) {
        if (service.callThere === null) return { ok: false, error: NOT_THERE };
        return service.callThere('import.benchmark', { path: there, ...request }, 'terminal');
      }
      const path = folder
        ? await choose('Import a folder of files as a benchmark', 'openDirectory')
        : await choose('Import a file as a benchmark', 'openFile');
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('import.benchmark', { path, ...request }, 'terminal');
    },
    'import.chooseRecording': async (payload) => {
      const request = commands['import.chooseRecording'].payload.parse(payload);
      const path = await choose('Import recorded answers as an agent', 'openFile');
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('import.recording', { path, ...request }, 'terminal');
    },
    'job.chooseLogFile': async (payload) => {
      const { jobId, log } = commands['job.chooseLogFile'].payload.parse(payload);
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        title: 'Save the whole log',
        defaultPath: `${log}.log`,
      });
      if (canceled || !filePath) return { ok: false, error: CANCELLED };
      return workbench.call('job.saveLog', { jobId, log, path: filePath }, 'terminal');
    },
    'machine.chooseSavedFile': async (payload) => {
      const { machineId, path } = commands['machine.chooseSavedFile'].payload.parse(payload);
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        title: 'Save the file',
        // A name of another system's: no part of it may leave the folder that the user chooses.
        defaultPath: path.slice(path.lastIndexOf('/') + 1).replace(/[\p{Cc}\\:*?"<>|]/gu, '_') || 'file',
      });
      if (canceled || !filePath) return { ok: false, error: CANCELLED };
      return workbench.call('machine.saveFile', { machineId, path, to: filePath }, 'terminal');
    },
    'diagnostics.choose': async (payload) => {
      const { text } = commands['diagnostics.choose'].payload.parse(payload);
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        title: 'Save the report of a problem',
        defaultPath: 'workbench-problem.txt',
        filters: [{ name: 'Text', extensions: ['txt'] }],
      });
      if (canceled || filePath === '') return { ok: false, error: CANCELLED };
      // The dialog has asked before a file is replaced.
      return workbench.call('diagnostics.write', { path: filePath, text, overwrite: true }, 'terminal');
    },
    'service.start': async (payload) => {
      const { registers } = commands['service.start'].payload.parse(payload);
      if (service.start === null) return { ok: false, error: IN_SERVICE };
      setImmediate(service.start, registers);
      return { ok: true, value: null };
    },
    'service.takeBack': async () => {
      if (service.takeBack === null) return { ok: false, error: NO_SERVICE };
      setImmediate(service.takeBack);
      return { ok: true, value: null };
    },
    'service.showMachine': async (payload) => {
      const { machineId } = commands['service.showMachine'].payload.parse(payload);
      if (service.showMachine === null) return { ok: false, error: IN_SERVICE };
      const opened = await service.showMachine(machineId);
      if (!opened.ok) return opened;
      setImmediate(opened.value);
      return { ok: true, value: null };
    },
    'service.showHere': async () => {
      if (service.showHere === null) return { ok: false, error: IS_SHOWN };
      setImmediate(service.showHere);
      return { ok: true, value: null };
    },
    'link.open': async (payload) => {
      const { address } = commands['link.open'].payload.parse(payload);
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: 'Open this address in your browser?',
        detail: address,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
      });
      if (response !== 0) return { ok: false, error: NOT_OPENED };
      await shell.openExternal(address);
      return { ok: true, value: null };
    },
    'file.showInFolder': async (payload) => {
      const { path } = commands['file.showInFolder'].payload.parse(payload);
      if (!written.has(path)) return { ok: false, error: NOT_WRITTEN };
      shell.showItemInFolder(path);
      return { ok: true, value: null };
    },
    'picture.copy': (payload) => copyPicture(window, payload),
    'picture.choose': async (payload) =>
      (await savePicture(window, payload)) ?? { ok: false, error: CANCELLED },
    'experiment.chooseExport': async (payload) => {
      const { experimentId, kind } = commands['experiment.chooseExport'].payload.parse(payload);
      const path = await chooseCsv(kind);
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('experiment.export', { experimentId, kind, path }, 'terminal');
    },
    'training.chooseExport': async (payload) => {
      const { trainingId, format } = commands['training.chooseExport'].payload.parse(payload);
      const path = await choose('Export the curves into a folder', 'openDirectory');
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('training.export', { trainingId, format, path }, 'terminal');
    },
    'export.choose': async (payload) => {
      const { studyId, kind } = commands['export.choose'].payload.parse(payload);
      if (kind === 'marti') {
        // Two files with fixed names: the user chooses the folder.
        const folder = await choose("Export MARTI's two score files into a folder", 'openDirectory');
        if (folder === null) return { ok: false, error: CANCELLED };
        return workbench.call('export.write', { studyId, kind, path: folder }, 'terminal');
      }
      const path = await chooseCsv(kind);
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('export.write', { studyId, kind, path }, 'terminal');
    },
    'report.choose': async (payload) => {
      const request = await chooseReportPath(window, payload);
      if (request === null) return { ok: false, error: CANCELLED };
      return workbench.call('report.write', request, 'terminal');
    },
    'report.chooseFolder': async (payload) => {
      const { files } = commands['report.chooseFolder'].payload.parse(payload);
      const folder = await choose('Export tables and figures into a folder', 'openDirectory');
      if (folder === null) return { ok: false, error: CANCELLED };
      return writeReportFiles(files, folder, (request) =>
        workbench.call('report.write', request, 'terminal'),
      );
    },
    'bundle.choose': async (payload) => {
      const { source } = commands['bundle.choose'].payload.parse(payload);
      const request = await chooseBundlePath(window, source);
      if (request === null) return { ok: false, error: CANCELLED };
      return workbench.call('bundle.write', request, 'terminal');
    },
    'bundle.chooseOpen': async () => {
      const chosen = await chooseBundle(window);
      if (chosen === null) return { ok: false, error: CANCELLED };
      return workbench.call('bundle.open', chosen, 'terminal');
    },
  };

  return (name, payload) => {
    const handler = Object.hasOwn(handlers, name) ? handlers[name as CommandName] : undefined;
    if (handler === undefined) return null;
    const checked = commands[name as CommandName].payload.safeParse(payload);
    if (!checked.success) {
      const message = `The command "${name}" got an invalid value: ${checked.error.issues[0]?.message ?? 'unknown'}`;
      return Promise.resolve({ ok: false, error: { code: 'invalid-payload', message } });
    }
    return handler(payload).then((answer) => written.note(answer));
  };
}
