import { type BrowserWindow, dialog, type FileFilter } from 'electron';
import { type Answer, type CommandName, commands, type Refusal } from '../../preload/contract/index';
import type { Workbench } from '../workbench';

/** Commands that need a file dialog. null: not one of them, the workbench itself answers. */
export type WindowCommands = (name: string, payload: unknown) => Promise<Answer<unknown>> | null;

const CANCELLED: Refusal = { code: 'cancelled', message: 'No file was chosen; nothing was changed.' };
const SAMPLES: FileFilter[] = [
  { name: 'JSON lines', extensions: ['jsonl', 'gz'] },
  { name: 'All files', extensions: ['*'] },
];

/** The path comes from the dialog alone: a page can ask for the dialog, never name a file. */
export function createWindowCommands(window: BrowserWindow, workbench: Workbench): WindowCommands {
  const chooseFile = async (title: string): Promise<string | null> => {
    const { canceled, filePaths } = await dialog.showOpenDialog(window, {
      title,
      properties: ['openFile'],
      filters: SAMPLES,
    });
    return canceled ? null : (filePaths[0] ?? null);
  };

  const handlers: Partial<Record<CommandName, (payload: unknown) => Promise<Answer<unknown>>>> = {
    'import.chooseBenchmark': async () => {
      const path = await chooseFile('Import a HumanEval file as a benchmark');
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('import.benchmark', { path, format: 'humaneval' }, 'terminal');
    },
    'import.chooseRecording': async (payload) => {
      const { benchmarkId } = commands['import.chooseRecording'].payload.parse(payload);
      const path = await chooseFile('Import recorded samples as an agent');
      if (path === null) return { ok: false, error: CANCELLED };
      return workbench.call('import.recording', { path, benchmarkId }, 'terminal');
    },
    'export.choose': async (payload) => {
      const { studyId, what } = commands['export.choose'].payload.parse(payload);
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        title: `Export ${what} as CSV`,
        defaultPath: `${what}.csv`,
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      });
      if (canceled || !filePath) return { ok: false, error: CANCELLED };
      return workbench.call('export.write', { studyId, what, path: filePath }, 'terminal');
    },
  };

  return (name, payload) => {
    const handler = Object.hasOwn(handlers, name) ? handlers[name as CommandName] : undefined;
    if (handler === undefined) return null;
    const checked = commands[name as CommandName].payload.safeParse(payload);
    if (!checked.success) {
      const message = `The call ${name} has a wrong payload: ${checked.error.issues[0]?.message ?? 'unknown'}`;
      return Promise.resolve({ ok: false, error: { code: 'invalid-payload', message } });
    }
    return handler(payload);
  };
}
